import { z } from 'zod';
import { jsonObject } from '../../definition/flow-definition.js';
import type { Json } from '../../engine/json.js';

const field = z.object({
  key: z.string().min(1),
  type: z.enum(['string', 'stringArray', 'number', 'boolean', 'enum', 'jsonArray']).default('string'),
  /** Separated by commas. */
  enumValues: z.string().optional(),
  /** Of one item of a `jsonArray`. */
  jsonSchema: z.union([z.string(), jsonObject]).optional(),
  description: z.string().optional(),
});

/** The members that a model must answer, as a list of fields or as a JSON Schema of an object. */
export const structuredOutput = z.union([z.array(field).min(1).max(100), jsonObject]);

type Field = z.infer<typeof field>;

/** The JSON Schema that the model is given. */
export function answerSchema(wanted: z.infer<typeof structuredOutput>): Json {
  if (!Array.isArray(wanted)) return wanted;
  return {
    type: 'object',
    properties: Object.fromEntries(wanted.map((item) => [item.key, fieldSchema(item)])),
    required: wanted.map(({ key }) => key),
    additionalProperties: false,
  };
}

function fieldSchema({ type, description, enumValues = '', jsonSchema }: Field): Json {
  const described: Record<string, Json> = description === undefined ? {} : { description };
  switch (type) {
    case 'stringArray':
      return { type: 'array', items: { type: 'string' }, ...described };
    case 'enum': {
      const values = enumValues.split(',').map((value) => value.trim());
      return { type: 'string', enum: values.filter((value) => value !== ''), ...described };
    }
    case 'jsonArray':
      return { type: 'array', items: itemSchema(jsonSchema), ...described };
    default:
      return { type, ...described };
  }
}

function itemSchema(schema: Field['jsonSchema']): Json {
  if (typeof schema !== 'string') return schema ?? { type: 'object' };
  try {
    return JSON.parse(schema) as Json;
  } catch {
    return { type: 'object' };
  }
}
