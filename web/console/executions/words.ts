import type { ExecutionKind } from '../../../src/api/execution-terms.js';
import type { ExecutionRecord } from '../../../src/api/executions.js';

const kinds: Readonly<Record<ExecutionKind, string>> = {
  prediction: 'Prediction',
  capture: 'Capture',
  render: 'Render',
};

export const executionKindName = (kind: ExecutionKind): string => kinds[kind];

/** Sentences for the admin by code; the service's own are for the caller. */
const codes: Readonly<Record<string, string>> = {
  cancelled: 'An admin or the caller cancelled it.',
  stopped: 'The caller stopped it.',
  caller_left: 'The caller disconnected.',
  caller_gone: 'The caller disconnected.',
  interrupted: 'The service stopped during the run.',
  processes_died: 'Three processes died running it, so it is not retried.',
  flow_deleted: 'Its flow was deleted while it waited for approval. Its credits were refunded.',
  insufficient_credit: 'The account of the flow has too little credit. Top it up.',
  domain_not_allowed: 'The calling website is not on the flow’s list of allowed domains.',
  share_link_not_public: 'The chat page of the flow is not public.',
  flow_disabled: 'The flow is switched off.',
  stream_expired: 'The caller asked for an answer that is no longer stored.',
};

/** Returns the cause of a failed, refused or stopped execution; undefined when it succeeded or is running. */
export function causeOf({ status, error, code, failedNode }: ExecutionRecord): string | undefined {
  if (status === 'succeeded' || status === 'running') return undefined;
  if (code !== undefined && Object.hasOwn(codes, code)) return codes[code];
  if (error !== undefined && error.trim() !== '') return error;
  if (code !== undefined) return code;
  if (status === 'failed') return failedNode ? 'It failed without a message.' : 'No cause was recorded.';
  return undefined;
}
