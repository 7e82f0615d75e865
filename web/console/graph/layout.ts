import dagre from '@dagrejs/dagre';
import type { FlowNode } from '../../../src/api/flows.js';
import type { Picture, PictureEdge } from './picture.js';
import { type Box, type Direction, docked, type Point, type Route, shifted } from './route.js';

export interface Layout {
  boxes: ReadonlyMap<string, Box>;
  /** Routes by edge id, in coordinates of the whole picture. */
  routes: ReadonlyMap<string, Route>;
}

const NODE = { width: 208, height: 56 };
const SPACES = { nodesep: 24, ranksep: 56, edgesep: 14 };
const LABEL = { width: 30, height: 18, labelpos: 'c' };
const BODY = { side: 16, head: 52, foot: 16 };

/** Places every node and routes every edge. The body of an iteration is placed inside it. */
export function layOut({ nodes, edges }: Picture, direction: Direction): Layout {
  const boxes = new Map<string, Box>();
  const routes = new Map<string, Route>();
  const parentOf = new Map(nodes.map((node) => [node.id, node.parentNode]));
  const bodies = grouped(nodes, ({ parentNode }) => parentNode);
  const paths = grouped(edges, ({ from }) => parentOf.get(from));

  const place = (parent: string | undefined): { width: number; height: number } => {
    const children = bodies.get(parent) ?? [];
    const sizes = new Map(children.map((node) => [node.id, sizeOf(node)]));
    const inside = parent === undefined ? { x: 0, y: 0 } : { x: BODY.side, y: BODY.head };
    return arrange(sizes, paths.get(parent) ?? [], direction, inside, { boxes, routes });
  };
  const sizeOf = (node: FlowNode): { width: number; height: number } => {
    if (!bodies.has(node.id)) return NODE;
    const body = place(node.id);
    return {
      width: Math.max(NODE.width, body.width + 2 * BODY.side),
      height: body.height + BODY.head + BODY.foot,
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
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

interface Found {
  boxes: Map<string, Box>;
  routes: Map<string, Route>;
}

function arrange(
  sizes: ReadonlyMap<string, { width: number; height: number }>,
  edges: readonly PictureEdge[],
  direction: Direction,
  origin: Point,
  { boxes, routes }: Found,
): { width: number; height: number } {
  // Generated names, since the library uses plain objects, in which `__proto__` is not a normal key.
  const name = new Map([...sizes.keys()].map((id, index) => [id, `n${index}`]));
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ ...SPACES, rankdir: direction === 'right' ? 'LR' : 'TB' });
  for (const [id, size] of sizes) graph.setNode(name.get(id)!, { ...size });
  for (const { id, from, to, on } of edges)
    graph.setEdge(name.get(from)!, name.get(to)!, on === undefined ? {} : { ...LABEL }, id);
  dagre.layout(graph);
  for (const [id, { width, height }] of sizes) {
    const { x = 0, y = 0 } = graph.node(name.get(id)!) as Partial<Point>;
    boxes.set(id, { x: x - width / 2 + origin.x, y: y - height / 2 + origin.y, width, height });
  }
  for (const { id, from, to, on } of edges) {
    const found = graph.edge(name.get(from)!, name.get(to)!, id) as Partial<Point> & { points?: Point[] };
    const { x = 0, y = 0, points = [] } = found;
    const route = shifted({ points, ...(on !== undefined && { label: { x, y } }) }, origin);
    routes.set(id, {
      ...route,
      points: docked(route.points, boxes.get(from)!, boxes.get(to)!, direction),
    });
  }
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { width, height };
}
