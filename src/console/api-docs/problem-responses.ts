import { STATUS_CODES } from 'node:http';
import { type AnsweredCode, problems } from '../../api/problems.js';
import type { ErrorForm } from '../../common/http/error-forms.js';
import { ServiceError } from '../../common/service-error.js';

/** Errors that every route can answer. */
const always: readonly AnsweredCode[] = ['internal_error', 'overloaded'];

const text = (description: string) => ({ type: 'string', description });

/** The one error shape (RFC 9457). */
export const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail', 'message'],
  properties: {
    type: { const: 'about:blank' },
    title: text('The reason phrase of the status.'),
    status: { type: 'integer' },
    code: { enum: Object.keys(problems), description: 'Stable; programs decide by it.' },
    detail: text('A sentence that says what to do next.'),
    message: text('The same sentence.'),
    executionId: text('The record of the call: on prediction, capture and render.'),
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['message'],
        properties: {
          path: text('Where, such as `photographs.0.data`; absent where a whole body is no text.'),
          message: text('What.'),
          offset: { type: 'integer', description: 'With `invalid_encoding`: the byte, counted as sent.' },
        },
      },
    },
    rejected: {
      type: 'array',
      description: 'With `no_usable_photograph`: each photograph by its place in the batch, and why.',
      items: {
        type: 'object',
        required: ['index', 'code', 'message'],
        properties: { index: { type: 'integer' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
    decided: {
      type: 'object',
      description: 'With `already_decided`: what was.',
      properties: {
        type: { enum: ['proceed', 'reject', 'expired', 'cancelled', 'flow_deleted'] },
        feedback: { type: 'string' },
        at: { type: 'string', format: 'date-time' },
      },
    },
    failedNode: {
      type: 'object',
      description: "With `flow_failed`, for a caller who holds the flow's key.",
      properties: { id: { type: 'string' }, label: { type: 'string' } },
    },
  },
} as const;

const SENTENCE = 'A sentence that says what to do next.';

/** The answers of these codes, by status, with what else `beside` says of such an answer; problems, or in another form. */
export function problemResponses(
  codes: readonly AnsweredCode[],
  form: ErrorForm | undefined,
  beside: (status: string, codes: readonly AnsweredCode[]) => object,
): Record<string, object> {
  const byStatus = new Map<number, AnsweredCode[]>();
  for (const code of [...codes, ...always]) {
    const { status } = problems[code];
    const known = byStatus.get(status) ?? [];
    byStatus.set(status, known.includes(code) ? known : [...known, code]);
  }
  return Object.fromEntries(
    [...byStatus].sort().map(([status, found]) => [
      String(status),
      {
        description: found.map((code) => `\`${code}\`: ${problems[code].when}`).join('\n\n'),
        ...beside(String(status), found),
        content: form
          ? {
              'application/json': contentOf('OpenAiError', found, (code) => otherExample(form, code)),
            }
          : { 'application/problem+json': contentOf('Problem', found, (code) => exampleOf(code, status)) },
      },
    ]),
  );
}

const contentOf = (
  schema: string,
  codes: readonly AnsweredCode[],
  example: (code: AnsweredCode) => unknown,
) => ({
  schema: { $ref: `#/components/schemas/${schema}` },
  examples: Object.fromEntries(codes.map((code) => [code, { value: example(code) }])),
});

const otherExample = (form: ErrorForm, code: AnsweredCode) =>
  form.body(new ServiceError(code, SENTENCE), undefined);

const exampleOf = (code: string, status: number) => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  code,
  detail: SENTENCE,
  message: SENTENCE,
});
