import type { Json } from '../engine/json.js';
import { jsonOrText } from '../engine/node-values.js';

/** A list in a config, with the most of its items. */
interface ListMember {
  name: string;
  most: number;
}

/** Returns the list in a filled member: a list, or a text that is a JSON array. Throws with the name of the member. */
export function jsonList(given: Json, { name, most }: ListMember): Json[] {
  const list = typeof given === 'string' ? jsonOrText(given) : given;
  if (!Array.isArray(list)) throw new Error(`"${name}" must be a JSON array; it is ${shown(list)}.`);
  if (list.length > most) throw new Error(`"${name}" has ${list.length} items; at most ${most} are allowed.`);
  return list;
}

const shown = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
};
