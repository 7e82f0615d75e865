import { z } from 'zod';
import type { Fault } from './service-error.js';

/** Faults of one body that are reported. */
const MOST_FAULTS = 100;

/** Members or values that a sentence lists. */
const MOST_NAMES = 20;

type Issue = z.core.$ZodRawIssue;

/**
 * Sets the messages of all schemas that have none of their own. A message follows the path and says what to send, not how
 * the schema is written. Set on import, since every module that reports a fault imports this one.
 */
z.config({ customError: inPlainWords });

/** Returns the faults of a value that broke its schema, with paths below `under`. */
export const faultsOf = (error: z.ZodError, ...under: readonly string[]): Fault[] =>
  error.issues.slice(0, MOST_FAULTS).map(({ path, message }) => ({
    path: [...under, ...path.map(String)].join('.'),
    message,
  }));

/** Returns the faults of a value like `faultsOf`; those of a union are those of its only form of the value's type. */
export const faultsByType = (error: z.ZodError): Fault[] =>
  faultsOf(new z.ZodError(error.issues.flatMap(issuesByType)));

function issuesByType(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [only, ...others] = issue.errors.filter(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  if (only === undefined || others.length > 0) return [issue];
  return only.flatMap((each) => issuesByType({ ...each, path: [...issue.path, ...each.path] }));
}

/** Returns the first fault as one text. */
export function firstFaultOf(error: z.ZodError): string {
  const [fault] = faultsOf(error);
  return `${fault?.path ?? ''} ${fault?.message ?? 'is not valid'}`.trim();
}

function inPlainWords(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (!isMissing(issue)) return `must be ${noun(issue.expected)}`;
      return Object.hasOwn(nouns, issue.expected) ? `is missing: send ${noun(issue.expected)}` : 'is missing';
    case 'invalid_value':
      return isMissing(issue) ? `is missing: send ${oneOf(issue.values)}` : `must be ${oneOf(issue.values)}`;
    case 'too_small':
      return sized(
        issue,
        issue.minimum,
        issue.exact ? 'exactly' : issue.inclusive ? 'at least' : 'more than',
      );
    case 'too_big':
      return sized(issue, issue.maximum, issue.exact ? 'exactly' : issue.inclusive ? 'at most' : 'less than');
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'of the form that the API description gives'}`;
    case 'unrecognized_keys':
      return unknownMembers(issue.keys, issue.inst);
    case 'invalid_union':
      return union(issue);
    case 'invalid_key':
      return 'has a member with a name that is not allowed: rename it or leave it out';
    case 'invalid_element':
      return 'has an element that is not allowed: correct it or leave it out';
    case 'custom':
      return 'is not valid: see the API description';
  }
}

const isMissing = ({ input }: Issue): boolean => input === undefined;

const nouns: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  set: 'a list',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  null: 'null',
  date: 'a date',
};

const noun = (expected: string): string => nouns[expected] ?? 'what the API description gives';

const formats: Readonly<Record<string, string>> = {
  email: 'a plain e-mail address',
  url: 'a web address',
  uuid: 'an id (a UUID)',
  guid: 'an id (a UUID)',
  date: 'a date such as 2026-11-21',
  time: 'a time such as 09:30:00',
  datetime: 'an ISO 8601 time such as 2026-11-21T09:30:00Z',
  ipv4: 'an IP address',
  ipv6: 'an IP address',
  base64: 'base64',
  base64url: 'base64url',
  json_string: 'JSON',
};

/** Characters of a quoted name, since a caller's may be as long as a body. */
const LONGEST_NAME = 64;

const quoted = (value: unknown): string =>
  typeof value === 'string' ? `"${value.slice(0, LONGEST_NAME).toWellFormed()}"` : String(value);

function listed(values: readonly unknown[], last: string): string {
  const words = values.slice(0, MOST_NAMES).map(quoted);
  if (values.length > MOST_NAMES) return `${words.join(', ')} …`;
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

const oneOf = (values: readonly unknown[]): string => listed(values, 'or');

const counted: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['element', 'elements'],
  set: ['element', 'elements'],
  object: ['member', 'members'],
  record: ['member', 'members'],
  map: ['member', 'members'],
  file: ['byte', 'bytes'],
};

function sized({ origin }: { origin: string }, bound: number | bigint, how: string): string {
  const units = counted[origin];
  if (units === undefined) return `must be ${how} ${bound}`;
  if (how === 'at least' && Number(bound) === 1) return 'must not be empty';
  return `must have ${how} ${bound} ${units[Number(bound) === 1 ? 0 : 1]}`;
}

function unknownMembers(keys: readonly string[], schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const has = known.length > 0 ? `: it has ${listed(known, 'and')}` : '';
  return `does not have ${keys.length > 1 ? 'the members' : 'a member'} ${listed(keys, 'and')}${has}`;
}

/** Names the values that tell the forms of a union apart, else the faults of the value as each of them. */
function union(issue: Issue & { code: 'invalid_union' }): string {
  if ('options' in issue && Array.isArray(issue.options)) return `must be ${oneOf(issue.options)}`;
  if (isMissing(issue)) return 'is missing';
  const { errors } = issue;
  const sentences = errors.map((faults) =>
    faults.map(({ path, message }) => [...path, message].join(' ')).join(', '),
  );
  const forms = [...new Set(sentences)].filter((fault) => fault !== '');
  return forms.length === 0 ? 'has none of the forms that it may have' : forms.join(', or ');
}
