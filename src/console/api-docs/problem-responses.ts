import { STATUS_CODES } from 'node:http';
import { type AnsweredCode, problems } from '../../api/problems.js';
import type { ErrorForm } from '../../common/http/error-forms.js';
import { ServiceError } from '../../common/service-error.js';

/** Errors that every route can answer. */
const always: readonly AnsweredCode[] = ['internal_error', 'overloaded'];

const SENTENCE = 'A sentence that says what to do next.';

/** Describes the answers with these codes, by status; `beside` adds members such as headers. Errors are problems, or of `form`. */
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
