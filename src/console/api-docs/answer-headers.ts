import type { AnsweredCode } from '../../api/problems.js';
import type { ResponseHeader } from '../../api/response-headers.js';
import type { RouteNote } from '../../api/route-note.js';
import type { Route } from './read-routes.js';

const RATE_LIMIT: readonly ResponseHeader[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

const OTHER_ERRORS: readonly ResponseHeader[] = ['X-Request-Id', 'X-Should-Retry'];

/** Codes whose answers have `Retry-After`. */
const RETRIED: ReadonlySet<AnsweredCode> = new Set([
  'rate_limited',
  'address_blocked',
  'overloaded',
  'shutting_down',
  'idempotency_key_in_use',
  'session_busy',
  'quota_exceeded',
]);

/** Describes the headers of a route's answers with this status; `codes` are the errors with it. */
export function answerHeaders(
  route: Route,
  note: RouteNote | undefined,
  status: string,
  codes: readonly AnsweredCode[] = [],
): object {
  const replayed = note?.headers?.includes('Idempotency-Key') === true;
  const limited =
    (route.flowAccess !== undefined && route.flowAccess.rateLimit !== false) ||
    note?.errors?.includes('rate_limited') === true;
  const success = codes.length === 0;
  const names: ResponseHeader[] = [
    ...(route.isRecorded ? (['X-Execution-Id'] as const) : []),
    ...(codes.some((code) => RETRIED.has(code)) ? (['Retry-After'] as const) : []),
    ...(replayed && (success || codes.includes('flow_failed')) ? (['Idempotent-Replay'] as const) : []),
    ...(limited && (success || status === '429') ? RATE_LIMIT : []),
    ...(route.errorForm && !success ? OTHER_ERRORS : []),
    ...(note?.answers?.[status]?.headers ?? []),
  ];
  if (names.length === 0) return {};
  return {
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  };
}
