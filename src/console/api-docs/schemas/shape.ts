import type { JsonSchema } from '../../../api/route-note.js';

export const text = { type: 'string' };
export const number = { type: 'integer' };
export const flag = { type: 'boolean' };
export const time = { type: 'string', format: 'date-time' };
export const maybe = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const mapOf = (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values });

/** An object whose members are all there, but for those whose name ends in `?`. */
export function shape(members: Record<string, JsonSchema>): JsonSchema {
  const names = Object.keys(members);
  return {
    type: 'object',
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), members[name]!])),
  };
}
