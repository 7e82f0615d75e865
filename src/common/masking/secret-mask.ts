import { formsOf, lowerByte, PIECE, type SecretForm, SHORTEST_ALONE, SHORTEST_FORM } from './secret-forms.js';
import { mayEscape, unescaped, type View } from './unescaped.js';

export const MASK = '[masked]';

/** A match in a text, as offsets of its bytes. */
interface Found {
  from: number;
  to: number;
}

const FILTER_BITS = 16;
const NOTHING = new Uint8Array(0);
const LOWER = Uint8Array.from({ length: 256 }, (_, byte) => lowerByte(byte));

/** The longest escaped spelling of a form: 64 bytes, each as `&#x0000041;`. */
const LONGEST_FORM = 64 * 12;

/**
 * Masks the secrets of one run in texts, verbatim and in every spelling of `formsOf` and `unescaped`. One pass finds all of
 * them: a rolling hash of six bytes selects the forms to compare.
 */
export class SecretMask {
  private readonly known = new Set<string>();
  private readonly short = new Set<string>();
  private readonly forms = new Map<number, SecretForm[]>();
  /** Allocated with the first secret, because most runs have none. */
  private filter = NOTHING;
  private readonly byFirst = new Map<number, SecretForm[]>();

  /** True when there are no secrets; then texts are not scanned. */
  get isEmpty(): boolean {
    return this.known.size === 0;
  }

  /** The secrets as they were added. */
  get secrets(): Iterable<string> {
    return this.known;
  }

  /** Adds secrets to mask from now on. */
  add(secrets: Iterable<string>): this {
    for (const secret of secrets)
      if (secret.length >= SHORTEST_ALONE && !this.known.has(secret)) this.learn(secret);
    return this;
  }

  /** Returns the text with secrets masked; the same string when it holds none. */
  text(text: string): string {
    if (this.known.size === 0) return text;
    if (this.short.size > 0 && text.length < 2 * SHORTEST_FORM && this.short.has(text.trim().toLowerCase()))
      return MASK;
    if (text.length < SHORTEST_FORM || !this.mayHold(text)) return text;
    const bytes = Buffer.from(text, 'utf8');
    const found = this.find(bytes);
    return found.length === 0 ? text : without(bytes, found);
  }

  /** Returns a JSON value with secrets masked, also in names of members; the same value when it holds none. */
  value<Value>(value: Value): Value {
    return this.known.size === 0 ? value : (this.masked(value) as Value);
  }

  /**
   * Returns the position from which the end of a growing text may be the beginning of a secret; the text before it can be
   * masked and emitted. Returns the length of the text when there is no such end.
   */
  openEnd(text: string): number {
    if (this.endsPlainly(text)) return text.length;
    const from = Math.max(0, text.length - LONGEST_FORM);
    const tail = text.slice(from);
    const cut = unfinishedEscape(tail);
    const bytes = Buffer.from(tail.slice(0, cut), 'utf8');
    const beginnings = [rawView(bytes), unescaped(bytes)].map((view) => this.beginningIn(view));
    let open = Math.min(bytes.length, ...beginnings);
    for (const { from: start, to } of this.find(Buffer.from(tail, 'utf8')))
      if (start < open && to > open) open = start;
    return from + bytes.subarray(0, open).toString('utf8').length;
  }

