/** The way in which a node or an edge of two definitions differs. */
export type ChangeMark = 'added' | 'changed' | 'removed';

/** A node that two definitions do not have in common. */
export interface ChangedNode {
  id: string;
  label: string;
  change: ChangeMark;
}

/** A member that differs, `undefined` where it is missing. */
export interface ChangedMember {
  path: string;
  before: unknown;
  after: unknown;
}

interface Node {
  id: string;
  label: string;
  node: object;
}

/** Lists the nodes that differ, in the order of the later definition, removed ones last. A moved node has not changed, nor one whose members have another order. */
export function changedNodes(before: object, after: object): ChangedNode[] {
  const [old, now] = [nodesIn(before), nodesIn(after)];
  const changed = [...now.values()].flatMap(({ id, label, node }): ChangedNode[] => {
    const was = old.get(id);
    if (was && changedMembers(was.node, node).length === 0) return [];
    return [{ id, label, change: was ? 'changed' : 'added' }];
  });
  const removed = [...old.values()].filter(({ id }) => !now.has(id));
  return [...changed, ...removed.map(({ id, label }) => ({ id, label, change: 'removed' as const }))];
}

/** Lists the members of two values that differ, each as deep as both have it. The place in the picture is none. */
export function changedMembers(before: unknown, after: unknown, path = ''): ChangedMember[] {
  const [old, now] = [membersOf(before), membersOf(after)];
  const isPair = old && now && Array.isArray(before) === Array.isArray(after);
  const isWhole = path === '' && (old ?? now) && (before === undefined || after === undefined);
  if (!isPair && !isWhole)
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
  const names = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]);
  if (PLACED.test(path)) names.delete('position');
  return [...names].flatMap((name) =>
    changedMembers(own(old, name), own(now, name), path === '' ? name : `${path}.${name}`),
  );
}

/** The paths of a node by itself, and of the nodes and notes of a definition. */
const PLACED = /^((nodes|notes)\.\d+)?$/;

const membersOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;

const own = (value: Record<string, unknown> | undefined, name: string): unknown =>
  value && Object.hasOwn(value, name) ? value[name] : undefined;

/** Returns true if only the places of nodes differ, or nothing. */
export const sameButPlaces = (before: object, after: object): boolean =>
  changedMembers(before, after).length === 0;

function nodesIn(definition: object): Map<string, Node> {
  const { nodes } = definition as { nodes?: unknown };
  const found = new Map<string, Node>();
  for (const node of Array.isArray(nodes) ? (nodes as unknown[]) : []) {
    if (typeof node !== 'object' || node === null) continue;
    const { id, label } = node as Record<string, unknown>;
    if (typeof id !== 'string') continue;
    const name = typeof label === 'string' && label !== '' ? label : id;
    found.set(id, { id, label: name, node });
  }
  return found;
}
