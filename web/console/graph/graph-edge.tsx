import { type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react';
import { type Direction, pathThrough, type Point, type Route } from './route.js';

export type GraphEdgeData = {
  route: Route;
  direction: Direction;
  /** `plain` without a run, else whether the run took this edge. */
  look: 'plain' | 'taken' | 'idle';
  label?: string;
  /** Leads from a loop back. */
  isBack: boolean;
};

/** An edge along its route, with the name of its branch, if any. */
export function RoutedEdge({ data }: EdgeProps<Edge<GraphEdgeData>>) {
  if (!data) return null;
  const { route, direction, look, label, isBack } = data;
  const end = route.points.at(-1);
  return (
    <>
      <g className={`graph-edge graph-edge-${look}${isBack ? ' graph-edge-back' : ''}`}>
        <path className="graph-line" d={pathThrough(route.points, direction)} />
        {end && <path className="graph-tip" d={tip(end, route.points.at(-2), direction)} />}
      </g>
      {label !== undefined && route.label !== undefined && (
        <EdgeLabelRenderer>
          <span
            className={`graph-branch graph-branch-${look}`}
            style={{ transform: `translate(-50%, -50%) translate(${route.label.x}px, ${route.label.y}px)` }}
          >
            {label}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

/** Returns the arrowhead; edges arrive along the direction of the picture or against it. */
function tip({ x, y }: Point, before: Point | undefined, direction: Direction): string {
  const [long, wide] = [8, 4.5];
  if (direction === 'right') {
    const back = before !== undefined && before.x > x ? long : -long;
    return `M${x},${y} l${back},${-wide} v${2 * wide}z`;
  }
  const back = before !== undefined && before.y > y ? long : -long;
  return `M${x},${y} l${-wide},${back} h${2 * wide}z`;
}
