import type { ExecutionKind, ExecutionStatus } from '../api/execution-terms.js';
import type { FlowVersionName } from '../api/flow-terms.js';

/** The caller: its address (`client-address`), the checked key, the page's origin. */
export interface Caller {
  address: string;
  apiKeyId?: string;
  origin?: string;
}

/** A new record. Its `id` is sent as `X-Execution-Id`. */
export interface ExecutionDraft {
  id: string;
  kind: ExecutionKind;
  flowId?: string;
  flowName?: string;
  flowVersion?: FlowVersionName;
  chatId?: string;
  account?: string;
  caller: Caller;
  question?: string;
  /** Charged in the same transaction; 0 for capture, render and calls that wait. */
  credits: number;
  replayOf?: string;
  resumes?: string;
  /** The interrupted call under the same key, and the first execution of that run. */
  retryOf?: string;
  runId?: string;
  /** True if any living process takes it over when its own ends. */
  outlivesProcess?: boolean;
  /** True if the run takes the lock of its chat, which at most one execution holds over all processes. */
  takesChatLock?: boolean;
  startedAt: number;
}

export interface Measured {
  firstTokenMs?: number;
}

export interface Outcome extends Measured {
  status: Exclude<ExecutionStatus, 'running'>;
  httpStatus: number;
  code?: string;
  /** A sentence for the record, masked and truncated by the log. */
  error?: string;
  failedNode?: { id: string; label: string };
  answer?: string;
  tokens?: { inputTokens: number; outputTokens: number };
  finishedAt: number;
}

/** A settled execution, for listeners in the transaction that settles it. */
export interface SettledExecution {
  id: string;
  kind: ExecutionKind;
  status: Outcome['status'];
  httpStatus: number;
  code?: string;
  flowId: string | null;
  chatId: string | null;
  account: string | null;
  credits: number;
  /** First execution of the run; this one if the run was never resumed. */
  runId: string;
  finishedAt: number;
}

/** Returns the version that a record names. */
export const versionNameOf = (text: string): FlowVersionName => (text === 'draft' ? text : Number(text));
