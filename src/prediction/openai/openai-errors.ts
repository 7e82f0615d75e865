import type { ErrorForm } from '../../common/http/error-forms.js';
import type { ServiceError } from '../../common/service-error.js';
import { RunUnanswered } from '../call/prediction-answer.js';

/** Codes of errors that pass by themselves: the same call, sent again a little later, may go well. */
const PASSING: ReadonlySet<string> = new Set([
  'request_timeout',
  'session_busy',
  'idempotency_key_in_use',
  'rate_limited',
  'internal_error',
  'overloaded',
  'shutting_down',
]);

/** The name that OpenAI's clients have for the id of a call. */
export const REQUEST_ID = 'X-Request-Id';

/** Clients wait as long as `Retry-After` says, with the caller waiting behind them. */
const LONGEST_WAIT_SECONDS = 60;

/** The words that OpenAI has for classes of errors. */
const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** The `error` of an answer or of an event: `param` is the path of the first fault, `errors` are all of them. */
export function openAiErrorOf(error: ServiceError, executionId: string | undefined) {
  const { status, code, errors, members } = error;
  const [first] = errors ?? [];
  return {
    message: first ? `${error.message} ${first.path} ${first.message}.` : error.message,
    type: types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: first?.path ?? null,
    code,
    ...(executionId === undefined ? {} : { executionId }),
    ...(errors === undefined ? {} : { errors }),
    ...members,
  };
}

/**
 * Errors as OpenAI's clients read them, with status and code of this service (contract section 12). Those clients send a
 * call again after 408, 409, 429 and 5xx by themselves, unless they are told that it is of no use: a flow that failed
 * would only run, and be paid, again.
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
