import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import { lookOf, NodeInside } from '../../graph/graph-node.js';
import { AlertIcon } from '../../parts/icons.js';
import type { NodeData } from './canvas-elements.js';
import { ChangeSign } from './change-sign.js';
import { handleTop } from './placing.js';

/** A node with a handle on the left, and one on the right for each branch. */
export const CanvasNodeView = memo(function CanvasNodeView({
  data: { node, holdsOthers, fault, warning, isRun, state, change },
  selected,
  isConnectable,
}: NodeProps<Node<NodeData, 'node'>>) {
  const marks = `${fault === '' ? '' : ' canvas-bad'}${warning === '' ? '' : ' canvas-odd'}`;
  const look = change ? ` canvas-${change}` : '';
  const className = `graph-node ${lookOf(state, isRun)}${holdsOthers ? ' graph-body' : ''}${marks}${look}`;
  const isStart = node.kind === 'start';
  return (
    <>
      <div className={`${className}${selected ? ' canvas-selected' : ''}`}>
        <NodeInside node={node} state={state} isRun={isRun} />
        {change && (
          <span className="canvas-change">
            <ChangeSign mark={change} />
          </span>
        )}
        {node.branches.length > 0 && (
          <ul className="canvas-branches" aria-label="Branches">
            {node.branches.map((branch) => (
              <li key={branch}>{branch}</li>
            ))}
          </ul>
        )}
        {(fault !== '' || warning !== '') && (
          <span className="canvas-mark" title={fault === '' ? warning : fault}>
            <AlertIcon />
          </span>
        )}
      </div>
      <Handle
        type="target"
        position={Position.Left}
        isConnectable={isConnectable && !isStart}
        className={isStart ? 'canvas-no-handle' : ''}
        style={{ top: handleTop() }}
      />
      {node.branches.length === 0 ? (
        <Handle
          type="source"
          position={Position.Right}
          isConnectable={isConnectable}
          style={{ top: handleTop() }}
        />
      ) : (
        node.branches.map((branch, index) => (
          <Handle
            key={branch}
            id={branch}
            type="source"
            position={Position.Right}
            isConnectable={isConnectable}
            title={`Branch ${branch}`}
            style={{ top: handleTop(index) }}
          />
        ))
      )}
    </>
  );
});
