import type { CaseCheck, CheckResult } from '../../api/cases.js';
import type { Tokens } from '../../api/executions.js';
import type { Fault } from '../../common/service-error.js';
import type { Json } from '../../flows/engine/json.js';
import { jsonIn } from '../../flows/nodes/asking/structured-reading.js';
import { isPattern, matchPattern } from '../../flows/nodes/pattern.js';
import { formFault } from '../../flows/schema/check-form.js';
import { isSupported } from '../../flows/schema/compile-schema.js';
import { isTooLarge } from '../../flows/schema/schema-cost.js';

/** The outcome of a run that checks read. */
export interface CheckedAnswer {
  text: string;
  /** Structured answer, if the flow has one. */
  json?: Json;
  tokens?: Tokens;
  credits: number;
  durationMs: number;
}

/** Asks a model whether an answer meets a rubric. */
export type Judge = (check: Extract<CaseCheck, { kind: 'judge' }>, answer: string) => Promise<CheckResult>;

type CheckOf<Kind extends CaseCheck['kind']> = Extract<CaseCheck, { kind: Kind }>;

const LONGEST_SHOWN = 300;

/** Returns the faults of checks that could never pass, with their paths. */
export async function checkFaults(checks: readonly CaseCheck[]): Promise<Fault[]> {
  const faults = await Promise.all(
    checks.map(async (check, index): Promise<Fault[]> => {
      if (check.kind === 'regex' && !(await isPattern(check.value)))
        return [{ path: `checks.${index}.value`, message: 'must be a pattern in the syntax of RE2' }];
      const fault = check.kind === 'schema' ? schemaFault(check.schema as Json) : undefined;
      return fault === undefined ? [] : [{ path: `checks.${index}.schema`, message: fault }];
    }),
  );
  return faults.flat();
}

/** Runs the checks of a case in order. A check that cannot be carried out counts as failed and says why. */
export async function runChecks(
  checks: readonly CaseCheck[],
  answer: CheckedAnswer,
  { flowId, judge }: { flowId: string; judge: Judge },
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    try {
      results.push(await runCheck(check, answer, flowId, judge));
    } catch (error) {
      results.push(failed(`The check could not be carried out: ${(error as Error).message}`));
    }
  }
  return results;
}

async function runCheck(
  check: CaseCheck,
  answer: CheckedAnswer,
  flowId: string,
  judge: Judge,
): Promise<CheckResult> {
  switch (check.kind) {
    case 'contains':
      return result(
        answer.text.includes(check.value),
        'The answer contains the text',
        'The answer does not contain',
        check.value,
      );
    case 'equals':
      return equals(check, answer);
    case 'regex':
      return matches(check, answer, flowId);
    case 'json':
      return jsonEquals(check, answer);
    case 'schema':
      return fits(check, answer);
    case 'max':
      return within(check, answer);
    case 'judge':
      return judge(check, answer.text);
  }
}

function equals({ value }: CheckOf<'equals'>, { text }: CheckedAnswer): CheckResult {
  if (text === value) return passed('The answer is the expected one.');
  const wanted = value[Symbol.iterator]();
  let [from, position] = [0, 1];
  for (const character of text) {
    if (character !== wanted.next().value) break;
    from += character.length;
    position++;
  }
  return failed(`The answer differs from character ${position}: ${shown(text.slice(from))}.`);
}

async function matches(
  { value }: CheckOf<'regex'>,
  { text }: CheckedAnswer,
  flowId: string,
): Promise<CheckResult> {
  const found = await matchPattern(value, text, flowId);
  return found === undefined
    ? failed(`No part of the answer matches the pattern ${shown(value)}.`)
    : passed(`The answer matches: ${shown(found[0] ?? '')}.`);
}

function jsonEquals({ path, equals: wanted }: CheckOf<'json'>, answer: CheckedAnswer): CheckResult {
  const value = structuredOf(answer);
  if (value === undefined) return failed('The answer is not JSON.');
  const found = memberAt(value, path);
  const place = path === '' ? 'The answer' : `"${path}"`;
  if (found === undefined) return failed(`${place} is missing in the answer.`);
  return isSame(found, wanted)
    ? passed(`${place} is ${shownJson(found)}.`)
    : failed(`${place} is ${shownJson(found)}, not ${shownJson(wanted)}.`);
}

async function fits({ schema }: CheckOf<'schema'>, answer: CheckedAnswer): Promise<CheckResult> {
  const value = structuredOf(answer);
  if (value === undefined) return failed('The answer is not JSON.');
  const unchecked = schemaFault(schema as Json);
  if (unchecked !== undefined) return failed(`The schema ${unchecked}.`);
  const fault = await formFault(value, schema as Json);
  return fault === undefined
    ? passed('The answer fits the schema.')
    : failed(`The answer does not fit: ${shown(fault)}.`);
}

function schemaFault(schema: Json): string | undefined {
  if (isTooLarge(schema)) return 'is too large to be checked';
  return isSupported(schema) ? undefined : 'uses keywords that cannot be checked, such as "if"';
}

function within({ tokens, credits, ms }: CheckOf<'max'>, answer: CheckedAnswer): CheckResult {
  const { inputTokens = 0, outputTokens = 0 } = answer.tokens ?? {};
  const used = [
    { name: 'tokens', most: tokens, value: inputTokens + outputTokens },
    { name: 'credits', most: credits, value: answer.credits },
    { name: 'ms', most: ms, value: answer.durationMs },
  ].flatMap(({ most, ...each }) => (most === undefined ? [] : [{ ...each, most }]));
  const words = used.map(({ name, value, most }) => `${value} of ${most} ${name}`).join(', ');
  return { passed: used.every(({ value, most }) => value <= most), detail: `${words}.` };
}

const structuredOf = ({ json, text }: CheckedAnswer): Json | undefined => json ?? jsonIn(text);

/** Returns the value at a path of members and indexes; undefined if there is none. */
export function memberAt(value: Json, path: string): Json | undefined {
  let at: Json | undefined = value;
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, Json>)[name];
  }
  return at;
}

/** Compares JSON values regardless of the order of members. */
export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) &&
        isSame((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
    )
  );
}

const result = (isPassed: boolean, yes: string, no: string, value: string): CheckResult =>
  isPassed ? passed(`${yes} ${shown(value)}.`) : failed(`${no} ${shown(value)}.`);
const passed = (detail: string): CheckResult => ({ passed: true, detail });
export const failed = (detail: string): CheckResult => ({ passed: false, detail });
const shown = (text: string): string =>
  text.length <= LONGEST_SHOWN ? `"${text}"` : `"${text.slice(0, LONGEST_SHOWN).toWellFormed()}…"`;
const shownJson = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN).toWellFormed()}…`;
};
