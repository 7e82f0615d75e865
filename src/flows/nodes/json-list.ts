import { parseJson } from '../../common/json/json-text.js';
import type { Json } from '../engine/json.js';
import { nodeValues } from '../engine/node-values.js';

/** A member of a config that gives a list, and the most of its items. */
export interface ListMember {
  name: string;
  most: number;
}

/** The list that a filled member gives: as it is, or as a text that is a JSON array. Throws, naming the member. */
export function jsonList(given: Json, { name, most }: ListMember): Json[] {
  const list = typeof given === 'string' ? fromText(given) : given;
  if (!Array.isArray(list)) throw new Error(`"${name}" must give a JSON array; it gave ${shown(list)}.`);
  if (list.length > most)
    throw new Error(`"${name}" gave ${list.length} items; more than ${most} are not worked on.`);
  return list;
}

function fromText(text: string): Json {
  try {
    return parseJson(text.trim(), nodeValues.share) as Json;
  } catch {
    return text;
  }
}

const shown = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
};
