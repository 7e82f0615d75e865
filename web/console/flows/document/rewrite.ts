import { type LooseArray, type LooseNode, type LooseObject, readLoosely } from '../editor/loose-json.js';
import { isMembers, type Members } from '../operations/definition.js';
import type { Change } from './change.js';
import { written, type Writing, writingIn } from './writing.js';

/**
 * Returns the changes that turn the text of `before` into a text of `after`. Values that stay keep their text: order,
 * spaces, the way a number is written. `before` is the parsed text, and `after` shares with it every value that stays.
 */
export function rewrite(text: string, before: unknown, after: unknown): Change[] {
  const root = readLoosely(text);
  const writing = writingIn(text);
  if (!root) return [{ from: 0, to: text.length, insert: written(after, '', writing) }];
  const changes: Change[] = [];
  compare(root, before, after, { text, writing, changes });
  return changes;
}

interface Target {
  text: string;
  writing: Writing;
  changes: Change[];
}

function compare(node: LooseNode, before: unknown, after: unknown, target: Target): void {
  if (Object.is(before, after)) return;
  if (node.type === 'scalar' && JSON.stringify(before) === JSON.stringify(after)) return;
  const parts =
    node.type === 'array' && Array.isArray(before) && Array.isArray(after)
      ? itemsBetween(node, before, after)
      : node.type === 'object' && isMembers(before) && isMembers(after)
        ? membersBetween(node, before, after)
        : undefined;
  if (parts && node.type !== 'scalar') compareParts(node, parts, target);
  else {
    const insert = written(after, indentAt(target.text, node.from), target.writing);
    target.changes.push({ from: node.from, to: node.to, insert });
  }
}

/** A part of an object or a list after the change. */
type Part =
  | { index: number; from: number; to: number; node: LooseNode; before: unknown; after: unknown }
  | { name?: string; added: unknown };

/** Pairs the items of two lists; undefined when items that stay have changed their order. */
function itemsBetween(
  { items }: LooseArray,
  before: readonly unknown[],
  after: readonly unknown[],
): Part[] | undefined {
  if (items.length !== before.length) return undefined;
  const [kept, had] = [new Set(after), new Set(before)];
  const parts: Part[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, now] = [before[i], after[j]];
    const [isGone, isNew] = [i < before.length && !kept.has(old), j < after.length && !had.has(now)];
    if ((isGone && isNew) || (i < before.length && j < after.length && Object.is(old, now))) {
      const node = items[i]!;
      parts.push({ index: i++, from: node.from, to: node.to, node, before: old, after: now });
      j++;
    } else if (isGone) i++;
    else if (isNew) {
      parts.push({ added: now });
      j++;
    } else return undefined;
  }
  return parts;
}

/** Pairs the members of two objects; undefined when members that stay have changed their order. */
function membersBetween({ members }: LooseObject, before: Members, after: Members): Part[] | undefined {
  const places = new Map(members.map((member, index) => [member.key, { ...member, index }]));
  if (places.size !== members.length || members.some(({ value }) => !value)) return undefined;
  let last = -1;
  const parts: Part[] = [];
  for (const name of Object.keys(after)) {
    const place = places.get(name);
    if (!place) parts.push({ name, added: after[name] });
    else {
      const { index, keyFrom, value } = place;
      if (index < last) return undefined;
      last = index;
      const node = value!;
      parts.push({ index, from: keyFrom, to: node.to, node, before: before[name], after: after[name] });
    }
  }
  return parts;
}

/** Writes the gaps between parts that were not neighbours before, and what changed inside of the parts. */
function compareParts(whole: LooseObject | LooseArray, parts: readonly Part[], target: Target): void {
  const { text, writing, changes } = target;
  const spans =
    whole.type === 'array'
      ? whole.items
      : whole.members.map(({ keyFrom, value }) => ({ from: keyFrom, to: value!.to }));
  const opening = whole.from + 1;
  const closing = whole.closed ? whole.to - 1 : whole.to;
  const [first, second, last] = [spans[0], spans[1], spans.at(-1)];
  const lead = first
    ? text.slice(opening, first.from)
    : `${writing.newline}${indentAt(text, whole.from)}${writing.unit}`;
  const trail = last ? text.slice(last.to, closing) : `${writing.newline}${indentAt(text, whole.from)}`;
  const between =
    first && second ? text.slice(first.to, second.from).replace(/^[^,]*,/, '') : lead === '' ? ' ' : lead;
  const indent = between.slice(between.lastIndexOf('\n') + 1);
  const write = (part: { name?: string; added: unknown }) => {
    const style = between.includes('\n') ? writing : { ...writing, newline: '' };
    const value = written(part.added, indent, style);
    return part.name === undefined ? value : `${JSON.stringify(part.name)}: ${value}`;
  };
  let [at, index, added] = [opening, -1, [] as string[]];
  const gap = (to: number, next: number | undefined) => {
    const isBegin = index < 0;
    if (added.length === 0 && next === index + 1) return;
    if (next === undefined && added.length === 0 && index === spans.length - 1) return;
    const joined = added.join(`,${between}`);
    const before = isBegin ? lead : added.length > 0 || next !== undefined ? `,${between}` : '';
    const untouched = !isBegin && next === index + 1 ? text.slice(at, to) : `,${between}`;
    const behind = next === undefined ? trail : added.length > 0 ? untouched : '';
    const isEmpty = isBegin && next === undefined && added.length === 0;
    changes.push({ from: at, to, insert: isEmpty ? '' : `${before}${joined}${behind}` });
  };
  for (const part of parts) {
    if ('added' in part) {
      added.push(write(part));
      continue;
    }
    gap(part.from, part.index);
    compare(part.node, part.before, part.after, target);
    [at, index, added] = [part.to, part.index, []];
  }
  gap(closing, undefined);
}

/** Returns the white space at the beginning of the line of a position. */
function indentAt(text: string, position: number): string {
  const begin = text.lastIndexOf('\n', position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(begin, position))![0];
}
