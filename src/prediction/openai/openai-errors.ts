import type { ErrorForm } from '../../common/http/error-forms.js';
import type { ServiceError } from '../../common/service-error.js';
import { RunUnanswered } from '../call/prediction-answer.js';

/** Codes of temporary errors: a later retry may succeed. */
const PASSING: ReadonlySet<string> = new Set([
  'request_timeout',
  'session_busy',
  'idempotency_key_in_use',
  'rate_limited',
  'quota_exceeded',
  'internal_error',
  'overloaded',
  'shutting_down',
]);

/** OpenAI's header for the id of a call. */
export const REQUEST_ID = 'X-Request-Id';

/** Longest `Retry-After` that a waiting caller can be expected to bear. */
const LONGEST_WAIT_SECONDS = 60;

/** OpenAI's types of errors. */
const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** Returns the `error` of an answer or event: `param` is the path of the first fault, `errors` are all of them. */
export function openAiErrorOf(error: ServiceError, executionId: string | undefined) {
  const { status, code, errors, members } = error;
  const [first] = errors ?? [];
  return {
    message: first ? `${error.message} ${first.path ?? 'The body'} ${first.message}.` : error.message,
    type: types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: first?.path ?? null,
    code,
    ...(executionId === undefined ? {} : { executionId }),
    ...(errors === undefined ? {} : { errors }),
    ...members,
  };
}

/**
 * Writes errors for OpenAI's clients, with the status and code of this service (contract section 12). Those clients
 * retry after 408, 409, 429 and 5xx unless a header forbids it: a failed flow would only run, and be charged, again.
 */
export const openAiErrors: ErrorForm = {
  body: (error, executionId) => ({ error: openAiErrorOf(error, executionId) }),
  headers: (error, executionId) => ({
    ...(executionId === undefined ? {} : { [REQUEST_ID]: executionId }),
    ...(maySendAgain(error) ? {} : { 'X-Should-Retry': 'false' }),
  }),
};

function maySendAgain(error: ServiceError): boolean {
  if (error instanceof RunUnanswered) return error.resumable;
  const { code, headers } = error;
  return PASSING.has(code) && Number(headers['Retry-After'] ?? 0) <= LONGEST_WAIT_SECONDS;
}
