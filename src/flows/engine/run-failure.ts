import type { FlowGraph } from './flow-graph.js';
import { EffectUnknown, NotRecorded } from './journal.js';
import type { NodeKinds } from './node-kind.js';
import { SubFlowFailed } from './within.js';

const literals = new WeakMap<FlowGraph, string[]>();

/** Returns the secrets in the definition of a flow; cached by flow. */
export function literalSecrets(graph: FlowGraph, kinds: NodeKinds): string[] {
  let found = literals.get(graph);
  if (!found) {
    found = [...graph.byId.values()].flatMap(
      ({ kind, config }) => kinds.get(kind)?.secretsIn?.(config) ?? [],
    );
    literals.set(graph, found);
  }
  return found;
}

/** Returns the code of a failure that has one of its own. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof SubFlowFailed) return error.failure.code;
  return error instanceof EffectUnknown || error instanceof NotRecorded ? error.code : undefined;
}

/** Returns the original error beneath failures of sub-flows. */
export const causeOf = (error: unknown): unknown =>
  error instanceof SubFlowFailed ? error.failure.cause : error;

/**
 * Releases the memory that the frames of an error hold. V8 retains them, and with them the state of the run, until the
 * stack is first read.
 */
export function releaseFrames(error: unknown): void {
  for (let at = error; at instanceof Error; at = at.cause) void at.stack;
}

/** Returns the message of a failure for the trace and the flow's owner: bounded, and without a stack. */
export function messageOf(error: unknown, masked = (text: string) => text): string {
  const message = masked(error instanceof Error ? error.message : String(error));
  return message.length > 2_000 ? `${message.slice(0, 2_000)}…` : message;
}
