import type { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the code of a route cannot say of itself: sentences, examples, and what is read or written past the framework. */
export interface RouteNote {
  summary: string;
  description?: string;
  /** Who may call, where the guards alone do not say it. */
  access?: 'admin-or-flow' | 'signed-or-flow';
  /** Codes beside those that every route of its access and body has. */
  errors?: readonly string[];
  /** Request headers that the route reads, from `headers`. */
  headers?: readonly (keyof typeof headers)[];
  query?: z.ZodType;
  body?: BodyNote;
  /** What it answers on success, by status. */
  answers?: Readonly<Record<string, AnswerNote>>;
}

export interface BodyNote {
  /** Where the body is not read by `ValidBody`. */
  json?: z.ZodType | JsonSchema;
  multipart?: JsonSchema;
  /** Sentences about members, by path (`source.meta`). */
  members?: Readonly<Record<string, string>>;
  /** Bodies that work as they stand. */
  examples: Readonly<Record<string, unknown>>;
}

export interface AnswerNote {
  description: string;
  /** By media type; without a schema the sentence says what it is. */
  content?: Readonly<Record<string, JsonSchema>>;
}

export type RouteNotes = Readonly<Record<string, RouteNote>>;

const header = (description: string, example: string) => ({
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description,
  example,
});

export const headers = {
  'Idempotency-Key': header(
    'The answer is kept for 24 hours; the same call with the same key is answered from there, with `Idempotent-Replay: true`.',
    'order-4711',
  ),
  'Last-Event-ID': header('The `id` of the last event that arrived.', '5f0c…:17'),
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

export const json = (schema: JsonSchema): Record<string, JsonSchema> => ({ 'application/json': schema });
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
export const listOf = (items: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['data'],
  properties: {
    data: { type: 'array', items },
    nextCursor: { type: ['string', 'null'], description: 'Where the next page begins; null on the last.' },
  },
});
export const NOTHING: Readonly<Record<string, AnswerNote>> = { 204: { description: 'Done.' } };
export const EVENTS: Record<string, JsonSchema> = { 'text/event-stream': { type: 'string' } };
export const BYTES: JsonSchema = { type: 'string', format: 'binary' };
