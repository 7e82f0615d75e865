const header = (type: 'string' | 'integer', description: string) => ({ description, schema: { type } });

/** Response headers, listed in `components.headers` of the API description. */
export const responseHeaders = {
  'X-Execution-Id': header('string', 'The record of the call: `GET /api/v1/executions/{id}`.'),
  'Retry-After': header('integer', 'Seconds to wait before the call is sent again.'),
  'Idempotent-Replay': header(
    'string',
    '`true` if this is the answer stored under the `Idempotency-Key`; absent on the first answer.',
  ),
  ETag: header('string', 'Names this version: `If-None-Match`, `If-Match` and `If-Range` take it.'),
  'Accept-Ranges': header('string', '`bytes`: `Range` may request parts.'),
  'Content-Range': header('string', 'The range of this part, and the size of the whole.'),
  Location: header('string', 'The address of the state of the run or render.'),
  'Preference-Applied': header('string', '`respond-async`'),
  'X-Request-Id': header('string', 'The same as `X-Execution-Id`, under OpenAI’s name.'),
  'X-Should-Retry': header('string', '`false` if a retry of the same call would fail too.'),
  'RateLimit-Limit': header('integer', 'Calls allowed in a window, if there is a rate limit.'),
  'RateLimit-Remaining': header('integer', 'Calls left in the window, if there is a rate limit.'),
  'RateLimit-Reset': header('integer', 'Seconds until another call is allowed, if there is a rate limit.'),
} as const;

export type ResponseHeader = keyof typeof responseHeaders;
