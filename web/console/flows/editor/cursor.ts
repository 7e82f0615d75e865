import type { LooseArray, LooseNode, LooseObject, LooseScalar } from './loose-json.js';
import type { Place } from './places.js';

/** The name or value being written. */
export type Cursor = Place & {
  /** The path of the value, or of the object that gets the name. */
  path: string[];
} & (
    | { what: 'name'; object: LooseObject; hasValue: boolean }
    | { what: 'value'; node: LooseScalar | undefined; inList: boolean }
  );

/** Finds the name or value at the cursor, with the range that a completion replaces. */
export function cursorAt(root: LooseNode | undefined, position: number): Cursor | undefined {
  if (!root) return { what: 'value', node: undefined, inList: false, path: [], from: position, to: position };
  const path: string[] = [];
  let node = root;
  for (;;) {
    if (node.type === 'scalar') return valueAt(node, path, position, false);
    const found = node.type === 'object' ? inObject(node, path, position) : inList(node, path, position);
    if (!('into' in found)) return found.cursor;
    path.push(found.step);
    node = found.into;
  }
}

type Found = { into: LooseNode; step: string } | { cursor: Cursor | undefined };

/** Returns whether the position is inside a node; after a closing bracket it is outside. */
const holds = (node: LooseNode, position: number): boolean =>
  node.type === 'scalar'
    ? node.from <= position && position <= node.to
    : node.from < position && (node.closed ? position < node.to : position <= node.to);

function inObject(object: LooseObject, path: string[], position: number): Found {
  if (!holds(object, position)) return { cursor: undefined };
  const member = object.members.findLast(({ keyFrom }) => keyFrom <= position);
  const name = (from: number, to: number, hasValue: boolean): Found => ({
    cursor: { what: 'name', object, hasValue, path, from, to },
  });
  if (!member) return name(position, position, false);
  const { key, keyFrom, keyTo, valueFrom, value } = member;
  if (position <= keyTo) return name(keyFrom, keyTo, valueFrom !== undefined);
  if (valueFrom === undefined) return name(position, position, false);
  if (value && holds(value, position)) return { into: value, step: key };
  if (value && position > value.to) return name(position, position, false);
  const missing = !value && position >= valueFrom;
  return missing ? { cursor: valueAt(undefined, [...path, key], position, false) } : { cursor: undefined };
}

function inList(list: LooseArray, path: string[], position: number): Found {
  if (!holds(list, position)) return { cursor: undefined };
  const index = list.items.findIndex((item) => holds(item, position));
  const into = list.items[index];
  if (into && into.type !== 'scalar') return { into, step: String(index) };
  if (into) return { cursor: valueAt(into, [...path, String(index)], position, true) };
  const before = list.items.filter(({ to }) => to <= position).length;
  return { cursor: valueAt(undefined, [...path, String(before)], position, true) };
}

const valueAt = (
  node: LooseScalar | undefined,
  path: string[],
  position: number,
  inList: boolean,
): Cursor => ({
  what: 'value',
  node,
  inList,
  path,
  from: node?.from ?? position,
  to: node?.to ?? position,
});
