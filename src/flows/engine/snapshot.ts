import type { FlowGraph, GraphNode } from './flow-graph.js';
import type { FlowRun } from './flow-run.js';
import type { HumanQuestion } from './human-question.js';
import type { Json } from './json.js';
import { type Finished, noProgress, type PartProgress } from './progress.js';

/** The node that asked, at the time of the snapshot. */
interface Asker {
  label: string;
  kind: string;
}

/** A run that waits for a human, as plain JSON. Lists instead of objects make any node id and state name safe. */
interface Snapshot {
  version: 1;
  edges: [index: number, from: string, to: string, taken: boolean][];
  finished: [nodeId: string, finished: Finished][];
  /** The first question was asked; the others follow after its answer. */
  waiting: [nodeId: string, question: HumanQuestion, text: string, asked: Asker][];
  state: [name: string, value: Json][];
  attempts: [nodeId: string, attempts: number][];
  loopCount: number;
  /** Rounds of each loop. */
  rounds: [nodeId: string, rounds: number][];
  /** Secrets that outputs of ended nodes may hold, if any. */
  secrets?: string[];
}

/** Returns the data that a later call needs to resume the run. */
export function takeSnapshot(flow: FlowRun, progress: PartProgress): Json {
  const snapshot: Snapshot = {
    version: 1,
    edges: [...progress.edges].map(([edge, taken]) => [edge.index, edge.from.id, edge.to.id, taken]),
    finished: [...progress.finished].map(([node, finished]) => [node.id, finished]),
    waiting: progress.waiting.map(({ node, question, text }) => [
      ...([node.id, question, text] as const),
      { label: node.label, kind: node.kind },
    ]),
    state: Object.entries(flow.state),
    attempts: [...flow.attempts],
    loopCount: progress.loopCount,
    rounds: [...progress.rounds].map(([node, rounds]) => [node.id, rounds]),
    ...(flow.secrets.isEmpty ? {} : { secrets: [...flow.secrets.secrets] }),
  };
  return snapshot as unknown as Json;
}

/**
 * Restores the state, secrets, attempts, decided edges and outputs of a snapshot. Throws `FlowChanged` when the flow has
 * changed so much that the snapshot does not fit.
 */
export function restore(flow: FlowRun, taken: Json): PartProgress {
  const snapshot = readSnapshot(taken);
  flow.secrets.add(snapshot.secrets ?? []);
  const progress = noProgress();
  const changed = (why: string) => new FlowChanged(askerOf(snapshot), why);
  const nodeOf = (id: string) => {
    const node = flow.graph.byId.get(id);
    if (!node) throw changed(`it has no node "${id}" any more`);
    return node;
  };
  for (const [index, from, to, wasTaken] of snapshot.edges) {
    const edge = edgeOf(flow.graph, index, from, to);
    if (!edge) throw changed(`it has no edge from "${from}" to "${to}" any more`);
    progress.edges.set(edge, wasTaken);
  }
  for (const [id, finished] of snapshot.finished) progress.finished.set(nodeOf(id), finished);
  progress.waiting = snapshot.waiting.map(([id, question, text, asker]) => {
    const node = nodeOf(id);
    if (asker.kind !== node.kind)
      throw changed(`"${id}" is a node of the kind "${node.kind}" now, and was "${asker.kind}"`);
    return { node, question, text };
  });
  for (const name of Object.keys(flow.state)) delete flow.state[name];
  for (const [name, value] of snapshot.state) flow.state[name] = value;
  for (const [id, attempts] of snapshot.attempts) flow.attempts.set(id, attempts);
  progress.loopCount = snapshot.loopCount;
  for (const [id, rounds] of snapshot.rounds) progress.rounds.set(nodeOf(id), rounds);
  return progress;
}

const edgeOf = (graph: FlowGraph, index: number, from: string, to: string) => {
  const fits = (edge: (typeof graph.edges)[number]) => edge.from.id === from && edge.to.id === to;
  const edge = graph.edges[index];
  return edge && fits(edge) ? edge : graph.edges.find(fits);
};

function readSnapshot(snapshot: Json): Snapshot {
  const read = snapshot as unknown as Snapshot | null;
  if (typeof read !== 'object' || read?.version !== 1 || !Array.isArray(read.waiting))
    throw new Error(
      'The stored state of this run is not readable by this version. Send the question again to start another run.',
    );
  return read;
}

function askerOf({ waiting: [first] }: Snapshot): Pick<GraphNode, 'id' | 'label'> {
  if (!first) return { id: '', label: '' };
  const [id, , , asker] = first;
  return { id, label: asker.label };
}

/** A run cannot resume, because the flow no longer has the part where it waited. The node that asked fails. */
export class FlowChanged extends Error {
  constructor(
    readonly node: Pick<GraphNode, 'id' | 'label'>,
    why: string,
  ) {
    super(
      `The flow was changed while "${node.label}" waited for an answer: ${why}. Send the question again to start another run.`,
    );
  }
}
