import { componentsOf, leadsTo } from './graph/components.js';
import type { Json } from './json.js';

/** The part of a flow definition that the engine runs (contract section 9). */
export interface FlowSource {
  nodes: readonly {
    id: string;
    kind: string;
    label?: string | undefined;
    config?: Record<string, Json> | undefined;
    /** The iteration that this node is the body of. */
    parentNode?: string | undefined;
  }[];
  edges: readonly { from: string; to: string; on?: string | undefined }[];
}

export interface GraphEdge {
  /** Place in the definition. */
  index: number;
  from: GraphNode;
  to: GraphNode;
  /** The branch that takes this edge; absent = always taken. */
  on: string | undefined;
}

export interface GraphNode {
  /** Place in the definition, over all nodes of the flow. */
  index: number;
  id: string;
  kind: string;
  label: string;
  config: Record<string, Json>;
  incoming: GraphEdge[];
  outgoing: GraphEdge[];
  /** Edges of a loop node that lead back into the body it repeats. */
  back: GraphEdge[];
  /** True if nothing follows it and it is not part of an iteration: its text is (part of) the answer. */
  isLeaf: boolean;
  /** The body of an iteration. */
  body: GraphPart | undefined;
}

/** Nodes that are scheduled together: the flow itself, or the body of an iteration. */
export interface GraphPart {
  nodes: readonly GraphNode[];
  /** The first nodes: the start node, or the nodes of a body without incoming edges. */
  roots: readonly GraphNode[];
}

/** A compiled flow. It is immutable, so it serves any number of runs at once. */
export interface FlowGraph extends GraphPart {
  byId: ReadonlyMap<string, GraphNode>;
  edges: readonly GraphEdge[];
  leaves: readonly GraphNode[];
  /** A loop among its own nodes may run leaves again. */
  hasLoop: boolean;
  /** The nodes that go back, and those before them. While one of them runs, any leaf may run again. */
  beforeLoops: ReadonlySet<GraphNode>;
}

/** Compiles a checked definition (`check-definition`). Leaves out dangling edges and parents. */
export function compileGraph(source: FlowSource): FlowGraph {
  const nodes = source.nodes.map((node, index): GraphNode => ({
    index,
    id: node.id,
    kind: node.kind,
    label: node.label ?? node.id,
    config: node.config ?? {},
    incoming: [],
    outgoing: [],
    back: [],
    isLeaf: false,
    body: undefined,
  }));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const edges: GraphEdge[] = [];
  for (const [index, edge] of source.edges.entries()) {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    if (from && to) edges.push({ index, from, to, on: edge.on });
  }
  const backEdges = findBackEdges(nodes, edges);
  for (const edge of edges) {
    if (backEdges.has(edge)) edge.from.back.push(edge);
    else {
      edge.from.outgoing.push(edge);
      edge.to.incoming.push(edge);
    }
  }
  const bodies = groupByParent(source, nodes, byId);
  const top = bodies.get(undefined) ?? [];
  for (const node of nodes) {
    const body = bodies.get(node);
    if (body) node.body = part(body);
  }
  for (const node of top) node.isLeaf = node.outgoing.length === 0;
  const loops = top.filter((node) => node.kind === 'loop' || node.back.length > 0);
  return {
    nodes: top,
    roots: top.filter((node) => node.kind === 'start'),
    byId,
    edges,
    leaves: top.filter((node) => node.isLeaf),
    hasLoop: loops.length > 0,
    beforeLoops: walk(loops, (node) => node.incoming.map((edge) => edge.from)),
  };
}

const part = (nodes: readonly GraphNode[]): GraphPart => ({
  nodes,
  roots: nodes.filter((node) => node.incoming.length === 0),
});

function groupByParent(
  source: FlowSource,
  nodes: readonly GraphNode[],
  byId: ReadonlyMap<string, GraphNode>,
) {
  const groups = new Map<GraphNode | undefined, GraphNode[]>();
  for (const [index, node] of nodes.entries()) {
    const parentId = source.nodes[index]?.parentNode;
    const parent = parentId === undefined ? undefined : byId.get(parentId);
    const group = groups.get(parent);
    if (group) group.push(node);
    else groups.set(parent, [node]);
  }
  return groups;
}

/** Finds back edges: edges out of a loop node from whose end the loop node can be reached again. */
function findBackEdges(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Set<GraphEdge> {
  const fromLoops = edges.filter(({ from }) => from.kind === 'loop');
  if (fromLoops.length === 0) return new Set();
  const following = nodes.map((): number[] => []);
  for (const { from, to } of edges) following[from.index]!.push(to.index);
  const component = componentsOf(following);
  return new Set(fromLoops.filter(({ from, to }) => component[from.index] === component[to.index]));
}

/**
 * Returns a function that tells whether a node can run after another without going back. A node counts as running after
 * itself.
 */
export function runsAfter({
  byId,
}: Pick<FlowGraph, 'byId'>): (later: GraphNode, earlier: GraphNode) => boolean {
  const nodes = [...byId.values()];
  const placeOf = new Map(nodes.map((node, place) => [node, place]));
  const leads = leadsTo(nodes.map(({ outgoing }) => outgoing.map(({ to }) => placeOf.get(to)!)));
  return (later, earlier) => leads(placeOf.get(earlier)!, placeOf.get(later)!);
}

/** Returns the node and all nodes that can run after it without going back. */
export const reachable = (from: GraphNode): Set<GraphNode> =>
  walk([from], (node) => node.outgoing.map((edge) => edge.to));

/** Returns the nodes on any path from one node to another without going back. */
export function between(from: GraphNode, to: GraphNode): GraphNode[] {
  const before = walk([to], (node) => node.incoming.map((edge) => edge.from));
  return [...reachable(from)].filter((node) => before.has(node));
}

function walk(from: readonly GraphNode[], next: (node: GraphNode) => readonly GraphNode[]): Set<GraphNode> {
  const seen = new Set(from);
  for (const node of seen) for (const following of next(node)) seen.add(following);
  return seen;
}
