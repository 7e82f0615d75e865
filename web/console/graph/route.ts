export interface Point {
  x: number;
  y: number;
}

/** A node's box; its upper left corner is relative to its parent. */
export interface Box extends Point {
  width: number;
  height: number;
}

export type Size = Pick<Box, 'width' | 'height'>;

/** The direction of the picture: right on wide pages, down on narrow ones. */
export type Direction = 'right' | 'down';

/** The route of an edge, with the position of its label. */
export interface Route {
  points: readonly Point[];
  label?: Point;
}

export function shifted({ points, label }: Route, by: Point): Route {
  const move = ({ x, y }: Point): Point => ({ x: x + by.x, y: y + by.y });
  return { points: points.map(move), ...(label && { label: move(label) }) };
}

/** Moves the ends of an edge to the middle of a side. Edges that lead back keep their points. */
export function docked(points: readonly Point[], from: Box, to: Box, direction: Direction): readonly Point[] {
  const forward = direction === 'right' ? from.x + from.width <= to.x : from.y + from.height <= to.y;
  if (!forward || points.length < 2) return points;
  const [start, end] =
    direction === 'right'
      ? [
          { x: from.x + from.width, y: from.y + from.height / 2 },
          { x: to.x, y: to.y + to.height / 2 },
        ]
      : [
          { x: from.x + from.width / 2, y: from.y + from.height },
          { x: to.x + to.width / 2, y: to.y },
        ];
  return [start, ...points.slice(1, -1), end];
}

/** Returns an SVG path through the points that leaves each along `direction`. */
export function pathThrough(points: readonly Point[], direction: Direction): string {
  const [first, ...rest] = points;
  if (!first) return '';
  let at = first;
  const pieces = rest.map((next) => {
    const [from, to] =
      direction === 'right'
        ? [
            { x: at.x + (next.x - at.x) / 2, y: at.y },
            { x: at.x + (next.x - at.x) / 2, y: next.y },
          ]
        : [
            { x: at.x, y: at.y + (next.y - at.y) / 2 },
            { x: next.x, y: at.y + (next.y - at.y) / 2 },
          ];
    at = next;
    return `C${from.x},${from.y} ${to.x},${to.y} ${next.x},${next.y}`;
  });
  return `M${first.x},${first.y} ${pieces.join(' ')}`;
}
