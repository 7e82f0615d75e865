import { branchesOf } from '../operations/branches.js';
import {
  configOf,
  edgesIn,
  isMembers,
  type Members,
  nodesIn,
  notesIn,
  type Point,
  positionOf,
  textOf,
} from '../operations/definition.js';

export interface CanvasNode {
  id: string;
  kind: string;
  label: string;
  parentNode: string | undefined;
  /** Relative to the parent; undefined when the definition has none. */
  position: Point | undefined;
  /** The branches of the node, and those that its edges name. */
  branches: readonly string[];
  /** Its place in the definition's list. */
  index: number;
}

export interface CanvasEdge {
  from: string;
  to: string;
  on: string | undefined;
  index: number;
}

export interface CanvasNote {
  text: string;
  position: Point;
  index: number;
}

/** The drawable part of a definition, which may be incomplete. */
export interface CanvasModel {
  /** Parents come before their bodies. */
  nodes: readonly CanvasNode[];
  edges: readonly CanvasEdge[];
  /** From each loop to the node that it goes back to. */
  backs: readonly { from: string; to: string }[];
  notes: readonly CanvasNote[];
}

export function canvasOf(definition: Members): CanvasModel {
  const edges = edgesIn(definition).flatMap(edgeIn);
  const used = new Map<string, Set<string>>();
  for (const { from, on } of edges)
    if (on !== undefined) used.set(from, (used.get(from) ?? new Set()).add(on));
  const byId = new Map<string, CanvasNode>();
  const backs: { from: string; to: string }[] = [];
  nodesIn(definition).forEach((value, index) => {
    const node = nodeIn(value, index, used);
    if (!node || byId.has(node.id)) return;
    byId.set(node.id, node);
    if (node.kind === 'loop') backs.push({ from: node.id, to: textOf(configOf(value), 'backTo') });
  });
  const nodes = outermostFirst(byId);
  return {
    nodes,
    edges: edges.filter(({ from, to }) => byId.has(from) && byId.has(to)),
    backs: backs.filter(({ from, to }) => from !== to && byId.has(to)),
    notes: notesIn(definition).flatMap((value, index) => {
      const position = positionOf(value);
      return position ? [{ text: textOf(value, 'text'), position, index }] : [];
    }),
  };
}

function nodeIn(
  value: unknown,
  index: number,
  used: ReadonlyMap<string, Set<string>>,
): CanvasNode | undefined {
  const [id, label, parent] = [textOf(value, 'id'), textOf(value, 'label'), textOf(value, 'parentNode')];
  if (id === '') return undefined;
  return {
    id,
    kind: textOf(value, 'kind'),
    label: label === '' ? id : label,
    parentNode: parent === '' ? undefined : parent,
    position: positionOf(value),
    branches: [...new Set([...branchesOf(value), ...(used.get(id) ?? [])])],
    index,
  };
}

function edgeIn(value: unknown, index: number): CanvasEdge[] {
  const [from, to] = [textOf(value, 'from'), textOf(value, 'to')];
  if (!isMembers(value) || from === '' || to === '') return [];
  const { on } = value;
  return [{ from, to, on: typeof on === 'string' ? on : undefined, index }];
}

/** Sorts parents before their bodies, and frees nodes whose parents are missing or go in a circle. */
function outermostFirst(byId: ReadonlyMap<string, CanvasNode>): CanvasNode[] {
  const depths = new Map<string, number>();
  const depthOf = (id: string): number => {
    let depth = 0;
    for (let at = byId.get(id)?.parentNode; at !== undefined; at = byId.get(at)?.parentNode)
      if (!byId.has(at) || at === id || depth++ > byId.size) return Infinity;
    return depth;
  };
  for (const id of byId.keys()) depths.set(id, depthOf(id));
  return [...byId.values()]
    .map((node) => (depths.get(node.id) === Infinity ? { ...node, parentNode: undefined } : node))
    .sort((one, other) => levelOf(one) - levelOf(other));
  function levelOf({ id }: CanvasNode): number {
    const depth = depths.get(id)!;
    return depth === Infinity ? 0 : depth;
  }
}
