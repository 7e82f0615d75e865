/** The codes of error answers, each with its status and cause (contract section 2). */
export const problems = {
  invalid_request: { status: 400, when: 'The request breaks the schema; `errors` lists the paths.' },
  invalid_flow: { status: 400, when: 'The definition cannot run; `errors` lists the paths.' },
  json_too_deep: { status: 400, when: 'The JSON is nested more than 64 levels deep.' },
  invalid_encoding: {
    status: 400,
    when: 'The text is not in its charset (UTF-8 where it declares none); `errors` has the byte offset.',
  },
  email_not_configured: { status: 400, when: 'E-mail was asked for and `SMTP_URL` is not set.' },
  invalid_api_key: {
    status: 401,
    when: 'The flow has a key and the call does not carry it. Never counts toward the block.',
  },
  invalid_admin_key: { status: 401, when: 'The call does not carry the admin key.' },
  insufficient_credit: { status: 402, when: "The balance is below the flow's price." },
  domain_not_allowed: { status: 403, when: 'The page that calls is not on the list of allowed domains.' },
  share_link_not_public: {
    status: 403,
    when: 'The call comes from the hosted page of a flow that is not public.',
  },
  email_not_allowed: { status: 403, when: 'These recipients need the key of the flow, or the admin key.' },
  flow_not_found: {
    status: 404,
    when: 'There is no such flow. The third within 15 minutes blocks the address for an hour.',
  },
  not_found: { status: 404, when: 'There is no such thing. Never counts toward the block.' },
  method_not_allowed: {
    status: 405,
    when: 'The address does not take this method; `Allow` lists those that it takes.',
  },
  request_timeout: { status: 408, when: 'Nothing of the body, or next to nothing, came for 15 seconds.' },
  session_busy: {
    status: 409,
    when: 'Another run of the chat did not end within 60 seconds, or too many calls wait for it.',
  },
  idempotency_key_in_use: { status: 409, when: 'The first call with this `Idempotency-Key` still runs.' },
  incomplete_inspection: {
    status: 409,
    when: '`requireComplete` was asked for and areas are outstanding. Nothing was claimed.',
  },
  execution_running: { status: 409, when: 'The execution still runs: it can be cancelled, not deleted.' },
  already_decided: {
    status: 409,
    when: 'The approval was already decided differently, or has expired; `decided` states how.',
  },
  reference_reused: {
    status: 409,
    when: 'The reference is that of a top-up of another amount. Nothing was booked.',
  },
  already_replaced: {
    status: 409,
    when: 'A newer edition of this report is there already, or is being made.',
  },
  already_claimed: {
    status: 409,
    when: 'A report has taken the photograph or remark: it can no longer be corrected.',
  },
  session_full: {
    status: 409,
    when: 'The session holds as much as one may before its report is made; the sentence names the limit. Nothing was recorded.',
  },
  flow_exists: { status: 409, when: 'There is a flow with this id.' },
  stream_expired: {
    status: 410,
    when: 'The stream can no longer be resumed, or no stored answer can be replayed.',
  },
  flow_changed: { status: 412, when: 'The flow has another revision than `If-Match` names.' },
  body_too_large: { status: 413, when: 'The body is larger than its limit.' },
  body_too_complex: {
    status: 413,
    when: 'The JSON of the body has more values (members and elements) than may be sent; it was not parsed.',
  },
  question_too_long: { status: 413, when: 'The question is longer than 1 MiB.' },
  unsupported_media_type: {
    status: 415,
    when: 'The body has another media type than those described, or a charset that is not decoded.',
  },
  range_not_satisfiable: {
    status: 416,
    when: 'The file has no such part; `Content-Range` says how long it is.',
  },
  no_usable_photograph: {
    status: 422,
    when: 'Every photograph was bad and there was no remark; `rejected` says why, photograph by photograph.',
  },
  idempotency_key_reused: { status: 422, when: 'This `Idempotency-Key` was sent with another body.' },
  rate_limited: {
    status: 429,
    when: 'The limit of the flow, or of renders an address, is used up. `Retry-After` says for how long.',
  },
  address_blocked: {
    status: 429,
    when: 'This address asked for unknown flows too often. `Retry-After` says for how long, the sentence how an admin lifts the block.',
  },
  quota_exceeded: {
    status: 429,
    when: 'The key, address, flow or session has used up its share of a budget. `Retry-After` says when to retry.',
  },
  aborted: { status: 499, when: 'The call was cancelled before it ended.' },
  flow_failed: { status: 500, when: 'The run failed. The trace of the execution names the node.' },
  stored_file_damaged: {
    status: 500,
    when: 'The stored file is missing or not what was recorded. An operator restores it from a backup, or redraws the report.',
  },
  internal_error: { status: 500, when: 'The service failed unexpectedly.' },
  model_failed: {
    status: 502,
    when: 'The model of a document store gave no usable answer; `detail` says why.',
  },
  shutting_down: {
    status: 503,
    when: 'The service is starting or stopping, or its stop cut the call. `Retry-After` says when to come back.',
  },
  flow_disabled: {
    status: 503,
    when: 'The flow is switched off (`enabled: false`). Never counts toward the block.',
  },
  pages_not_built: { status: 503, when: 'The web pages have not been built.' },
  overloaded: {
    status: 503,
    when: 'Too many calls or too large bodies are in flight, the database is busy or its connection was lost, or the disk is nearly full. `Retry-After` says when to come back.',
  },
} as const satisfies Record<string, { status: number; when: string }>;

/** Codes that stand only in records, photographs and nodes, never in an error answer. */
const unanswered = {
  approval_expired: 410,
  fetch_failed: 422,
  fetch_refused: 422,
  flow_deleted: 500,
} as const;

export type AnsweredCode = keyof typeof problems;

export type ProblemCode = AnsweredCode | keyof typeof unanswered;

export const statusOfCode = (code: ProblemCode): number =>
  code in problems ? problems[code as AnsweredCode].status : unanswered[code as keyof typeof unanswered];
