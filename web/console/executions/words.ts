import type { Execution, ExecutionKind } from '../api/types/executions.js';

const kinds: Readonly<Record<ExecutionKind, string>> = {
  prediction: 'Prediction',
  capture: 'Capture',
  render: 'Render',
};

export const executionKindName = (kind: ExecutionKind): string => kinds[kind];

/** Sentences of the service for codes that come without one. */
const codes: Readonly<Record<string, string>> = {
  cancelled: 'An admin or the caller cancelled it.',
  caller_gone: 'The caller went away.',
  interrupted: 'The service stopped while it ran.',
};

/** Why an execution ended as it did, in a sentence; nothing when it went well or goes on. */
export function causeOf({ status, error, code, failedNode }: Execution): string | undefined {
  if (status === 'succeeded' || status === 'running') return undefined;
  if (error !== undefined && error.trim() !== '') return error;
  if (code !== undefined) return Object.hasOwn(codes, code) ? codes[code] : code;
  if (status === 'failed') return failedNode ? 'It failed without a word.' : 'No cause was recorded.';
  return undefined;
}
