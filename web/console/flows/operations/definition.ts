/** A JSON object, in which anything may be unknown or wrong. */
export type Members = Readonly<Record<string, unknown>>;

export interface Point {
  x: number;
  y: number;
}

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listIn = (definition: Members, name: string): readonly unknown[] => {
  const list = definition[name];
  return Array.isArray(list) ? (list as unknown[]) : [];
};

export const nodesIn = (definition: Members): readonly unknown[] => listIn(definition, 'nodes');
export const edgesIn = (definition: Members): readonly unknown[] => listIn(definition, 'edges');
export const notesIn = (definition: Members): readonly unknown[] => listIn(definition, 'notes');

/** Returns a text member; empty for anything else. */
export function textOf(value: unknown, name: string): string {
  const member = isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof member === 'string' ? member : '';
}

export const idOf = (node: unknown): string => textOf(node, 'id');

/** Returns the first node of an id. */
export const nodeOf = (definition: Members, id: string): Members | undefined =>
  nodesIn(definition).find((node): node is Members => isMembers(node) && node['id'] === id);

export function configOf(node: unknown): Members {
  const config = isMembers(node) ? node['config'] : undefined;
  return isMembers(config) ? config : {};
}

export function positionOf(value: unknown): Point | undefined {
  const position = isMembers(value) ? value['position'] : undefined;
  if (!isMembers(position)) return undefined;
  const { x, y } = position;
  return Number.isFinite(x) && Number.isFinite(y) ? { x: x as number, y: y as number } : undefined;
}

/** Sets a member, or removes it for `undefined`. A new member comes last, or before `behind`'s successor. */
export function withMember(value: Members, name: string, member: unknown, behind?: string): Members {
  if (member === undefined) return withoutMember(value, name);
  if (Object.hasOwn(value, name) || behind === undefined || !Object.hasOwn(value, behind))
    return { ...value, [name]: member };
  return Object.fromEntries(
    Object.entries(value).flatMap((entry) => (entry[0] === behind ? [entry, [name, member]] : [entry])),
  );
}

export function withoutMember(value: Members, name: string): Members {
  if (!Object.hasOwn(value, name)) return value;
  return Object.fromEntries(Object.entries(value).filter(([one]) => one !== name));
}

/** Replaces items of a list; one that stays the same is the same object. */
export function withItems(
  definition: Members,
  name: 'nodes' | 'edges' | 'notes' | 'overrides',
  change: (item: unknown, index: number) => unknown,
): Members {
  const list = listIn(definition, name);
  const changed = list.map(change);
  return changed.some((item, index) => item !== list[index])
    ? { ...definition, [name]: changed }
    : definition;
}

/** Removes items of a list. */
export function withoutItems(
  definition: Members,
  name: 'nodes' | 'edges' | 'notes' | 'overrides',
  isGone: (item: unknown, index: number) => boolean,
): Members {
  const list = listIn(definition, name);
  const left = list.filter((item, index) => !isGone(item, index));
  return left.length < list.length ? { ...definition, [name]: left } : definition;
}

/** Adds items at the end of a list, which is made if it is missing. */
export const withMore = (
  definition: Members,
  name: 'nodes' | 'edges' | 'notes',
  items: readonly unknown[],
): Members =>
  items.length === 0 ? definition : { ...definition, [name]: [...listIn(definition, name), ...items] };
