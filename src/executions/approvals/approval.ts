import type { CLICKS, DECISIONS, ENDS_OF_WAITING } from '../../api/execution-terms.js';

/** How a stop came to its end: by a human's click, because nobody clicked in time, or with its run or its flow. */
export interface Decision {
  type: (typeof DECISIONS)[number];
  feedback?: string;
  /** Epoch milliseconds. */
  at: number;
  /** The execution whose call decided it; absent where no call did. */
  by?: string;
}

/** Endings of an approval without a click. */
export type EndOfWaiting = (typeof ENDS_OF_WAITING)[number];

/** A stop of a run as a click finds it. */
export interface RunApproval {
  /** The name that the caller was given. */
  name: string;
  flowId: string;
  chatId: string;
  /** The record that waits. */
  executionId: string;
  /** The first execution of the run. */
  runId: string;
  expiresAt: number;
  decision?: Decision;
}

/** A question as it is kept when a run stops. */
export interface ApprovalRequest extends Omit<RunApproval, 'decision'> {
  nodeId: string;
  nodeLabel: string;
  text: string;
  action: unknown;
  snapshot: unknown;
  requestKey: string;
  askedAt: number;
}

/** Where a run goes on. */
export interface StoredSnapshot {
  snapshot: unknown;
  requestKey: string;
}

/** The decision that a click wants. */
export interface Click {
  type: (typeof CLICKS)[number];
  feedback?: string;
  /** The execution of its call. */
  executionId: string;
}

/** Whether a click repeats the decision. Its words count: other words beside another yes have not reached the run. */
export const isSameDecision = (
  decision: Decision,
  { type, feedback = '' }: Omit<Click, 'executionId'>,
): boolean => decision.type === type && (decision.feedback ?? '') === feedback;
