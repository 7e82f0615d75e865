const header = (type: 'string' | 'integer', description: string) => ({ description, schema: { type } });

/** Headers of answers: `components.headers` of the description. */
export const responseHeaders = {
  'X-Execution-Id': header('string', 'The record of the call: `GET /api/v1/executions/{id}`.'),
  'Retry-After': header('integer', 'Seconds to wait before the call is sent again.'),
  'Idempotent-Replay': header(
    'string',
    '`true` where this is the answer kept under the `Idempotency-Key`; absent on the first answer.',
  ),
  ETag: header('string', 'Names this version: `If-None-Match`, `If-Match` and `If-Range` take it.'),
  'Accept-Ranges': header('string', '`bytes`: parts may be asked for with `Range`.'),
  'Content-Range': header('string', 'Which part of how many bytes this is.'),
  Location: header('string', 'Where to ask how the render goes: `/api/v1/pdf/renders/{id}`.'),
  'Preference-Applied': header('string', '`respond-async`'),
  'X-Request-Id': header('string', 'The same as `X-Execution-Id`, by the name that OpenAI has for it.'),
  'X-Should-Retry': header('string', '`false` where the same call, sent again, would go no better.'),
  'RateLimit-Limit': header('integer', 'Calls in a window, where there is a rate limit.'),
  'RateLimit-Remaining': header('integer', 'Calls that are left, where there is a rate limit.'),
  'RateLimit-Reset': header('integer', 'Seconds until the next call is free, where there is a rate limit.'),
} as const;

export type ResponseHeader = keyof typeof responseHeaders;
