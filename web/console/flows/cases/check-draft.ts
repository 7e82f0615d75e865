import type { CheckKind } from '../../../../src/api/case-terms.js';
import type { CaseCheck } from '../../../../src/api/cases.js';

/** A check as its form holds it: texts, whatever its kind. */
export interface CheckDraft {
  /** Unique in the page. */
  id: number;
  kind: CheckKind;
  /** The text of `contains`, `equals`, `regex`, and the rubric of `judge`. */
  text: string;
  path: string;
  /** JSON of the wanted value, or of the schema. */
  json: string;
  tokens: string;
  credits: string;
  ms: string;
  model?: Extract<CaseCheck, { kind: 'judge' }>['model'];
}

let lastId = 0;

export const emptyCheck = (kind: CheckKind = 'contains'): CheckDraft => ({
  ...{ id: ++lastId, kind, text: '', path: '', json: '', tokens: '', credits: '', ms: '' },
});

export function draftOfCheck(check: CaseCheck): CheckDraft {
  const draft = emptyCheck(check.kind);
  switch (check.kind) {
    case 'json':
      return { ...draft, path: check.path, json: JSON.stringify(check.equals) };
    case 'schema':
      return { ...draft, json: JSON.stringify(check.schema, null, 2) };
    case 'max':
      return { ...draft, ...numbersIn(check) };
    case 'judge':
      return { ...draft, text: check.rubric, ...(check.model ? { model: check.model } : {}) };
    default:
      return { ...draft, text: check.value };
  }
}

/** Returns the check of a form, or the sentence that says what is missing. */
export function readCheck(draft: CheckDraft): { check: CaseCheck } | { fault: string } {
  const { kind, text, path, json, model } = draft;
  switch (kind) {
    case 'json': {
      const equals = parsed(json);
      return equals === undefined
        ? { fault: 'Enter the value as JSON: a text stands in quotation marks.' }
        : { check: { kind, path, equals: equals as never } };
    }
    case 'schema': {
      const schema = parsed(json);
      return typeof schema === 'object' && schema !== null && !Array.isArray(schema)
        ? { check: { kind, schema: schema as Record<string, unknown> } }
        : { fault: 'Enter a JSON Schema.' };
    }
    case 'max':
      return readLimits(draft);
    case 'judge':
      return text.trim() === ''
        ? { fault: 'Enter what a good answer does.' }
        : { check: { kind, rubric: text, ...(model ? { model } : {}) } };
    case 'equals':
      return { check: { kind, value: text } };
    default:
      return text === '' ? { fault: 'Enter a text.' } : { check: { kind, value: text } };
  }
}

const LIMITS = ['tokens', 'credits', 'ms'] as const;

function readLimits(draft: CheckDraft): { check: CaseCheck } | { fault: string } {
  const given = LIMITS.filter((name) => draft[name].trim() !== '');
  const limits = given.map((name) => [name, Number(draft[name])] as const);
  if (limits.length === 0 || limits.some(([, limit]) => !(limit >= 0)))
    return { fault: 'Enter at least one limit, a number.' };
  return { check: { kind: 'max', ...Object.fromEntries(limits) } };
}

const numbersIn = (check: Extract<CaseCheck, { kind: 'max' }>) =>
  Object.fromEntries(LIMITS.map((name) => [name, check[name]?.toString() ?? ''])) as Pick<
    CheckDraft,
    (typeof LIMITS)[number]
  >;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
