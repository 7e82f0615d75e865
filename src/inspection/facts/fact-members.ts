import { CLEANLINESS, CONDITIONS, FACT_MEMBERS_OF, type FactMemberName } from '../../api/inspection-terms.js';
import type { FactKind } from './fact.js';

/** A member of a fact and its valid values. `read` returns undefined for an invalid one. */
export interface FactMember {
  /** The end of the sentence "… must be". */
  readonly expected: string;
  /** Limit on the stored characters of a text. */
  readonly longest?: number;
  /** Known words, for suggestions. */
  readonly words?: readonly string[];
  /** True if a fact without it is dropped. */
  readonly required?: true;
  read(value: unknown): string | number | boolean | undefined;
}

const LONGEST = 500;
const LONGEST_DESCRIPTION = 10_000;

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

const oneOf = (words: readonly string[]): FactMember => ({
  expected: `one of ${words.join(', ')}`,
  words,
  read: (value) => {
    const given = typeof value === 'string' ? value.trim().toLowerCase() : '';
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

const flag: FactMember = {
  expected: 'true or false',
  read: (value) => {
    if (typeof value === 'boolean') return value;
    const given = typeof value === 'string' ? value.trim().toLowerCase() : '';
    return given === 'true' ? true : given === 'false' ? false : undefined;
  },
};

const required = (member: FactMember): FactMember => ({ ...member, required: true });

type Members<Kind extends FactKind> = Readonly<Record<(typeof FACT_MEMBERS_OF)[Kind][number], FactMember>>;

const MEMBERS: { readonly [Kind in FactKind]: Members<Kind> } = {
  observation: {
    item: required(text()),
    condition: oneOf(CONDITIONS),
    cleanliness: oneOf(CLEANLINESS),
    description: text(LONGEST_DESCRIPTION),
  },
  reading: { value: required(textOrNumber), unit: text(), serial: textOrNumber },
  keys: { kind: required(text()), count },
  alarm: { kind: required(text()), place: text(), tested: flag, expires: textOrNumber },
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
