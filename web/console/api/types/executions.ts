/** Answers of `executions` of `/api/v1`. Times are ISO 8601 in UTC. */

export const EXECUTION_KINDS = ['prediction', 'capture', 'render'] as const;
export type ExecutionKind = (typeof EXECUTION_KINDS)[number];

export const EXECUTION_STATUSES = [
  'running',
  'succeeded',
  'failed',
  'aborted',
  'waiting',
  'rejected',
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

export interface Tokens {
  inputTokens: number;
  outputTokens: number;
}

/** `GET executions`, the events of `executions/stream`, and without its nodes `executions/:id`. */
export interface Execution {
  id: string;
  kind: ExecutionKind;
  flowId: string | null;
  flowName: string | null;
  chatId: string | null;
  status: ExecutionStatus;
  httpStatus: number | null;
  code?: string;
  error?: string;
  startedAt: string;
  finishedAt: string | null;
  durationMs: number | null;
  firstTokenMs?: number;
  /** The final price. */
  credits: number;
  /** The part of the charge that was given back. */
  refunded?: number;
  tokens?: Tokens;
  caller: { address: string | null; apiKeyId?: string; origin?: string };
  failedNode?: { id: string; label: string };
  /** At most 1,000 characters in a list. */
  question?: string;
  answer?: string;
  replayOf?: string;
  resumes?: string;
  /** The call under the same key whose run this one continues. */
  retryOf?: string;
}

export interface NodeRun {
  runId: string;
  nodeId: string;
  label: string;
  kind: string;
  status: string;
  startedAt: string;
  durationMs: number | null;
  input: unknown;
  output: unknown;
  /** With a code where it has one of its own. */
  error?: string | { code: string; message: string };
  tokens?: Tokens;
  attempt: number;
  parent?: string;
  /** The flow that the node stands in, where a flow of the record's runs it. */
  flowId?: string;
}

/** A question of the run to a human; without `decision` it waits. */
export interface Approval {
  /** Names this question alone. */
  name: string;
  nodeId: string;
  nodeLabel: string;
  text: string;
  action: {
    data: {
      input?: { humanInputEnableFeedback?: boolean; calls?: { tool: string; arguments: unknown }[] };
    };
  };
  askedAt: string;
  expiresAt: string;
  decision?: 'proceed' | 'reject' | 'expired' | 'cancelled' | 'flow_deleted';
  feedback?: string;
  decidedAt?: string;
  /** The execution whose call decided it. */
  decidedBy?: string;
  by?: { address: string; apiKeyId?: string };
}

export interface ExecutionWithTrace extends Execution {
  nodes: NodeRun[];
  approvals?: Approval[];
}

export interface StatsTotals {
  count: number;
  credits: number;
  byStatus: Partial<Record<ExecutionStatus, number>>;
  byKind: Partial<Record<ExecutionKind, number>>;
  durationMs: { p50: number | null; p95: number | null };
}

/** `GET executions/stats`; buckets without a record are left out. */
export interface ExecutionStats {
  from: string;
  to: string;
  by: 'minute' | 'hour' | 'day';
  complete: boolean;
  totals: StatsTotals;
  buckets: (StatsTotals & { at: string })[];
}
