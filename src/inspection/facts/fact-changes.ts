import { z } from 'zod';
import type { Change } from '../../api/corrections.js';
import type { FactMemberName } from '../../api/inspection-terms.js';
import { InvalidRequest } from '../../common/service-error.js';
import { MEMBERS_OF } from './fact-members.js';
import type { FactKind, FactWord, FactWords } from './fact.js';
import { MOST_PHOTOGRAPHS } from './read-facts.js';

/** The changed members of a fact; null removes one. */
export type FactChange = Readonly<Pick<Change, FactMemberName | 'photographs'>>;

/** The members of a change as they were sent. */
type SentChange = {
  readonly [Name in keyof FactChange]?:
    | FactChange[Name]
    | (Name extends 'details' ? string : never)
    | null
    | undefined;
};

const KINDS = Object.keys(MEMBERS_OF) as FactKind[];

const word = z
  .union([z.string(), z.number(), z.boolean()], 'must be a text, a number, or true or false')
  .nullish();

/** A list, or a text with a line `label: value` each, as forms send it. */
const details = z
  .union(
    [z.array(z.object({ label: z.string(), value: z.string() })), z.string()],
    'must be a list of { label, value }',
  )
  .nullish();

/** Describes the kinds that have a member, and its values in each. */
function aboutMember(name: FactMemberName): string {
  const kinds = KINDS.flatMap((kind) => {
    const member = MEMBERS_OF[kind].get(name);
    return member ? [`${kind}: ${member.expected}`] : [];
  });
  const isRequired = KINDS.some((kind) => MEMBERS_OF[kind].get(name)?.required);
  const values = kinds.join('; ');
  const first = values.charAt(0).toUpperCase();
  return `${first}${values.slice(1)}.${isRequired ? '' : ' An empty text removes it.'}`;
}

const names = [...new Set(KINDS.flatMap((kind) => [...MEMBERS_OF[kind].keys()]))];

/** The words of all kinds; they are checked once the kind of the fact is known. */
export const factWords = Object.fromEntries(
  names.map((name) => [name, (name === 'details' ? details : word).describe(aboutMember(name))]),
) as Record<Exclude<FactMemberName, 'details'>, typeof word> & Record<'details', typeof details>;

/** The members of every kind: its words, and its photographs. */
export const factMembers = {
  ...factWords,
  photographs: z
    .array(z.string())
    .max(MOST_PHOTOGRAPHS, `may name ${MOST_PHOTOGRAPHS} photographs`)
    .nullish()
    .describe('Ids of photographs of its inspection, in place of those that it had.'),
};

/** Returns the members that were sent, for facts of any kind. */
export function factChangeIn(sent: SentChange): FactChange {
  const entries = Object.keys(factMembers).flatMap((name) => {
    const value = sent[name as keyof typeof sent];
    return value === undefined || value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(entries) as FactChange;
}

/** Reads the members sent for a fact of this kind, in stored form. Throws 400 for an unknown or invalid member. */
export function readFactChange(kind: FactKind, { photographs, ...sent }: FactChange): FactChange {
  const entries = Object.entries(sent).map(([name, value]) => [name, readWord(kind, name, value)]);
  const ids = photographs === undefined ? {} : { photographs: [...new Set(photographs)] };
  return { ...(Object.fromEntries(entries) as FactChange), ...ids };
}

function readWord(kind: FactKind, name: string, value: unknown): FactWord | null {
  const members = MEMBERS_OF[kind];
  const member = members.get(name as FactMemberName);
  if (!member) throw wrong(name, `is no member of this ${kind}: it has ${[...members.keys()].join(', ')}`);
  if (value === null || (typeof value === 'string' && value.trim() === '')) {
    if (!member.required) return null;
    throw wrong(name, 'must not be empty: send withdrawn: true to remove it');
  }
  const read = member.read(value);
  if (read === undefined || member.losesPart?.(value) === true)
    throw wrong(name, `must be ${member.expected}`);
  if (typeof read === 'string' && member.longest !== undefined && read.length > member.longest)
    throw wrong(name, `must have at most ${member.longest} characters`);
  return read;
}

const wrong = (path: string, message: string): InvalidRequest => new InvalidRequest([{ path, message }]);

/** Applies a change to the words of a fact, in the order in which they are stored. */
export function changedWords(kind: FactKind, words: FactWords, change: FactChange): FactWords {
  const entries = [...MEMBERS_OF[kind].keys()].flatMap((name): [string, FactWord][] => {
    const value = change[name] === undefined ? words[name] : change[name];
    return value === undefined || value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** Returns the change that restores the earlier words. */
export function reverseChange(now: FactWords, was: FactWords): FactChange {
  const members = [...new Set([...Object.keys(now), ...Object.keys(was)])] as FactMemberName[];
  const differing = members.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(was[name]));
  return Object.fromEntries(differing.map((name) => [name, was[name] ?? null]));
}
