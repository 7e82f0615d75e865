import type { z } from 'zod';
import { predictionEvent } from './predictions.js';
import type { AnsweredCode } from './problems.js';
import type { ResponseHeader } from './response-headers.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Documents the parts of a route that its code cannot give: sentences, examples, and bodies that the framework does not read. */
export interface RouteNote {
  summary: string;
  description?: string;
  /** Access rules that the method itself checks, after its guards. */
  access?: 'admin-or-flow' | 'signed-or-flow' | 'own-session' | 'any-key';
  /** Codes besides those that follow from its access and body. */
  errors?: readonly AnsweredCode[];
  /** Request headers that the route reads, from `headers`. */
  headers?: readonly (keyof typeof headers)[];
  /** Describes parameters of the query, and adds those that `ValidQuery` does not read. */
  query?: Readonly<Record<string, string>>;
  body?: BodyNote;
  /** Successful answers, by status. */
  answers?: Readonly<Record<string, AnswerNote>>;
}

export interface BodyNote {
  /** The body, if `ValidBody` does not read it. */
  json?: z.ZodType | JsonSchema;
  multipart?: JsonSchema;
  /** Describes members by path (`source.meta`), by a sentence or by a schema. */
  members?: Readonly<Record<string, string | JsonSchema>>;
  /** Bodies that a service with its samples accepts. */
  examples: Readonly<Record<string, unknown>>;
}

export interface AnswerNote {
  description: string;
  /** Schemas by media type. */
  content?: Readonly<Record<string, z.ZodType | JsonSchema>>;
  /** Headers besides those that follow from the route. */
  headers?: readonly ResponseHeader[];
}

const header = (description: string, example: string, required = false) => ({
  in: 'header',
  required,
  schema: { type: 'string' },
  description,
  example,
});

export const headers = {
  'Idempotency-Key': header(
    'The answer is stored for 24 hours. The same call with the same key returns it, with `Idempotent-Replay: true`, a record of its own and no charge. It counts toward rate limits like any call.',
    'order-4711',
  ),
  'Idempotent-Replay': header(
    '`only`: returns the answer stored under the `Idempotency-Key`, or 410 if there is none. Runs nothing.',
    'only',
  ),
  'If-None-Match': header(
    'The `ETag` of the caller’s copy: 304 without a body while it is current.',
    '"0191e0c4-…"',
  ),
  'If-Range': header(
    'The `ETag` of the version that the part belongs to. If it has changed, the whole is sent.',
    '"9f86d081…"',
  ),
  Range: header('One part of the file. A request for several returns the whole.', 'bytes=0-65535'),
  'If-Match': header(
    'The `revision` to replace or delete: 412 if the flow has changed since.',
    '"0191e0c4-…"',
  ),
  'Last-Event-ID': header(
    'The `id` of the last event that arrived.',
    '5f0c1de2a9b34c5d8e7f60718293a4b5:17',
    true,
  ),
  Prefer: header('`respond-async`: 202 at once; `Location` is the address of its state.', 'respond-async'),
  'X-Share-Link': header('`true` on the calls of the hosted chat page.', 'true'),
} as const;

/** Example values of path parameters, which exist in a service with its samples. */
export const parameterExamples: Readonly<Record<string, string>> = {
  flowId: 'inspection-assistant',
  chatId: 'my-first-inspection',
  sessionId: 'my-first-inspection',
  account: 'default',
};

export const json = <Schema extends z.ZodType | JsonSchema>(schema: Schema) => ({
  'application/json': schema,
});
/** Documents the answer 200 as JSON. */
export const answered = (description: string, schema: z.ZodType): Readonly<Record<string, AnswerNote>> => ({
  200: { description, content: json(schema) },
});
export const NOTHING: Readonly<Record<string, AnswerNote>> = { 204: { description: 'Done.' } };
export const EVENT_STREAM: Record<string, JsonSchema> = { 'text/event-stream': { type: 'string' } };
/** Documents a stream by the shape of its `data:` lines. */
export const eventsOf = (line: z.ZodType): Record<string, z.ZodType> => ({ 'text/event-stream': line });
/** Documentation shared by the routes that resume the stream of a run. */
export const resumedStream = {
  headers: ['Last-Event-ID'],
  errors: ['invalid_request', 'stream_expired'],
  answers: {
    200: {
      description: 'The events after `Last-Event-ID`.',
      headers: ['X-Execution-Id'],
      content: eventsOf(predictionEvent),
    },
  },
} satisfies Partial<RouteNote>;
const text = { type: 'string' };
/** Describes fields of a multipart body: texts, and texts that hold JSON. */
export const fields = (
  plain: readonly string[],
  jsonText: readonly string[] = [],
): Record<string, JsonSchema> => ({
  ...Object.fromEntries(plain.map((name) => [name, text])),
  ...Object.fromEntries(jsonText.map((name) => [name, { ...text, description: 'JSON text.' }])),
});
export const BYTES: JsonSchema = { type: 'string', format: 'binary' };

/** Documentation shared by the routes that take an `Idempotency-Key`. */
export const idempotency = {
  headers: ['Idempotency-Key', 'Idempotent-Replay'],
  errors: ['idempotency_key_in_use', 'stream_expired', 'idempotency_key_reused'],
} as const;

/** Errors of the routes that run a flow. */
export const runErrors = [
  ...idempotency.errors,
  ...(['question_too_long', 'session_busy', 'quota_exceeded', 'already_decided'] as const),
  ...(['insufficient_credit', 'aborted', 'flow_failed', 'shutting_down'] as const),
] as const;

/** Describes the files of a multipart body. */
export const files = (name: string, description: string) => ({
  [name]: { type: 'array', items: BYTES, description },
});

/** Documents a route that browsers open. */
export const pageNote = (summary: string, description?: string): RouteNote => ({
  summary,
  ...(description === undefined ? {} : { description }),
  errors: ['pages_not_built'],
  answers: { 200: { description: 'The page.', content: { 'text/html': { type: 'string' } } } },
});

export const anyObject = { type: 'object' };
