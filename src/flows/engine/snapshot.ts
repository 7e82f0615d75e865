import type { FlowRun } from './flow-run.js';
import type { FlowGraph } from './flow-graph.js';
import type { Json } from './json.js';
import { type Finished, noProgress, type Progress } from './part-run.js';

/** A run that waits for a human, as plain JSON: lists instead of objects, so that any node id and state name is safe. */
interface Snapshot {
  version: 1;
  edges: [index: number, from: string, to: string, taken: boolean][];
  finished: [nodeId: string, finished: Finished][];
  waiting: [nodeId: string, action: Json, text: string][];
  state: [name: string, value: Json][];
  attempts: [nodeId: string, attempts: number][];
  loopCount: number;
}

/** What a later call needs to go on from here. */
export function takeSnapshot(flow: FlowRun, progress: Progress): Json {
  const snapshot: Snapshot = {
    version: 1,
    edges: [...progress.edges].map(([edge, taken]) => [edge.index, edge.from.id, edge.to.id, taken]),
    finished: [...progress.finished].map(([node, finished]) => [node.id, finished]),
    waiting: progress.waiting.map(({ node, action, text }) => [node.id, action, text]),
    state: Object.entries(flow.state),
    attempts: [...flow.attempts],
    loopCount: flow.scope.loopCount,
  };
  return snapshot as unknown as Json;
}

/** The nodes of a snapshot that wait for an answer: `humanInput.startNodeId` must be one of them. */
export const waitingNodes = (snapshot: Json): string[] =>
  readSnapshot(snapshot).waiting.map(([nodeId]) => nodeId);

/**
 * Puts a run back where the snapshot was taken: state, attempts, decided edges, outputs. Throws with a sentence when the
 * flow was changed so much since that it no longer fits.
 */
export function restore(flow: FlowRun, taken: Json): Progress {
  const snapshot = readSnapshot(taken);
  const progress = noProgress();
  const nodeOf = (id: string) => {
    const node = flow.graph.byId.get(id);
    if (!node) throw changed();
    return node;
  };
  for (const [index, from, to, wasTaken] of snapshot.edges) {
    const edge = edgeOf(flow.graph, index, from, to);
    if (!edge) throw changed();
    progress.edges.set(edge, wasTaken);
  }
  for (const [id, finished] of snapshot.finished) progress.finished.set(nodeOf(id), finished);
  progress.waiting = snapshot.waiting.map(([id, action, text]) => ({ node: nodeOf(id), action, text }));
  for (const name of Object.keys(flow.state)) delete flow.state[name];
  for (const [name, value] of snapshot.state) flow.state[name] = value;
  for (const [id, attempts] of snapshot.attempts) flow.attempts.set(id, attempts);
  flow.scope.loopCount = snapshot.loopCount;
  return progress;
}

const edgeOf = (graph: FlowGraph, index: number, from: string, to: string) => {
  const fits = (edge: (typeof graph.edges)[number]) => edge.from.id === from && edge.to.id === to;
  const edge = graph.edges[index];
  return edge && fits(edge) ? edge : graph.edges.find(fits);
};

function readSnapshot(snapshot: Json): Snapshot {
  const read = snapshot as unknown as Snapshot | null;
  if (typeof read !== 'object' || read?.version !== 1 || !Array.isArray(read.waiting)) throw changed();
  return read;
}

const changed = () => new Error('The flow was changed while it waited for an answer. Start again.');
