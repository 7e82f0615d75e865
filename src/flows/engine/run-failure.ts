import type { FlowGraph } from './flow-graph.js';
import { EffectUnknown } from './journal.js';
import type { NodeKinds } from './node-kind.js';
import { SubFlowFailed } from './within.js';

const literals = new WeakMap<FlowGraph, string[]>();

/** Those that stand in the flow itself, read once a flow. */
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

/** The code of a failure that the record names by itself. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof SubFlowFailed) return error.failure.code;
  return error instanceof EffectUnknown ? error.code : undefined;
}

/** The error beneath the sub-flows that it went through. */
export const causeOf = (error: unknown): unknown =>
  error instanceof SubFlowFailed ? error.failure.cause : error;

/**
 * Lets go of what the frames of an error hold. V8 keeps them until the stack is first read, and with them the state of the
 * run, while the error waits for the run's ending to be stored.
 */
export function releaseFrames(error: unknown): void {
  for (let at = error; at instanceof Error; at = at.cause) void at.stack;
}

/** The message of a failure for the trace and the flow's owner: bounded, and never a stack. */
export function messageOf(error: unknown, masked = (text: string) => text): string {
  const message = masked(error instanceof Error ? error.message : String(error));
  return message.length > 2_000 ? `${message.slice(0, 2_000)}…` : message;
}
