import type { Observable } from 'rxjs';
import type { FlowGraph } from '../../flows/engine/flow-graph.js';
import type { NodeRun, RunEvent } from '../../flows/engine/run-event.js';
import { nodeStatus, type WireEvent } from '../stream/wire-events.js';

/** A node that ran or runs, as clients draw it; nothing that it took or gave. */
interface ExecutedNode {
  nodeId: string;
  nodeLabel: string;
  status: string;
  previousNodeIds: string[];
}

/** How soon a list follows another while nodes begin and end. */
const EVERY_MS = 100;

const goodEndings: ReadonlySet<RunEvent['type']> = new Set(['finished', 'waiting']);
const badEndings: ReadonlySet<RunEvent['type']> = new Set(['failed', 'aborted']);

/**
 * Tells while a run goes on which nodes have run and which run now (contract section 7): the widget offers Stop by it.
 * Once with the first node, then ten times a second at most, and when the run ends unless `toldAtEnd`: where it ends
 * well the whole trace follows. Each node once, with its latest run: the list is never longer than the flow.
 */
export function tellExecuted(
  events: Observable<RunEvent>,
  graph: FlowGraph,
  tell: (event: WireEvent) => void,
  toldAtEnd: boolean,
): void {
  const nodes = new Map<string, ExecutedNode>();
  let timer: NodeJS.Timeout | undefined;
  let changed = false;
  const tellNow = () => {
    clearTimeout(timer);
    timer = undefined;
    if (changed) tell({ event: 'agentFlowExecutedData', data: [...nodes.values()] });
    changed = false;
  };
  events.subscribe((event) => {
    if ('run' in event && event.run.flowId !== undefined) return;
    if (event.type === 'node-started' || event.type === 'node-ended') {
      const isFirst = nodes.size === 0;
      nodes.set(event.run.nodeId, executed(event.run, graph));
      changed = true;
      if (isFirst) tellNow();
      else timer ??= setTimeout(tellNow, EVERY_MS);
    } else if (badEndings.has(event.type) || (goodEndings.has(event.type) && !toldAtEnd)) tellNow();
    else if (goodEndings.has(event.type)) clearTimeout(timer);
  });
}

const executed = ({ nodeId, label, status }: NodeRun, graph: FlowGraph): ExecutedNode => ({
  nodeId,
  nodeLabel: label,
  status: nodeStatus[status],
  previousNodeIds: previousNodes(graph, nodeId),
});

/** The nodes whose edges lead to this one. */
export const previousNodes = (graph: FlowGraph, nodeId: string): string[] =>
  graph.byId.get(nodeId)?.incoming.map(({ from }) => from.id) ?? [];
