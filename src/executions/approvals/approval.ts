import type { CLICKS, DECISIONS, ENDS_OF_WAITING } from '../../api/execution-terms.js';

/** The end of an approval: a human's click, its expiry, or the end of its run or flow. */
export interface Decision {
  type: (typeof DECISIONS)[number];
  feedback?: string;
  /** Epoch milliseconds. */
  at: number;
  /** The execution whose call decided it; absent where no call did. */
  by?: string;
}

export type EndOfWaiting = (typeof ENDS_OF_WAITING)[number];

/** An approval as a click finds it. */
export interface RunApproval {
  /** Name given to the caller. */
  name: string;
  flowId: string;
  chatId: string;
  /** The waiting record. */
  executionId: string;
  /** The first execution of the run. */
  runId: string;
  expiresAt: number;
  decision?: Decision;
}

/** A new approval. */
export interface ApprovalRequest extends Omit<RunApproval, 'decision'> {
  nodeId: string;
  nodeLabel: string;
  text: string;
  action: unknown;
  snapshot: unknown;
  requestKey: string;
  askedAt: number;
}

export interface StoredSnapshot {
  snapshot: unknown;
  requestKey: string;
}

/** The decision requested by a click. */
export interface Click {
  type: (typeof CLICKS)[number];
  feedback?: string;
  /** The execution of its call. */
  executionId: string;
}

/** Returns true if a click repeats the decision. The comment counts too: another comment would not reach the run. */
export const isSameDecision = (
  decision: Decision,
  { type, feedback = '' }: Omit<Click, 'executionId'>,
): boolean => decision.type === type && (decision.feedback ?? '') === feedback;
