import {
  CLEANLINESS,
  CONDITIONS,
  type FACT_KINDS,
  type FactMemberName,
} from '../../src/api/inspection-terms.js';

const LABELS: Readonly<Record<FactMemberName, string>> = {
  item: 'Item',
  condition: 'Condition',
  cleanliness: 'Cleanliness',
  description: 'Description',
  value: 'Reading',
  unit: 'Unit',
  serial: 'Serial number',
  kind: 'Kind',
  count: 'Count',
  place: 'Place',
  tested: 'Tested',
  expires: 'Expires',
};

/** Returns the label of a member in a form. */
export const factMemberLabel = (kind: (typeof FACT_KINDS)[number], name: FactMemberName): string =>
  kind === 'keys' && name === 'kind' ? 'Keys to' : LABELS[name];

interface Choice {
  value: string;
  name: string;
}

const choices = (names: readonly string[]): Choice[] => [
  { value: '', name: 'Not recorded' },
  ...names.map((value) => ({ value, name: value })),
];

/** The values of members that are chosen from a list; an empty one removes the member. */
export const FACT_MEMBER_CHOICES: Readonly<Partial<Record<FactMemberName, readonly Choice[]>>> = {
  condition: choices(CONDITIONS),
  cleanliness: choices(CLEANLINESS),
  tested: [
    { value: '', name: 'Not recorded' },
    { value: 'true', name: 'Yes' },
    { value: 'false', name: 'No' },
  ],
};

/** Limits on the characters of members; of others it is 500. */
export const LONGEST_FACT_MEMBERS: Readonly<Partial<Record<FactMemberName, number>>> = {
  description: 10_000,
};
