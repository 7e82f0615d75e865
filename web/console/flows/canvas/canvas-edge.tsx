import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
  useInternalNode,
} from '@xyflow/react';
import { memo } from 'react';
import { Button } from '../../parts/actions/button.js';
import { CloseIcon } from '../../parts/icons.js';
import { useCanvasActions } from './canvas-actions.js';
import type { EdgeData } from './canvas-elements.js';

/** An edge; while it is selected, it has a button that removes it. */
export const CanvasEdgeView = memo(function CanvasEdgeView({
  data,
  selected,
  ...ends
}: EdgeProps<Edge<EdgeData, 'edge'>>) {
  const { removeEdge, isEditable } = useCanvasActions();
  const [path, x, y] = getBezierPath(ends);
  if (!data) return null;
  const { edge, fault, look, change } = data;
  return (
    <>
      <g
        className={`graph-edge graph-edge-${look}${fault === '' ? '' : ' canvas-edge-bad'}${change ? ` canvas-edge-${change.mark}` : ''}`}
      >
        <BaseEdge path={path} className="graph-line" interactionWidth={18} />
        <path className="graph-tip" d={`M${ends.targetX},${ends.targetY} l-8,-4.5 v9z`}>
          {fault !== '' && <title>{fault}</title>}
        </path>
      </g>
      {change && (
        <EdgeLabelRenderer>
          <span
            className={`canvas-edge-change canvas-${change.mark}`}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          >
            {change.words}
          </span>
        </EdgeLabelRenderer>
      )}
      {selected && isEditable && (
        <EdgeLabelRenderer>
          <span
            className="canvas-cut nodrag nopan"
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          >
            <Button
              small
              label={`Remove the edge from ${edge.from} to ${edge.to}`}
              icon={<CloseIcon />}
              onPress={() => removeEdge(edge.index)}
            />
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
});

/** The way from a loop back to the node that its `backTo` names, below both. */
export const BackEdgeView = memo(function BackEdgeView({ source, target }: EdgeProps) {
  const [from, to] = [useInternalNode(source), useInternalNode(target)];
  if (!from || !to) return null;
  const bottom = (node: typeof from) => ({
    x: node.internals.positionAbsolute.x + (node.measured.width ?? 0) / 2,
    y: node.internals.positionAbsolute.y + (node.measured.height ?? 0),
  });
  const [begin, end] = [bottom(from), bottom(to)];
  const low = Math.max(begin.y, end.y) + 48;
  return (
    <g className="graph-edge canvas-back">
      <path
        className="graph-line"
        d={`M${begin.x},${begin.y} C${begin.x},${low} ${end.x},${low} ${end.x},${end.y}`}
      />
      <path className="graph-tip" d={`M${end.x},${end.y} l-4.5,8 h9z`} />
    </g>
  );
});
