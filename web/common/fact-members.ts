import {
  ACTIONS,
  CLEANLINESS,
  CONDITIONS,
  type FACT_KINDS,
  type FactMemberName,
  RESPONSIBILITIES,
} from '../../src/api/inspection-terms.js';

const LABELS: Readonly<Record<FactMemberName, string>> = {
  item: 'Item',
  condition: 'Condition',
  cleanliness: 'Cleanliness',
  description: 'Description',
  quantity: 'Quantity',
  make: 'Make',
  model: 'Model',
  age: 'Age',
  details: 'Further details, a line each: Colour: white',
  asBefore: 'As at check-in',
  responsibility: 'Responsibility',
  action: 'Action',
  note: 'Note',
  value: 'Reading',
  unit: 'Unit',
  serial: 'Serial number',
  kind: 'Kind',
  count: 'Count',
  place: 'Place',
  location: 'Location',
  supplier: 'Supplier',
  register: 'Register',
  returned: 'Returned',
  result: 'Result',
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

const UNKNOWN: Choice = { value: '', name: 'Not recorded' };

const choices = (names: readonly string[]): Choice[] => [
  UNKNOWN,
  ...names.map((value) => ({ value, name: value })),
];

const labelled = (labels: Readonly<Record<string, string>>): Choice[] => [
  UNKNOWN,
  ...Object.entries(labels).map(([value, name]) => ({ value, name })),
];

/** The values of members that are chosen from a list; an empty one removes the member. */
export const FACT_MEMBER_CHOICES: Readonly<Partial<Record<FactMemberName, readonly Choice[]>>> = {
  condition: choices(CONDITIONS),
  cleanliness: choices(CLEANLINESS),
  tested: labelled({ true: 'Yes', false: 'No' }),
  asBefore: labelled({ true: 'Yes' }),
  responsibility: labelled(RESPONSIBILITIES),
  action: labelled(ACTIONS),
};

/** Limits on the characters of members; of others it is 500. */
export const LONGEST_FACT_MEMBERS: Readonly<Partial<Record<FactMemberName, number>>> = {
  description: 10_000,
  note: 10_000,
  details: 6_100,
};

/** The value of a member. */
export type FactMemberWord =
  | string
  | number
  | boolean
  | readonly { readonly label: string; readonly value: string }[];

/** Returns the value of a member as a form shows it: a list as a line each, `Colour: white`. */
export function factMemberText(word: FactMemberWord | undefined): string {
  if (typeof word === 'object') return word.map(({ label, value }) => `${label}: ${value}`).join('\n');
  return word === undefined ? '' : String(word);
}
