import type { GraphEdge, GraphNode, GraphPart } from './flow-graph.js';
import type { HumanQuestion } from './human-question.js';
import type { BodyResult, NodeKinds } from './node-kind.js';
import type { NodeOutput } from './run-scope.js';
import { textOf } from './template.js';

/** The result of a node that ended, for the nodes after it. */
export interface Finished extends NodeOutput {
  nodeId: string;
  /** The text of the node as a leaf. */
  answer: string;
  /** Rises with each node that ends. */
  order: number;
}

/** A node that waits for a human, with its question. */
export interface Waiting {
  node: GraphNode;
  question: HumanQuestion;
  text: string;
}

/** Progress of a part of a flow; a snapshot stores it. */
export interface PartProgress {
  edges: Map<GraphEdge, boolean>;
  finished: Map<GraphNode, Finished>;
  waiting: Waiting[];
  /** Rounds of each loop since its body was entered. */
  rounds: Map<GraphNode, number>;
  /** Rounds of all loops together. */
  loopCount: number;
}

export const noProgress = (): PartProgress => ({
  edges: new Map(),
  finished: new Map(),
  waiting: [],
  rounds: new Map(),
  loopCount: 0,
});

/** Returns the latest node that ended on a taken edge into this one. */
export function latestBefore(node: GraphNode, { edges, finished }: PartProgress): Finished | undefined {
  const before = node.incoming.flatMap((edge) => (edges.get(edge) ? (finished.get(edge.from) ?? []) : []));
  return latestOf(before);
}

export const lastOf = ({ finished }: PartProgress): Finished | undefined => latestOf(finished.values());

function latestOf(all: Iterable<Finished>): Finished | undefined {
  let latest: Finished | undefined;
  for (const finished of all) if (finished.order > (latest?.order ?? 0)) latest = finished;
  return latest;
}

/** Returns the text of a node as a leaf (contract section 3). */
export function leafTextOf(
  node: GraphNode,
  { output, text }: NodeOutput,
  progress: PartProgress,
  kinds: NodeKinds,
): string {
  const rule = kinds.get(node.kind)?.leafText;
  if (rule === 'previous' || (rule === 'own, else previous' && text === ''))
    return latestBefore(node, progress)?.answer ?? '';
  return rule === 'json' ? JSON.stringify(output) : text;
}

/** Returns the result of a body: that of its leaves in definition order, else of the node that ended last. */
export function resultOf(
  part: GraphPart,
  { finished }: PartProgress,
  last: Finished | undefined,
): BodyResult {
  const leaves = part.nodes.filter(({ outgoing }) => outgoing.length === 0);
  const ran = leaves.flatMap((leaf) => finished.get(leaf) ?? []);
  const parts = ran.length === 0 && last ? [last] : ran;
  const text = parts.map(({ answer }) => answer).join('\n');
  const [only] = parts;
  const isOutput = parts.length === 1 && only !== undefined && only.answer === textOf(only.output);
  return { text, value: isOutput ? only.output : text };
}
