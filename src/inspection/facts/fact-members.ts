import {
  ACTIONS,
  CLEANLINESS,
  CONDITIONS,
  FACT_MEMBERS_OF,
  type FactMemberName,
  MOST_ITEM_DETAILS,
  RESPONSIBILITIES,
} from '../../api/inspection-terms.js';
import { possibleWord } from '../../common/texts/possible-word.js';
import type { FactKind, FactWord, ItemDetail } from './fact.js';

/** A member of a fact and its valid values. */
export interface FactMember {
  /** The end of the sentence "… must be". */
  readonly expected: string;
  /** Limit on the stored characters of a text. */
  readonly longest?: number;
  /** Known words, for suggestions. */
  readonly words?: readonly string[];
  /** True if a fact without it is dropped. */
  readonly required?: true;
  /** Returns undefined for an invalid value, and null for one that means the same as none. */
  read(value: unknown): FactWord | null | undefined;
  /** Returns true if `read` drops part of a value that it accepts. */
  losesPart?(value: unknown): boolean;
}

const LONGEST = 500;
const LONGEST_DESCRIPTION = 10_000;
/** Most lines of a text with item details that are read. */
const MOST_LINES = 1_000;

const text = (longest = LONGEST): FactMember => ({
  expected: 'a text',
  longest,
  read: (value) => (typeof value === 'string' ? value : undefined),
});

const textOrNumber: FactMember = {
  expected: 'a text or a number',
  longest: LONGEST,
  read: (value) =>
    typeof value === 'string' || Number.isFinite(value) ? (value as string | number) : undefined,
};

/** Spaces and hyphens count as the underscores of a word. */
const oneOf = (words: readonly string[]): FactMember => ({
  expected: `one of ${words.join(', ')}`,
  words,
  read: (value) => {
    const given = typeof value === 'string' ? possibleWord(value).toLowerCase().replace(/[\s-]/g, '_') : '';
    return words.includes(given) ? given : undefined;
  },
});

/** Forms and templates of flows write numbers and flags as texts. */
const count: FactMember = {
  expected: 'a whole number, 0 or more',
  read: (value) => {
    const given = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value;
    return Number.isSafeInteger(given) && (given as number) >= 0 ? (given as number) : undefined;
  },
};

const readFlag = (value: unknown): boolean | undefined => {
  if (typeof value === 'boolean') return value;
  const given = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return given === 'true' ? true : given === 'false' ? false : undefined;
};

const flag: FactMember = { expected: 'true or false', read: readFlag };

/** A flag that is only stored if it is set. */
const mark: FactMember = {
  expected: 'true',
  read: (value) => (readFlag(value) === false ? null : readFlag(value)),
};

/** A list, or in forms and templates a text with a line `label: value` each. */
const itemDetails: FactMember = {
  expected: `an array of at most ${MOST_ITEM_DETAILS} { label, value } with texts of at most ${LONGEST} characters`,
  read: (value) => {
    const given = detailsIn(value);
    const found = given?.flatMap((each) => readDetail(each) ?? []).slice(0, MOST_ITEM_DETAILS);
    return found?.length === 0 ? (given?.length === 0 ? null : undefined) : found;
  },
  losesPart: (value) => {
    const given = detailsIn(value) ?? [];
    return given.length > MOST_ITEM_DETAILS || given.some((each) => readDetail(each) === undefined);
  },
};

function detailsIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value !== 'string') return undefined;
  return value
    .split('\n', MOST_LINES)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf(':');
      return at < 0 ? line : { label: line.slice(0, at).trim(), value: line.slice(at + 1).trim() };
    });
}

function readDetail(given: unknown): ItemDetail | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const [label, value] = ['label', 'value'].map((name) => detailText(own(given, name)));
  return label === undefined || value === undefined ? undefined : { label, value };
}

function detailText(value: unknown): string | undefined {
  const given = Number.isFinite(value) ? String(value) : value;
  return typeof given === 'string' && /\S/.test(given) && given.length <= LONGEST ? given : undefined;
}

/** Returns an own member only: one may be named `constructor` or `__proto__`. */
export const own = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;

const required = (member: FactMember): FactMember => ({ ...member, required: true });

type Members<Kind extends FactKind> = Readonly<Record<(typeof FACT_MEMBERS_OF)[Kind][number], FactMember>>;

const MEMBERS: { readonly [Kind in FactKind]: Members<Kind> } = {
  observation: {
    item: required(text()),
    condition: oneOf(CONDITIONS),
    cleanliness: oneOf(CLEANLINESS),
    description: text(LONGEST_DESCRIPTION),
    quantity: count,
    make: textOrNumber,
    model: textOrNumber,
    serial: textOrNumber,
    age: textOrNumber,
    details: itemDetails,
    asBefore: mark,
    responsibility: oneOf(Object.keys(RESPONSIBILITIES)),
    action: oneOf(Object.keys(ACTIONS)),
    note: text(LONGEST_DESCRIPTION),
  },
  reading: {
    value: required(textOrNumber),
    unit: text(),
    serial: textOrNumber,
    location: text(),
    supplier: text(),
    register: textOrNumber,
  },
  keys: { kind: required(text()), count, returned: count },
  alarm: { kind: required(text()), place: text(), tested: flag, result: text(), expires: textOrNumber },
};

const inOrder = <Kind extends FactKind>(kind: Kind): ReadonlyMap<FactMemberName, FactMember> => {
  const members: Readonly<Partial<Record<FactMemberName, FactMember>>> = MEMBERS[kind];
  return new Map(FACT_MEMBERS_OF[kind].map((name) => [name, members[name]!]));
};

/** The members of each kind, in the order in which they are stored (contract section 5). */
export const MEMBERS_OF: Readonly<Record<FactKind, ReadonlyMap<FactMemberName, FactMember>>> = {
  observation: inOrder('observation'),
  reading: inOrder('reading'),
  keys: inOrder('keys'),
  alarm: inOrder('alarm'),
};
