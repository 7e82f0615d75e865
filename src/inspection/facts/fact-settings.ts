import { z } from 'zod';
import { ACTIONS, CLEANLINESS, CONDITIONS, RESPONSIBILITIES } from '../../api/inspection-terms.js';
import type { Json } from '../../flows/engine/json.js';
import { isUnanswered } from '../flow-settings.js';
import { FACT_MEMBERS } from './fact.js';
import type { FactFields } from './read-facts.js';

const listOrText = z.union([z.string(), z.array(z.json())]).nullish();
const objectOrText = z.union([z.string(), z.record(z.string(), z.json())]).nullish();

/** The settings of a flow for the facts of a capture; a text is a template for the list or the object. */
export const factSettings = {
  observations: listOrText.describe(
    'What was seen: a list of { item, condition, cleanliness, description, quantity, make, model, serial, age, details, asBefore, responsibility, action, note, photographs }, or a template that gives one.',
  ),
  reading: objectOrText.describe(
    'A meter’s reading: { value, unit, serial, location, supplier, register }, or a template that gives one.',
  ),
  keys: listOrText.describe('Keys: a list of { kind, count, returned }, or a template that gives one.'),
  alarm: objectOrText.describe(
    'An alarm: { kind, place, tested, result, expires }, or a template that gives one.',
  ),
};

export type FactSettings = z.infer<z.ZodObject<typeof factSettings>>;

const text = { type: 'string' };

/** The arguments of a model for facts. */
export const FACT_ARGUMENTS = {
  observations: {
    type: 'array',
    description: 'What was said of items in the area; leave out what was not said.',
    items: {
      type: 'object',
      properties: {
        item: text,
        condition: { type: 'string', enum: CONDITIONS },
        cleanliness: { type: 'string', enum: CLEANLINESS },
        description: text,
        quantity: { type: 'integer' },
        ...{ make: text, model: text, serial: text, age: text },
        details: {
          type: 'array',
          description: 'Up to six further values with their labels.',
          items: { type: 'object', properties: { label: text, value: text }, required: ['label', 'value'] },
        },
        asBefore: {
          type: 'boolean',
          description: 'At a check-out: true if the item is as the check-in describes it.',
        },
        responsibility: { type: 'string', enum: Object.keys(RESPONSIBILITIES) },
        action: { type: 'string', enum: Object.keys(ACTIONS) },
        note: text,
      },
      required: ['item'],
    },
  },
  reading: {
    type: 'object',
    description: 'The reading of the meter that the area is, with its digits as they stand there.',
    properties: { value: text, unit: text, serial: text, location: text, supplier: text, register: text },
    required: ['value'],
  },
  keys: {
    type: 'array',
    description: 'The keys of the area Keys, a kind each.',
    items: {
      type: 'object',
      properties: { kind: text, count: { type: 'integer' }, returned: { type: 'integer' } },
      required: ['kind'],
    },
  },
  alarm: {
    type: 'object',
    description: 'An alarm of the area Detectors.',
    properties: { kind: text, place: text, tested: { type: 'boolean' }, result: text, expires: text },
    required: ['kind'],
  },
} as const;

/**
 * Fills the facts of settings by `fill`. A reference without a value counts as absent, so that a flow may refer to
 * optional values. A text that is not JSON stays a text, for which the reader gives a warning.
 */
export async function filledFacts(
  settings: FactSettings,
  { fill, parse }: { fill: (value: Json) => Promise<Json>; parse: (text: string) => Json },
): Promise<FactFields> {
  const found: Record<string, Json> = {};
  for (const name of FACT_MEMBERS) {
    const value = settings[name];
    if (value === undefined || value === null) continue;
    const filled = await fill(value);
    const pruned = withoutBlanks(typeof filled === 'string' ? parsed(filled, parse) : filled);
    if (pruned !== undefined) found[name] = pruned;
  }
  return found;
}

function parsed(filled: string, parse: (text: string) => Json): Json {
  try {
    return parse(filled);
  } catch {
    return filled;
  }
}

/** Removes empty members and items, and references without a value. */
function withoutBlanks(value: Json): Json | undefined {
  if (typeof value === 'string') return value.trim() === '' || isUnanswered(value.trim()) ? undefined : value;
  if (Array.isArray(value)) {
    const items = value.flatMap((item) => withoutBlanks(item) ?? []);
    return items.length === 0 ? undefined : items;
  }
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const found = withoutBlanks(member);
    return found === undefined ? [] : [[name, found]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
