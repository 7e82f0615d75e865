import { z } from 'zod';
import { jsonObject } from '../../../api/flow-definition.js';
import { isJsonObject, type Json } from '../../engine/json.js';
import { isTooLarge, TOO_LARGE } from '../../schema/schema-cost.js';

const field = z.object({
  key: z.string().min(1),
  type: z.enum(['string', 'stringArray', 'number', 'boolean', 'enum', 'jsonArray']).default('string'),
  /** Values of an `enum`, separated by commas. */
  enumValues: z.string().optional(),
  /** The JSON Schema of an item of a `jsonArray`, or its members: name → schema, as AgentFlow exports have it. */
  jsonSchema: z.union([z.string(), jsonObject]).optional(),
  description: z.string().optional(),
});

/** The members of a model's answer: a list of fields, or a JSON Schema of an object. */
export const structuredOutput = z
  .union([z.array(field).min(1).max(100), jsonObject])
  .refine((wanted) => !isTooLarge(answerSchema(wanted)), TOO_LARGE);

type Field = z.infer<typeof field>;
type Wanted = Field[] | Record<string, Json>;

/** Returns the JSON Schema for the model. */
export function answerSchema(wanted: Wanted): Json {
  if (!Array.isArray(wanted)) return wanted;
  return {
    type: 'object',
    properties: Object.fromEntries(wanted.map((item) => [item.key, fieldSchema(item)])),
    required: wanted.map(({ key }) => key),
    additionalProperties: false,
  };
}

/**
 * Returns a node's own output members with those of the model's answer; undefined when they are not known.
 */
export function withAnswerMembers(own: readonly string[], wanted: Json | undefined): string[] | undefined {
  if (wanted === undefined) return [...own];
  const { success, data } = structuredOutput.safeParse(wanted);
  if (!success) return undefined;
  if (Array.isArray(data)) return [...own, ...data.map(({ key }) => key)];
  const { properties, additionalProperties = false } = data;
  const isClosed = additionalProperties === false && !OPEN_SCHEMA.some((name) => Object.hasOwn(data, name));
  return isClosed && typeof properties === 'object' && properties !== null && !Array.isArray(properties)
    ? [...own, ...Object.keys(properties)]
    : undefined;
}

/** Members of a schema that may allow further properties. */
const OPEN_SCHEMA = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'if'];

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
  const item = typeof schema === 'string' ? parsed(schema) : schema;
  if (!isMembers(item)) return item ?? { type: 'object' };
  return { type: 'object', properties: item, required: Object.keys(item), additionalProperties: false };
}

function parsed(schema: string): Json | undefined {
  try {
    return JSON.parse(schema) as Json;
  } catch {
    return undefined;
  }
}

/** Returns whether a value names the members of an item: each of its values is a schema with a type. */
function isMembers(value: Json | undefined): value is Record<string, Json> {
  if (!isJsonObject(value)) return false;
  const members = Object.values(value);
  return (
    members.length > 0 &&
    members.every((member) => isJsonObject(member) && typeof member['type'] === 'string')
  );
}
