import { z } from 'zod';
import { parseJson } from '../../common/json/json-text.js';
import type { Json } from '../../flows/engine/json.js';
import { isUnanswered } from '../flow-settings.js';
import { META_MEMBERS, type MetaName } from '../report/meta-members.js';
import { type DetailsChange, readDetailsChange } from './read-details.js';

/** The members of a record in a node's config: templates or literal values. */
export const detailsSetting = z
  .union([
    z.string(),
    z.strictObject(
      Object.fromEntries(
        Object.entries(META_MEMBERS).map(([name, { about }]) => [name, z.json().optional().describe(about)]),
      ),
    ),
  ])
  .describe('Details of the property for the record of the inspection, or a template that gives them.');

export type DetailsSetting = z.infer<typeof detailsSetting>;

type Fill = (template: string) => Promise<Json>;

/**
 * Returns the change in the settings of a node. Fills every text once, and parses texts of members of other types. An
 * empty text or a reference without a value changes nothing; null removes. Undefined if nothing changes.
 */
export async function readDetailsSetting(
  setting: DetailsSetting | null | undefined,
  value: Fill,
): Promise<DetailsChange | undefined> {
  if (setting === undefined || setting === null) return undefined;
  const filled = await fillDeep(setting as Json, value);
  const given = typeof filled === 'string' ? fromText(filled) : filled;
  if (isBlank(given) || given === null) return undefined;
  if (typeof given !== 'object' || Array.isArray(given)) return readDetailsChange(given);
  const members = Object.entries(given).filter(([, member]) => !isBlank(member));
  return readDetailsChange(Object.fromEntries(members.map(([name, each]) => [name, typed(name, each)])));
}

/** Fills every text in a value at any depth; a text that is a single reference gets the type of its value. */
export async function fillDeep(value: Json, fill: Fill): Promise<Json> {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return Promise.all(value.map((item) => fillDeep(item, fill)));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(async ([name, each]): Promise<[string, Json]> => [
    name,
    await fillDeep(each, fill),
  ]);
  return Object.fromEntries(await Promise.all(members));
}

const isBlank = (value: Json | undefined): boolean =>
  value === undefined || (typeof value === 'string' && (value.trim() === '' || isUnanswered(value.trim())));

function typed(name: string, value: Json): Json {
  const type = META_MEMBERS[name as MetaName]?.type ?? 'text';
  if (type === 'text' || type === 'areas' || type === 'report')
    return typeof value === 'number' ? String(value) : value;
  if (type === 'flag') return typeof value === 'string' ? fromText(value.trim().toLowerCase()) : value;
  const given = typeof value === 'string' ? fromText(value) : value;
  if (type === 'coordinates') return numbersOf(given);
  if (type === 'names' && typeof given === 'string') return withoutBlanks(given.split('\n'));
  return type === 'comments' ? given : withoutBlanks(given);
}

/** Converts the texts of coordinates to numbers. */
export function numbersOf(geo: Json): Json {
  if (typeof geo !== 'object' || geo === null || Array.isArray(geo)) return geo;
  const number = (value: Json) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value);
  return Object.fromEntries(Object.entries(geo).map(([name, value]) => [name, number(value)]));
}

/** Removes blank texts and references without a value, at any depth. */
export function withoutBlanks(value: Json): Json {
  if (Array.isArray(value)) return value.filter((each) => !isBlank(each)).map(withoutBlanks);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, each]) => !isBlank(each));
  return Object.fromEntries(members.map(([name, each]) => [name, withoutBlanks(each)]));
}

/** Returns the value of a JSON text; any other text is returned unchanged. */
function fromText(text: string): Json {
  try {
    return parseJson(text) as Json;
  } catch {
    return text;
  }
}
