import type { AnsweredQuestion } from './human-question.js';
import type { Json } from './json.js';
import type { BodyResult } from './node-kind.js';
import { type NodeOutput, nodeValue, type RunScope } from './run-scope.js';
import type { Lookup } from './template.js';

/** The context of a node's run in the flow. */
export interface NodeSurroundings {
  /** The output of the node before it on the taken path. */
  input: Json | undefined;
  /** `runId` of the loop or iteration that this run belongs to. */
  parentRun: string | undefined;
  isLeaf: boolean;
  /** The answer to the question that this node stopped with. */
  answer: AnsweredQuestion | undefined;
  /** The node with its visit, from the outermost flow inwards; the same in each attempt of the run. */
  path: string;
  /** Returns the latest output of another node that this node can see. */
  outputOf(nodeId: string): NodeOutput | undefined;
  /** The item of the iteration that this node is in. */
  iteration: { item: Json } | undefined;
  runBody(item: Json, index: number, parentRun: string): Promise<BodyResult>;
  /** The round of the body that this node closes. */
  round: number;
  /** Rounds of loops in this part. */
  loopCount: number;
}

/** Names in templates that have no members. */
export const RUN_WORDS: ReadonlySet<string> = new Set(
  'question chat_history runtime_messages_length current_date_time file_attachment loop_count'.split(' '),
);

/** Resolves a reference for the node at this place. */
export function lookUp(
  root: string,
  path: readonly string[],
  around: Pick<NodeSurroundings, 'iteration' | 'loopCount' | 'outputOf'>,
  scope: RunScope,
): Json | undefined {
  if (root === '$iteration') return iterationValue(around.iteration, path);
  if (root === 'loop_count' && path.length === 0) return around.loopCount;
  const value = scope.lookup(root, path);
  if (value !== undefined) return value;
  const output = around.outputOf(root);
  return output && nodeValue(output, path);
}

function iterationValue(iteration: { item: Json } | undefined, path: readonly string[]): Json | undefined {
  return iteration && nodeValue({ output: iteration.item, text: '' }, ['output', ...path]);
}

/** Returns a lookup with additional values by name. */
export const withExtra =
  (extra: Record<string, Json>, lookup: Lookup): Lookup =>
  (root, path) =>
    Object.hasOwn(extra, root)
      ? nodeValue({ output: extra[root]!, text: '' }, ['output', ...path])
      : lookup(root, path);
