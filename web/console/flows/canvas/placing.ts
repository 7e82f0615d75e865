import { BODY, layOut, NODE } from '../../graph/layout.js';
import type { Box, Size } from '../../graph/route.js';
import type { Point } from '../operations/definition.js';
import type { CanvasEdge, CanvasModel, CanvasNode } from './canvas-model.js';

const BRANCH = 22;

/** The least width of a start and of other nodes, and that of an icon and a letter. Narrow nodes fit the places of an import. */
const WIDTH = { start: 116, least: 156, icon: 64, letter: 7.6 };

/** The size of a node without a body: a row for each branch below the card. */
export const sizeOf = ({ branches, label, kind }: CanvasNode): Size => ({
  width: Math.min(
    NODE.width,
    Math.max(
      kind === 'start' ? WIDTH.start : WIDTH.least,
      Math.ceil(WIDTH.icon + WIDTH.letter * Math.max(label.length, kind.length)),
    ),
  ),
  height: NODE.height + (branches.length === 0 ? 0 : branches.length * BRANCH + 6),
});

/** The distance of a handle's middle from the top of its node: that of the node, or of a branch. */
export const handleTop = (branch?: number): number =>
  branch === undefined ? NODE.height / 2 : NODE.height + (branch + 0.5) * BRANCH;

const GAP = { x: 64, y: 24 };

/**
 * Returns the box of each node, relative to its parent. Nodes keep the position of the definition. In a body where none
 * has one, the layout places all; else it places a node behind the one that leads to it.
 */
export function placed(model: CanvasModel): ReadonlyMap<string, Box> {
  const bodies = new Map<string | undefined, CanvasNode[]>();
  for (const node of model.nodes) {
    const body = bodies.get(node.parentNode);
    if (body) body.push(node);
    else bodies.set(node.parentNode, [node]);
  }
  const isPlaced = model.nodes.every(({ position }) => position);
  const automatic = isPlaced ? undefined : arranged(model);
  const boxes = new Map<string, Box>();
  const placeBody = (parent: string | undefined): void => {
    const body = bodies.get(parent) ?? [];
    for (const { id } of body) placeBody(id);
    const sizes = new Map(body.map((node) => [node.id, outerSize(node, bodies.get(node.id) ?? [], boxes)]));
    const known = body.filter(({ position }) => position);
    for (const { id, position } of known) boxes.set(id, { ...position!, ...sizes.get(id)! });
    const free = body.filter(({ position }) => !position);
    for (const { id } of free) {
      const at = known.length === 0 ? automatic!.get(id)! : besides(id, model, body, boxes, sizes.get(id)!);
      boxes.set(id, { x: at.x, y: at.y, ...sizes.get(id)! });
    }
  };
  placeBody(undefined);
  return boxes;
}

let last: { key: string; places: ReadonlyMap<string, Point> } | undefined;

/** Returns the positions of the automatic layout, from left to right; again those of before for the same graph. */
export function arranged(model: CanvasModel): ReadonlyMap<string, Point> {
  const sizes = model.nodes.map((node) => [node.id, node.parentNode, sizeOf(node)]);
  const key = JSON.stringify([sizes, model.edges.map(({ from, to, on }) => [from, to, on])]);
  if (last?.key !== key) last = { key, places: laidOut(model) };
  return last.places;
}

function laidOut({ nodes, edges }: CanvasModel): ReadonlyMap<string, Point> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const picture = {
    nodes: nodes.map(({ id, kind, parentNode }) => ({
      id,
      kind,
      ...(parentNode === undefined ? {} : { parentNode }),
    })),
    // Without the names of their branches, for which no place is needed: they stand in the node.
    edges: edges
      .filter(({ from, to }) => from !== to && byId.get(from)!.parentNode === byId.get(to)!.parentNode)
      .toSorted((one, other) => branchOf(one, byId) - branchOf(other, byId))
      .map(({ from, to, index }) => ({ id: String(index), from, to })),
  };
  const { boxes } = layOut(picture, 'right', (id) => sizeOf(byId.get(id)!));
  return new Map([...boxes].map(([id, { x, y }]) => [id, { x: Math.round(x), y: Math.round(y) }]));
}

const branchOf = ({ from, on = '' }: CanvasEdge, byId: ReadonlyMap<string, CanvasNode>): number =>
  byId.get(from)!.branches.indexOf(on);

function outerSize(node: CanvasNode, body: readonly CanvasNode[], boxes: ReadonlyMap<string, Box>): Size {
  const own = sizeOf(node);
  if (body.length === 0) return node.kind === 'iteration' ? { width: own.width, height: 140 } : own;
  const inner = body.map(({ id }) => boxes.get(id)!);
  return {
    width: Math.max(own.width, ...inner.map(({ x, width }) => x + width + BODY.side)),
    height: Math.max(own.height, ...inner.map(({ y, height }) => y + height + BODY.foot)),
  };
}

/** Returns a free place behind the node that leads to this one, or below all others. */
function besides(
  id: string,
  { edges }: CanvasModel,
  body: readonly CanvasNode[],
  boxes: ReadonlyMap<string, Box>,
  size: Size,
): Point {
  const others = body.flatMap((node) => boxes.get(node.id) ?? []);
  const before = edges.find(({ from, to }) => to === id && boxes.has(from));
  const box = before && boxes.get(before.from)!;
  const start = box
    ? { x: box.x + box.width + GAP.x, y: box.y }
    : {
        x: Math.min(...others.map(({ x }) => x)),
        y: Math.max(...others.map(({ y, height }) => y + height)) + GAP.y,
      };
  return freePlace(start, size, others);
}

/** Moves a place down until it overlaps nothing. */
export function freePlace(start: Point, { width, height }: Size, others: readonly Box[]): Point {
  let { y } = start;
  for (;;) {
    const hit = others.find(
      (box) =>
        box.x < start.x + width &&
        start.x < box.x + box.width &&
        box.y < y + height &&
        y < box.y + box.height,
    );
    if (!hit) return { x: Math.round(start.x), y: Math.round(y) };
    y = hit.y + hit.height + GAP.y;
  }
}
