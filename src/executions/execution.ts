import type { ExecutionKind, ExecutionStatus } from '../api/execution-terms.js';

/** Who called: the address as it counts (client-address), the key that was checked, the page's origin. */
export interface Caller {
  address: string;
  apiKeyId?: string;
  origin?: string;
}

/** A record as it begins. `id` is the one that the answer's `X-Execution-Id` carries. */
export interface ExecutionDraft {
  id: string;
  kind: ExecutionKind;
  flowId?: string;
  flowName?: string;
  chatId?: string;
  account?: string;
  caller: Caller;
  question?: string;
  /** Charged in the same transaction; 0 for capture, render and calls that wait. */
  credits: number;
  replayOf?: string;
  resumes?: string;
  /** The call under the same key that was cut short, and the first execution of that run. */
  retryOf?: string;
  runId?: string;
  /** When its process ends, any living process continues it. */
  outlivesProcess?: boolean;
  /** The run takes the chat's turn: of the executions of one (flow, chat) at most one holds it, over all processes. */
  takesChatLock?: boolean;
  startedAt: number;
}

/** Measurements of a run. */
export interface Measured {
  firstTokenMs?: number;
}

/** The end of an execution. */
export interface Outcome extends Measured {
  status: Exclude<ExecutionStatus, 'running'>;
  httpStatus: number;
  code?: string;
  /** A sentence for the record; masked and truncated by the log. */
  error?: string;
  failedNode?: { id: string; label: string };
  answer?: string;
  tokens?: { inputTokens: number; outputTokens: number };
  finishedAt: number;
}

/** A settled execution, for the listeners inside the transaction that settles it. */
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
  /** The first execution of the run: of a run that was never continued, this one. */
  runId: string;
  finishedAt: number;
}

/** One node run of a trace, as `GET /executions/:id` shows it. Instants are epoch milliseconds. */
export interface TracedNode {
  runId: string;
  nodeId: string;
  label: string;
  kind: string;
  status: string;
  startedAt: number;
  durationMs?: number;
  input: unknown;
  output?: unknown;
  error?: string;
  /** Of an error that the record names by a code of its own, such as `effect_unknown`. */
  errorCode?: string;
  tokens?: { inputTokens: number; outputTokens: number };
  attempt: number;
  parent?: string;
  /** The flow that the node stands in, where a flow of the record's runs it. */
  flowId?: string;
}
