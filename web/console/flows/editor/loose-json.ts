/** A node of JSON text that may be incomplete, with its position. */
export type LooseNode = LooseObject | LooseArray | LooseScalar;

interface Span {
  from: number;
  to: number;
}

export interface LooseMember {
  key: string;
  keyFrom: number;
  keyTo: number;
  /** The position after the colon; undefined without a colon. */
  valueFrom: number | undefined;
  value: LooseNode | undefined;
}

export interface LooseObject extends Span {
  type: 'object';
  closed: boolean;
  members: LooseMember[];
}

export interface LooseArray extends Span {
  type: 'array';
  closed: boolean;
  items: LooseNode[];
}

/** A string, or a word such as `true` or `12`; `value` is undefined for an invalid word. */
export interface LooseScalar extends Span {
  type: 'scalar';
  quoted: boolean;
  value: string | number | boolean | null | undefined;
}

/** The service refuses deeper JSON. */
const DEEPEST = 64;

const END_OF_WORD = new Set(' \t\r\n,:{}[]"');

/** Reads JSON while it is being written: members without a value, open strings and brackets. Reads valid JSON exactly. */
export function readLoosely(text: string): LooseNode | undefined {
  return new LooseReader(text).value(0);
}

class LooseReader {
  private at = 0;

  constructor(private readonly text: string) {}

  value(depth: number): LooseNode | undefined {
    this.skip('');
    const next = this.text[this.at];
    if (next === undefined) return undefined;
    if (depth >= DEEPEST) return this.word();
    if (next === '{') return this.object(depth);
    if (next === '[') return this.array(depth);
    return next === '"' ? this.quoted() : this.word();
  }

  private object(depth: number): LooseObject {
    const node: LooseObject = { type: 'object', from: this.at++, to: 0, closed: false, members: [] };
    for (;;) {
      this.skip(',');
      const next = this.text[this.at];
      if (next === undefined || next === ']') break;
      if (next === '}') {
        node.closed = true;
        this.at++;
        break;
      }
      node.members.push(this.member(depth));
    }
    node.to = this.at;
    return node;
  }

  private member(depth: number): LooseMember {
    const key = this.text[this.at] === '"' ? this.quoted() : this.word();
    const member: LooseMember = {
      key: String(key.value ?? this.text.slice(key.from, key.to)),
      keyFrom: key.from,
      keyTo: key.to,
      valueFrom: undefined,
      value: undefined,
    };
    this.skip('');
    if (this.text[this.at] !== ':') return member;
    member.valueFrom = ++this.at;
    this.skip('');
    if (!',}]'.includes(this.text[this.at] ?? ',')) member.value = this.value(depth + 1);
    return member;
  }

  private array(depth: number): LooseArray {
    const node: LooseArray = { type: 'array', from: this.at++, to: 0, closed: false, items: [] };
    for (;;) {
      this.skip(',:');
      const next = this.text[this.at];
      if (next === undefined || next === '}') break;
      if (next === ']') {
        node.closed = true;
        this.at++;
        break;
      }
      const item = this.value(depth + 1);
      if (item) node.items.push(item);
    }
    node.to = this.at;
    return node;
  }

  private quoted(): LooseScalar {
    const from = this.at++;
    while (this.at < this.text.length && this.text[this.at] !== '\n') {
      const character = this.text[this.at++];
      if (character === '\\') this.at++;
      else if (character === '"') return this.scalar(from, true);
    }
    return this.scalar(from, true);
  }

  private word(): LooseScalar {
    const from = this.at++;
    while (this.at < this.text.length && !END_OF_WORD.has(this.text[this.at]!)) this.at++;
    return this.scalar(from, false);
  }

  private scalar(from: number, quoted: boolean): LooseScalar {
    const to = (this.at = Math.min(this.at, this.text.length));
    const written = this.text.slice(from, to);
    if (!quoted && !/^(true|false|null|-?\d.*)$/.test(written))
      return { type: 'scalar', from, to, quoted, value: undefined };
    try {
      const value: unknown = JSON.parse(written);
      return { type: 'scalar', from, to, quoted, value: value as string | number | boolean | null };
    } catch {
      return { type: 'scalar', from, to, quoted, value: quoted ? written.slice(1) : undefined };
    }
  }

  private skip(more: string): void {
    while (this.at < this.text.length && ' \t\r\n'.concat(more).includes(this.text[this.at]!)) this.at++;
  }
}

/** Returns the last member of this name, which is the one that counts in JSON. */
export const memberOf = (node: LooseNode | undefined, key: string): LooseMember | undefined =>
  node?.type === 'object' ? node.members.findLast((member) => member.key === key) : undefined;

/** Returns the node at a path; undefined when there is none. */
export function nodeAt(root: LooseNode | undefined, path: readonly string[]): LooseNode | undefined {
  let node = root;
  for (const step of path) {
    node = node?.type === 'array' ? node.items[Number(step)] : memberOf(node, step)?.value;
    if (!node) return undefined;
  }
  return node;
}

/** Returns the string at a path; undefined for anything else. */
export function textAt(root: LooseNode | undefined, ...path: string[]): string | undefined {
  const node = nodeAt(root, path);
  return node?.type === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

/** Returns the items of the list at a path; empty for anything else. */
export const itemsAt = (root: LooseNode | undefined, ...path: string[]): readonly LooseNode[] => {
  const node = nodeAt(root, path);
  return node?.type === 'array' ? node.items : [];
};
