import dagre, { type LayoutOptions } from '@dagrejs/dagre';
import type { FlowNode } from '../../../src/api/flows.js';
import { type Arrangement, inColumns, layersOf } from './columns.js';
import type { Picture, PictureEdge } from './picture.js';
import { type Box, type Direction, docked, type Point, type Route, shifted, type Size } from './route.js';

export interface Layout {
  boxes: ReadonlyMap<string, Box>;
  /** Routes by edge id, in coordinates of the whole picture. */
  routes: ReadonlyMap<string, Route>;
}

export const NODE = { width: 208, height: 56 };
const SPACES = { nodesep: 24, ranksep: 56, edgesep: 14 };
const LABEL = { width: 30, height: 18, labelpos: 'c' };
export const BODY = { side: 16, head: 52, foot: 16 };

/** Places every node and routes every edge. The body of an iteration is placed inside it. */
export function layOut(
  { nodes, edges }: Picture,
  direction: Direction,
  leastSizeOf: (id: string) => Size = () => NODE,
): Layout {
  const boxes = new Map<string, Box>();
  const routes = new Map<string, Route>();
  const parentOf = new Map(nodes.map((node) => [node.id, node.parentNode]));
  const bodies = grouped(nodes, ({ parentNode }) => parentNode);
  const paths = grouped(edges, ({ from }) => parentOf.get(from));

  const place = (parent: string | undefined): Size => {
    const children = bodies.get(parent) ?? [];
    const sizes = new Map(children.map((node) => [node.id, sizeOf(node)]));
    const inside = parent === undefined ? { x: 0, y: 0 } : { x: BODY.side, y: BODY.head };
    return arrange(sizes, paths.get(parent) ?? [], direction, inside, { boxes, routes });
  };
  const sizeOf = (node: FlowNode): Size => {
    const own = leastSizeOf(node.id);
    if (!bodies.has(node.id)) return own;
    const body = place(node.id);
    return {
      width: Math.max(own.width, body.width + 2 * BODY.side),
      height: Math.max(own.height, body.height + BODY.head + BODY.foot),
    };
  };
  place(undefined);
  const origin = (parent: string | undefined): Point => {
    if (parent === undefined) return { x: 0, y: 0 };
    const [outer, box] = [origin(parentOf.get(parent)), boxes.get(parent)!];
    return { x: outer.x + box.x, y: outer.y + box.y };
  };
  for (const { id, from } of edges) routes.set(id, shifted(routes.get(id)!, origin(parentOf.get(from))));
  return { boxes, routes };
}

function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** Sorts by the number of the branch, "else" last. Edges without a number stay in their order, first. */
function inOrderOfBranches(edges: readonly PictureEdge[]): readonly PictureEdge[] {
  const rank = ({ on }: PictureEdge) => (on === 'else' ? Infinity : Number(on) || 0);
  return edges.toSorted((one, other) => {
    const [left, right] = [rank(one), rank(other)];
    return left === right ? 0 : left - right;
  });
}

/** Keeps the order of the edges within each layer, unless the heuristic of dagre, which does not know it, finds fewer crossings. */
function orderAsWritten(graph: LayeredGraph, order: (layered: never, options: LayoutOptions) => void): void {
  order(graph as never, {});
  const found = new Map(graph.nodes().map((name) => [name, graph.node(name).order ?? 0]));
  const fewest = crossingsIn(graph);
  order(graph as never, { disableOptimalOrderHeuristic: true });
  if (crossingsIn(graph) <= fewest) return;
  for (const [name, place] of found) graph.node(name).order = place;
}

/** Counts the crossings between neighbouring layers. */
function crossingsIn(graph: LayeredGraph): number {
  const edges = graph
    .edges()
    .map(({ v, w }) => {
      const { rank = 0, order = 0 } = graph.node(v);
      return { rank, order, to: graph.node(w).order ?? 0 };
    })
    .toSorted((one, other) => one.rank - other.rank || one.order - other.order || one.to - other.to);
  let crossings = 0;
  const layers = grouped(edges, ({ rank }) => rank);
  for (const layer of layers.values()) {
    const ends: number[] = [];
    for (const { to } of layer) {
      const place = ends.findLastIndex((end) => end <= to) + 1;
      crossings += ends.length - place;
      ends.splice(place, 0, to);
    }
  }
  return crossings;
}

/** The graph that dagre orders, whose edges lead from one layer to the next. */
interface LayeredGraph {
  nodes: () => string[];
  /** Returns the number of a node's layer, and its place in it. */
  node: (name: string) => { rank?: number; order?: number };
  edges: () => { v: string; w: string }[];
}

/** The most nodes, and layers crossed by edges, that dagre arranges in about a second on a slow computer. */
const MOST_OF_DAGRE = 600;

function arrange(
  sizes: ReadonlyMap<string, Size>,
  edges: readonly PictureEdge[],
  direction: Direction,
  origin: Point,
  found: { boxes: Map<string, Box>; routes: Map<string, Route> },
): Size {
  const sorted = inOrderOfBranches(edges);
  const layers = layersOf(sizes.keys(), sorted);
  const crossed = sorted.map(({ from, to }) => Math.abs(layers.get(to)! - layers.get(from)!));
  const effort = crossed.reduce((sum, one) => sum + one, sizes.size);
  const { boxes, routes, size } =
    effort > MOST_OF_DAGRE
      ? inColumns(sizes, sorted, layers, direction, SPACES)
      : withDagre(sizes, sorted, direction);
  for (const [id, box] of boxes) found.boxes.set(id, { ...box, x: box.x + origin.x, y: box.y + origin.y });
  for (const [id, route] of routes) found.routes.set(id, shifted(route, origin));
  return size;
}

function withDagre(
  sizes: ReadonlyMap<string, Size>,
  edges: readonly PictureEdge[],
  direction: Direction,
): Arrangement {
  // Generated names, since the library uses plain objects, in which `__proto__` is not a normal key.
  const name = new Map([...sizes.keys()].map((id, index) => [id, `n${index}`]));
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ ...SPACES, rankdir: direction === 'right' ? 'LR' : 'TB' });
  for (const [id, size] of sizes) graph.setNode(name.get(id)!, { ...size });
  for (const { id, from, to, on } of edges)
    graph.setEdge(name.get(from)!, name.get(to)!, on === undefined ? {} : { ...LABEL }, id);
  dagre.layout(graph, { customOrder: orderAsWritten });
  const boxes = new Map(
    [...sizes].map(([id, { width, height }]) => {
      const { x = 0, y = 0 } = graph.node(name.get(id)!) as Partial<Point>;
      return [id, { x: x - width / 2, y: y - height / 2, width, height }];
    }),
  );
  const routes = new Map(
    edges.map(({ id, from, to, on }) => {
      const edge = graph.edge(name.get(from)!, name.get(to)!, id) as Partial<Point> & { points?: Point[] };
      const { x = 0, y = 0, points = [] } = edge;
      return [
        id,
        {
          points: docked(points, boxes.get(from)!, boxes.get(to)!, direction),
          ...(on !== undefined && { label: { x, y } }),
        },
      ];
    }),
  );
  const { width = 0, height = 0 } = graph.graph() as Partial<Size>;
  return { boxes, routes, size: { width, height } };
}
