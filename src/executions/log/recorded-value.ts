import { storableText } from '../../common/json/json-text.js';
import { MASK } from '../../common/masking/secret-mask.js';
import { isSecretMember } from '../../common/masking/secret-names.js';
import { withoutSecretValues } from '../../common/masking/secret-values.js';

const MOST_TEXT = 32_768;
const MOST_STRING = 4_000;
const MOST_VALUE = 16_384;
const MOST_DEPTH = 24;
const MOST_VISITED = 20_000;

/** Characters beyond a cut that are searched too, so that a secret across the cut is masked first. */
const MARGIN = 1_024;

const DATA_URI = /data:[a-z0-9.+/-]{1,100}(?:;[a-z0-9=._-]{1,60}){0,3},[A-Za-z0-9+/=_%-]{65,}/gi;

/** Returns a text for the log: secrets masked, data URIs shortened, long texts truncated and marked with their size. */
export function recordText(text: string | undefined, most = MOST_TEXT): string | null {
  if (text === undefined) return null;
  if (text.length <= most) return maskText(storableText(text));
  const masked = maskText(storableText(text.slice(0, most + MARGIN))).slice(0, most);
  return `${storableText(masked)}… [truncated, ${text.length} characters]`;
}

/** Returns a freely chosen short text (an id, an origin), truncated without a mark. */
export const shortText = (text: string | undefined, most: number): string | null =>
  text === undefined ? null : storableText(text.slice(0, most));

/**
 * Returns a node's input or output for the trace: a copy with secrets masked by name and form, data URIs and long
 * strings shortened. A copy larger than 16 KiB becomes `{ truncated: true, size, preview }`; `size` counts the
 * characters of the whole value.
 */
export function recordedValue(value: unknown): unknown {
  const walk = new Walk();
  const copy = walk.copy(value, 0);
  if (walk.copied <= MOST_VALUE && !walk.exhausted) return copy;
  const preview = JSON.stringify(copy)?.slice(0, MOST_VALUE).toWellFormed();
  return { truncated: true, size: walk.size, preview };
}

/** A pass over a value that copies it and measures the whole. */
class Walk {
  /** Characters in the copy. */
  copied = 0;
  /** Characters of the whole value, roughly as JSON. */
  size = 0;
  exhausted = false;
  private visited = 0;

  copy(value: unknown, depth: number): unknown {
    if (++this.visited > MOST_VISITED) this.exhausted = true;
    if (typeof value === 'string') return this.copyText(value);
    if (typeof value !== 'object' || value === null) return this.copyPlain(value);
    if (this.exhausted || depth >= MOST_DEPTH) return '…';
    if (ArrayBuffer.isView(value)) return this.count(`[${value.byteLength} bytes]`);
    if (Array.isArray(value)) return this.copyList(value, depth);
    return this.copyMembers(value, depth);
  }

  private copyList(list: readonly unknown[], depth: number): unknown[] {
    const copy: unknown[] = [];
    for (const item of list) {
      const fits = this.copied <= MOST_VALUE;
      const copied = this.copy(item, depth + 1);
      if (fits) copy.push(copied);
      if (this.exhausted) break;
    }
    return copy;
  }

  private copyMembers(value: object, depth: number): unknown {
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      return this.copy((value as { toJSON(): unknown }).toJSON(), depth + 1);
    }
    const copy: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const [name, member] of Object.entries(value)) {
      this.size += name.length + 4;
      const fits = this.copied <= MOST_VALUE;
      const copied = holdsSecret(name, member) ? this.count(MASK) : this.copy(member, depth + 1);
      if (fits) {
        copy[name] = copied;
        this.copied += name.length + 4;
      }
      if (this.exhausted) break;
    }
    return copy;
  }

  private copyText(text: string): string {
    this.size += text.length + 2;
    if (this.copied > MOST_VALUE) return '';
    const short = recordText(text, MOST_STRING)!;
    this.copied += short.length + 2;
    return short;
  }

  private copyPlain(value: unknown): unknown {
    this.size += 5;
    this.copied += 5;
    if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
    return typeof value === 'function' ? '[function]' : value;
  }

  private count(text: string): string {
    this.size += text.length + 2;
    this.copied += text.length + 2;
    return text;
  }
}

const holdsSecret = (name: string, member: unknown): boolean =>
  member !== null && member !== undefined && typeof member !== 'boolean' && isSecretMember(name);

function maskText(text: string): string {
  if (text.length < 10) return text;
  const masked = withoutSecretValues(text, maskMatch);
  return masked.includes('data:') ? masked.replace(DATA_URI, shortenUri) : masked;
}

const maskMatch = (match: string): string =>
  /^bearer/i.test(match) ? `Bearer ${MASK}` : `${match.slice(0, 3)}${MASK}`;

const shortenUri = (uri: string): string =>
  `${uri.slice(0, uri.indexOf(',') + 17)}… [${uri.length} characters]`;
