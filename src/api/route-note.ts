import type { z } from 'zod';
import { predictionEvent } from './predictions.js';
import type { AnsweredCode } from './problems.js';
import type { ResponseHeader } from './response-headers.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The documentation of a route that its code cannot give: sentences, examples, and what is read or written past the framework. */
export interface RouteNote {
  summary: string;
  description?: string;
  /** Who may call, where the guards alone do not say it. */
  access?: 'admin-or-flow' | 'signed-or-flow' | 'own-session' | 'any-key';
  /** Codes beside those that every route of its access and body has. */
  errors?: readonly AnsweredCode[];
  /** Request headers that the route reads, from `headers`. */
  headers?: readonly (keyof typeof headers)[];
  /** Sentences about parameters of the query, and those that are read past `ValidQuery`. */
  query?: Readonly<Record<string, string>>;
  body?: BodyNote;
  /** The answers on success, by status. */
  answers?: Readonly<Record<string, AnswerNote>>;
}

export interface BodyNote {
  /** Where the body is not read by `ValidBody`. */
  json?: z.ZodType | JsonSchema;
  multipart?: JsonSchema;
  /** Sentences about members, by path (`source.meta`), or the schema of one that is read later. */
  members?: Readonly<Record<string, string | JsonSchema>>;
  /** Bodies that work as they stand. */
  examples: Readonly<Record<string, unknown>>;
}

export interface AnswerNote {
  description: string;
  /** By media type; without a schema the sentence says what it is. */
  content?: Readonly<Record<string, z.ZodType | JsonSchema>>;
  /** Beside those that every answer of such a route has. */
  headers?: readonly ResponseHeader[];
}

export type RouteNotes = Readonly<Record<string, RouteNote>>;

const header = (description: string, example: string, required = false) => ({
  in: 'header',
  required,
  schema: { type: 'string' },
  description,
  example,
});

export const headers = {
  'Idempotency-Key': header(
    'The answer is kept for 24 hours; the same call with the same key is answered from there, with `Idempotent-Replay: true`, a record of its own and no charge. It counts toward rate limits like any call.',
    'order-4711',
  ),
  'Idempotent-Replay': header(
    '`only`: the answer kept under the `Idempotency-Key`, or 410 where none is. Runs nothing.',
    'only',
  ),
  'If-None-Match': header(
    'The `ETag` of what the caller has: 304 without a body while it is still the same.',
    '"0191e0c4-…"',
  ),
  'If-Range': header(
    'The `ETag` that the part must be of; of another version the whole is sent.',
    '"9f86d081…"',
  ),
  Range: header('One part of the file. Several are answered with the whole.', 'bytes=0-65535'),
  'If-Match': header(
    'The `revision` that is to be replaced or deleted: 412 where the flow has another by now.',
    '"0191e0c4-…"',
  ),
  'Last-Event-ID': header(
    'The `id` of the last event that arrived.',
    '5f0c1de2a9b34c5d8e7f60718293a4b5:17',
    true,
  ),
  Prefer: header('`respond-async`: 202 at once, `Location` says where to ask.', 'respond-async'),
  'X-Share-Link': header('`true` on the calls of the hosted chat page.', 'true'),
} as const;

/** Values of path parameters in examples: they exist in a service with its samples. */
export const parameterExamples: Readonly<Record<string, string>> = {
  flowId: 'inspection-assistant',
  chatId: 'my-first-inspection',
  sessionId: 'my-first-inspection',
  account: 'default',
};

export const json = <Schema extends z.ZodType | JsonSchema>(schema: Schema) => ({
  'application/json': schema,
});
/** The answer 200 as JSON. */
export const answered = (description: string, schema: z.ZodType): Readonly<Record<string, AnswerNote>> => ({
  200: { description, content: json(schema) },
});
export const NOTHING: Readonly<Record<string, AnswerNote>> = { 204: { description: 'Done.' } };
export const EVENT_STREAM: Record<string, JsonSchema> = { 'text/event-stream': { type: 'string' } };
/** A stream, by the shape of its `data:` lines. */
export const eventsOf = (line: z.ZodType): Record<string, z.ZodType> => ({ 'text/event-stream': line });
/** Headers and answers of routes that resume the stream of a run. */
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
/** Fields of a multipart body: each is a text, some of them JSON text. */
export const fields = (
  plain: readonly string[],
  jsonText: readonly string[] = [],
): Record<string, JsonSchema> => ({
  ...Object.fromEntries(plain.map((name) => [name, text])),
  ...Object.fromEntries(jsonText.map((name) => [name, { ...text, description: 'JSON text.' }])),
});
export const BYTES: JsonSchema = { type: 'string', format: 'binary' };

/** Headers and errors of the routes that take an `Idempotency-Key`. */
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

/** A member of a multipart body that holds files. */
export const files = (name: string, description: string) => ({
  [name]: { type: 'array', items: BYTES, description },
});

/** The documentation of a route that browsers open. */
export const pageNote = (summary: string, description?: string): RouteNote => ({
  summary,
  ...(description === undefined ? {} : { description }),
  errors: ['pages_not_built'],
  answers: { 200: { description: 'The page.', content: { 'text/html': { type: 'string' } } } },
});

export const anyObject = { type: 'object' };
