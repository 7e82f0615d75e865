import {
  configOf,
  idOf,
  isMembers,
  type Members,
  nodeOf,
  nodesIn,
  type Point,
  textOf,
  withItems,
  withMember,
  withMore,
  withoutItems,
} from './definition.js';
import { renamedInConfig } from './references.js';

export interface NewNode {
  kind: string;
  position?: Point | undefined;
  parentNode?: string | undefined;
  config?: Members | undefined;
}

/** Adds a node with a new id, which is made from its kind. */
export function addNode(
  definition: Members,
  { kind, position, parentNode, config }: NewNode,
): { definition: Members; id: string } {
  const id = freshId(definition, kind);
  const node = {
    id,
    kind,
    ...(config && Object.keys(config).length > 0 ? { config } : {}),
    ...(parentNode === undefined ? {} : { parentNode }),
    ...(position && { position: rounded(position) }),
  };
  return { definition: withMore(definition, 'nodes', [node]), id };
}

/** Returns an id that no node has: the given one, or with a number. */
export function freshId(definition: Members, like: string, taken: ReadonlySet<string> = new Set()): string {
  const used = new Set([...nodesIn(definition).map(idOf), ...taken]);
  const stem = like.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 120) || 'node';
  if (!used.has(stem)) return stem;
  const root = stem.replace(/-\d{1,6}$/, '');
  for (let number = 2; ; number++) if (!used.has(`${root}-${number}`)) return `${root}-${number}`;
}

/** Sets the positions of nodes. A nested node has one relative to its parent. */
export const moveNodes = (definition: Members, positions: ReadonlyMap<string, Point>): Members =>
  withItems(definition, 'nodes', (node) => {
    const to = positions.get(idOf(node));
    return to && isMembers(node) ? withPosition(node, to) : node;
  });

/** Sets a position in whole pixels; other members of the position stay. */
export function withPosition(value: Members, to: Point): Members {
  const { x, y } = rounded(to);
  const known = value['position'];
  if (!isMembers(known)) return { ...value, position: { x, y } };
  return known['x'] === x && known['y'] === y ? value : { ...value, position: { ...known, x, y } };
}

const rounded = ({ x, y }: Point): Point => ({ x: Math.round(x), y: Math.round(y) });

/** Returns the nodes and everything inside them. */
export function withInner(definition: Members, ids: Iterable<string>): Set<string> {
  const found = new Set(ids);
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const node of nodesIn(definition)) if (found.has(textOf(node, 'parentNode'))) found.add(idOf(node));
  }
  return found;
}

/** Removes nodes with everything inside them, their edges and their overrides. */
export function removeNodes(definition: Members, ids: Iterable<string>): Members {
  const gone = withInner(definition, ids);
  const noNodes = withoutItems(definition, 'nodes', (node) => gone.has(idOf(node)));
  const noEdges = withoutItems(
    noNodes,
    'edges',
    (edge) => gone.has(textOf(edge, 'from')) || gone.has(textOf(edge, 'to')),
  );
  return withoutItems(
    noEdges,
    'overrides',
    (entry) => typeof entry === 'string' && gone.has(entry.split('.', 1)[0]!),
  );
}

/** Renames a node, also in edges, templates, overrides, loops and bodies. Refuses an id that another node has. */
export function renameNode(definition: Members, from: string, to: string): Members {
  if (from === to || to === '' || nodeOf(definition, to)) return definition;
  const names = new Map([[from, to]]);
  const nodes = withItems(definition, 'nodes', (node) => renamedNode(node, names));
  const edges = withItems(nodes, 'edges', (edge) => renamedEdge(edge, names));
  return withItems(edges, 'overrides', (entry) => {
    if (typeof entry !== 'string' || !entry.startsWith(`${from}.`)) return entry;
    return to + entry.slice(from.length);
  });
}

/** Rewrites the ids in a node: its own, its parent's and those of its config. */
export function renamedNode(node: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!isMembers(node)) return node;
  let next = node;
  for (const name of ['id', 'parentNode']) {
    const found = names.get(textOf(node, name));
    if (found !== undefined) next = withMember(next, name, found);
  }
  const config = renamedInConfig(textOf(node, 'kind'), node['config'], names);
  return config === node['config'] ? next : withMember(next, 'config', config);
}

export function renamedEdge(edge: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!isMembers(edge)) return edge;
  const [from, to] = [names.get(textOf(edge, 'from')), names.get(textOf(edge, 'to'))];
  if (from === undefined && to === undefined) return edge;
  return { ...edge, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** Sets a member of the node itself, such as `label`; `undefined` removes it. */
export const setNodeMember = (definition: Members, id: string, name: string, value: unknown): Members =>
  changeNode(definition, id, (node) => withMember(node, name, value, name === 'label' ? 'kind' : undefined));

/** Sets a value inside the config; `undefined` removes it, and an item of a list closes the gap. */
export const setConfig = (
  definition: Members,
  id: string,
  path: readonly string[],
  value: unknown,
): Members =>
  changeNode(definition, id, (node) => {
    const config = setAt(configOf(node), path, value) as Members;
    const isEmpty = Object.keys(config).length === 0 && node['config'] === undefined;
    return isEmpty
      ? node
      : withMember(node, 'config', config, Object.hasOwn(node, 'label') ? 'label' : 'kind');
  });

function changeNode(definition: Members, id: string, change: (node: Members) => Members): Members {
  const first = nodeOf(definition, id);
  return withItems(definition, 'nodes', (node) => (node === first && first ? change(first) : node));
}

/** Sets a value at a path, and makes the objects on the way. */
export function setAt(value: unknown, path: readonly string[], to: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return to;
  if (Array.isArray(value)) {
    const index = Number(step);
    if (rest.length === 0 && to === undefined) return value.filter((_, at) => at !== index);
    const list: unknown[] = [...(value as unknown[])];
    list[index] = setAt(list[index], rest, to);
    return list;
  }
  const members = isMembers(value) ? value : {};
  const known = Object.hasOwn(members, step) ? members[step] : undefined;
  return withMember(members, step, setAt(known, rest, to));
}

/** Swaps an item of a list in the config with the next one. */
export const swapItems = (definition: Members, id: string, path: readonly string[], index: number): Members =>
  changeNode(definition, id, (node) => {
    const config = configOf(node);
    const swapped = swapAt(config, path, index);
    return swapped === config ? node : withMember(node, 'config', swapped);
  });

/** Swaps an item of the list at a path with the next one. */
export function swapAt(value: Members, path: readonly string[], index: number): Members {
  let list: unknown = value;
  for (const step of path)
    list = isMembers(list) ? list[step] : (list as unknown[] | undefined)?.[Number(step)];
  if (!Array.isArray(list) || index < 0 || index + 1 >= list.length) return value;
  const swapped: unknown[] = [...(list as unknown[])];
  [swapped[index], swapped[index + 1]] = [swapped[index + 1], swapped[index]];
  return setAt(value, path, swapped) as Members;
}
