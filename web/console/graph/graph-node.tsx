import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import type { FlowNode } from '../../../src/api/flows.js';
import { AlertIcon, CheckIcon, ClockIcon, RunningIcon, StopIcon } from '../parts/icons.js';
import { durationInWords } from '../parts/words.js';
import { useKind } from './kinds.js';
import type { NodeState } from './picture.js';

export type GraphNodeData = {
  node: FlowNode;
  /** Drawn around the nodes of its body. */
  holdsOthers: boolean;
  /** The picture shows a run, in which a node without a state was not reached. */
  isRun: boolean;
  state: NodeState | undefined;
  isSelected: boolean;
  onSelect: ((nodeId: string) => void) | undefined;
};

const signs: Readonly<Record<string, () => React.ReactNode>> = {
  running: RunningIcon,
  succeeded: CheckIcon,
  failed: AlertIcon,
  stopped: StopIcon,
  waiting: ClockIcon,
};

/** Returns the class of a node for its state in a run. */
export function lookOf(state: NodeState | undefined, isRun: boolean): string {
  const look = state ? state.status : isRun ? 'unreached' : 'plain';
  const known = Object.hasOwn(signs, look) || look === 'unreached' || look === 'plain';
  return `graph-node-${known ? look : 'other'}`;
}

/** A node: its kind's icon, its label and, in a run, its state as a sign, a colour and a word. */
export function FlowNodeView({ data }: NodeProps<Node<GraphNodeData>>) {
  const { node, state, isRun, holdsOthers, isSelected, onSelect } = data;
  const className = `graph-node ${lookOf(state, isRun)}${holdsOthers ? ' graph-body' : ''}`;
  const inner = <NodeInside node={node} state={state} isRun={isRun} />;
  if (!onSelect)
    return (
      <>
        <div className={className}>{inner}</div>
        <Ends />
      </>
    );
  return (
    <>
      <button
        type="button"
        className={`${className} nopan`}
        aria-pressed={isSelected}
        onClick={() => onSelect(node.id)}
      >
        {inner}
      </button>
      <Ends />
    </>
  );
}

/** The handles that React Flow requires. Their position does not matter, since edges have their own routes. */
const Ends = () => (
  <>
    <Handle type="target" position={Position.Left} isConnectable={false} />
    <Handle type="source" position={Position.Right} isConnectable={false} />
  </>
);

/** The inside of a node's card. */
export function NodeInside({
  node,
  state,
  isRun,
}: {
  node: Pick<FlowNode, 'id' | 'kind' | 'label'>;
  state: NodeState | undefined;
  isRun: boolean;
}) {
  const kind = useKind(node.kind);
  const Sign = state && Object.hasOwn(signs, state.status) ? signs[state.status] : undefined;
  const label = node.label === undefined || node.label === '' ? node.id : node.label;
  return (
    <span className="graph-card">
      <span className="graph-kind-icon">{kind.icon}</span>
      <span className="graph-words">
        <span className="graph-label" title={label}>
          {label}
        </span>
        <span className="graph-kind">{kind.name}</span>
      </span>
      {state && (
        <span className="graph-state">
          {Sign && <Sign />}
          <span className="hidden">{`, ${state.status}${typeof state.durationMs === 'number' ? ' in' : ''} `}</span>
          {typeof state.durationMs === 'number' && <span>{durationInWords(state.durationMs)}</span>}
        </span>
      )}
      {!state && isRun && <span className="hidden">, not reached</span>}
    </span>
  );
}