  /** Returns false when no six bytes of a plain ASCII text end a form: a cheap test that most texts pass. */
  private mayHold(text: string): boolean {
    let hash = 0;
    let unbroken = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > 0x7f) return true;
      const isBreak = code === 0x0a || code === 0x0d;
      if (!isBreak && mayEscape(code)) return true;
      hash = rolled(hash, LOWER[code]!);
      if (!isBreak) unbroken = rolled(unbroken, LOWER[code]!);
      if (this.filter[slotOf(hash)] === 1 || this.filter[slotOf(unbroken)] === 1) return true;
    }
    return false;
  }

  /** Returns true when no form begins in the end of a text: a cheap test as well. */
  private endsPlainly(text: string): boolean {
    for (let at = Math.max(0, text.length - PIECE); at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > 0x7f || mayEscape(code)) return false;
      for (const { bytes } of this.byFirst.get(LOWER[code]!) ?? [])
        if (beginsWith(bytes, text, at)) return false;
    }
    return true;
  }

  private learn(secret: string): void {
    if (this.filter === NOTHING) this.filter = new Uint8Array(1 << FILTER_BITS);
    this.known.add(secret);
    const forms = formsOf(secret);
    if (forms.length === 0) this.short.add(secret.toLowerCase());
    for (const form of forms) {
      let hash = 0;
      for (const byte of form.bytes.subarray(-SHORTEST_FORM)) hash = rolled(hash, byte);
      this.filter[slotOf(hash)] = 1;
      listed(this.forms, hash).push(form);
      listed(this.byFirst, form.bytes[0]!).push(form);
    }
  }

  private find(bytes: Uint8Array): Found[] {
    const found: Found[] = [];
    this.findIn(bytes, undefined, bytes, found);
    const view = unescaped(bytes);
    if (view.bytes.length < bytes.length) this.findIn(view.bytes, view, bytes, found);
    return merged(found);
  }

  private findIn(bytes: Uint8Array, view: View | undefined, text: Uint8Array, found: Found[]): void {
    let hash = 0;
    for (let at = 0; at < bytes.length; at++) {
      hash = rolled(hash, LOWER[bytes[at]!]!);
      if (this.filter[slotOf(hash)] === 0 || at < SHORTEST_FORM - 1) continue;
      for (const form of this.forms.get(hash) ?? []) {
        const first = at - form.bytes.length + 1;
        if (!standsAt(bytes, first, form.bytes)) continue;
        found.push(widened(text, form, view ? view.starts[first]! : first, view ? view.ends[at]! : at + 1));
      }
    }
  }

  /** Returns the earliest position from which the rest of the view is the beginning of a form. */
  private beginningIn({ bytes, starts }: View): number {
    for (let at = Math.max(0, bytes.length - LONGEST_FORM); at < bytes.length; at++) {
      for (const form of this.byFirst.get(LOWER[bytes[at]!]!) ?? []) {
        const rest = bytes.length - at;
        if (rest < form.bytes.length && standsAt(bytes, at, form.bytes.subarray(0, rest))) return starts[at]!;
      }
    }
    return Infinity;
  }

  private masked(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) {
      const copy = value.map((item) => this.masked(item));
      return copy.some((item, index) => item !== value[index]) ? copy : value;
    }
    const entries = Object.entries(value);
    const copy = entries.map(([name, member]) => [this.text(name), this.masked(member)] as const);
    const isSame = copy.every(
      ([name, member], index) => name === entries[index]![0] && member === entries[index]![1],
    );
    return isSame ? value : Object.fromEntries(copy);
  }
}

/** The rolling hash of the last six bytes: older ones have left its thirty bits. */
const rolled = (hash: number, byte: number): number => ((hash << 5) ^ byte) & 0x3fffffff;
const slotOf = (hash: number): number => (hash ^ (hash >>> 14)) & ((1 << FILTER_BITS) - 1);

/** Returns whether the rest of the text is the beginning of the form. */
function beginsWith(form: Uint8Array, text: string, from: number): boolean {
  if (text.length - from >= form.length) return false;
  for (let at = from; at < text.length; at++)
    if (LOWER[text.charCodeAt(at) & 0xff] !== form[at - from]) return false;
  return true;
}

function standsAt(bytes: Uint8Array, first: number, form: Uint8Array): boolean {
  if (first < 0 || first + form.length > bytes.length) return false;
  for (let at = 0; at < form.length; at++) if (LOWER[bytes[first + at]!] !== form[at]) return false;
  return true;
}

function widened(text: Uint8Array, { before, after }: SecretForm, from: number, to: number): Found {
  const start = before === 1 && isBase64(text[from - 1]) ? from - 1 : from;
  return { from: start, to: after === 1 && isBase64(text[to]) ? to + 1 : to };
}

const isBase64 = (byte: number | undefined): boolean =>
  byte !== undefined && /[A-Za-z0-9+/_-]/.test(String.fromCharCode(byte));

function merged(found: Found[]): Found[] {
  const places: Found[] = [];
  for (const { from, to } of found.sort((one, other) => one.from - other.from)) {
    const last = places.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else places.push({ from, to });
  }
  return places;
}

function without(bytes: Buffer, found: readonly Found[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of found) {
    parts.push(bytes.toString('utf8', at, from), MASK);
    at = to;
  }
  return parts.join('') + bytes.toString('utf8', at);
}

const rawView = (bytes: Uint8Array): View => {
  const starts = Uint32Array.from(bytes, (_, at) => at);
  return { bytes, starts, ends: starts };
};

/** Returns the position of an incomplete escape at the end of a text; its length when there is none. */
function unfinishedEscape(text: string): number {
  const end = /(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&(?:#x?[0-9a-f]{0,8}|[a-z]{0,8}))$/i.exec(
    text.slice(-12),
  );
  return end ? text.length - end[0].length : text.length;
}

function listed<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const known = lists.get(key);
  if (known) return known;
  const made: Item[] = [];
  lists.set(key, made);
  return made;
}
