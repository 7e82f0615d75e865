import type { Box } from '../../graph/route.js';
import type { Point } from '../operations/definition.js';
import type { CanvasModel } from './canvas-model.js';

/** Returns where a node's body begins on the canvas: the sum of the places of the nodes around it. */
export function originOf(
  parent: string | undefined,
  { nodes }: CanvasModel,
  boxes: ReadonlyMap<string, Box>,
): Point {
  const parentOf = new Map(nodes.map(({ id, parentNode }) => [id, parentNode]));
  const origin = { x: 0, y: 0 };
  for (let at = parent; at !== undefined; at = parentOf.get(at)) {
    const box = boxes.get(at);
    if (!box) break;
    origin.x += box.x;
    origin.y += box.y;
  }
  return origin;
}

/** Returns the iteration around a point of the canvas; the innermost of several. */
export function frameAt(
  point: Point,
  model: CanvasModel,
  boxes: ReadonlyMap<string, Box>,
): string | undefined {
  return model.nodes.findLast(({ id, kind, parentNode }) => {
    if (kind !== 'iteration') return false;
    const { x, y } = originOf(parentNode, model, boxes);
    const box = boxes.get(id)!;
    const [left, top] = [x + box.x, y + box.y];
    return point.x >= left && point.x <= left + box.width && point.y >= top && point.y <= top + box.height;
  })?.id;
}

export const SIDES = {
  left: 'Align left',
  middle: 'Align in a column',
  top: 'Align top',
  row: 'Align in a row',
} as const;
export type Side = keyof typeof SIDES;

/** Returns the places of nodes on one line, relative to their parents as before. */
export function aligned(
  ids: readonly string[],
  side: Side,
  model: CanvasModel,
  boxes: ReadonlyMap<string, Box>,
): ReadonlyMap<string, Point> {
  const nodes = model.nodes.filter(({ id }) => ids.includes(id));
  const all = nodes.map(({ id, parentNode }) => {
    const origin = originOf(parentNode, model, boxes);
    const { x, y, width, height } = boxes.get(id)!;
    return { id, origin, width, height, x: x + origin.x, y: y + origin.y };
  });
  const first = all[0];
  if (!first) return new Map();
  const left = Math.min(...all.map(({ x }) => x));
  const top = Math.min(...all.map(({ y }) => y));
  const middle = first.x + first.width / 2;
  const row = first.y + first.height / 2;
  return new Map(
    all.map(({ id, origin, width, height, ...at }) => {
      const x = side === 'left' ? left : side === 'middle' ? middle - width / 2 : at.x;
      const y = side === 'top' ? top : side === 'row' ? row - height / 2 : at.y;
      return [id, { x: x - origin.x, y: y - origin.y }];
    }),
  );
}
