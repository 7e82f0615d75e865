import { z } from 'zod';
import type { BodyNote, JsonSchema } from '../../api/route-note.js';

type Members = Record<string, Record<string, unknown>>;

/** Returns the JSON Schema of the input of a zod schema. The service's custom checks are all for objects. */
function schemaOf(type: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'object';
    },
  });
  return schema;
}

/** Describes the body of a route: the schema that validates it, with the note's sentences about members. */
export function requestBody(
  note: BodyNote | undefined,
  validated: z.ZodType | undefined,
): object | undefined {
  if (!note && !validated) return undefined;
  const given = note?.json;
  const schema = given === undefined || isSchema(given) ? given : schemaOf(given);
  const json = schema ?? (validated && schemaOf(validated));
  const examples = Object.entries(note?.examples ?? {}).map(([name, value]) => [name, { value }]);
  return {
    required: true,
    content: {
      ...(json
        ? {
            'application/json': {
              schema: explained(json, note?.members ?? {}),
              ...(examples.length > 0 ? { examples: Object.fromEntries(examples) as object } : {}),
            },
          }
        : {}),
      ...(note?.multipart ? { 'multipart/form-data': { schema: note.multipart } } : {}),
    },
  };
}

const isSchema = (value: z.ZodType | JsonSchema): value is JsonSchema => !('_zod' in value);

/** Returns the JSON Schema of an answer; schemas with an id are put into `components` and referred to. */
export function jsonSchemaOf(answer: z.ZodType | JsonSchema, components: Record<string, object>): JsonSchema {
  if (isSchema(answer)) return answer;
  // Wrapped, because zod writes the outermost schema in place.
  const { properties, $defs = {} } = z.toJSONSchema(z.object({ answer }), {
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'object';
      // Clients must accept members that they do not know; the service's own checks are stricter.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      delete jsonSchema.propertyNames;
      if (Object.keys(jsonSchema.properties ?? { none: 1 }).length === 0) delete jsonSchema.properties;
    },
  });
  const referred = <Value>(value: Value) =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as Value;
  Object.assign(components, referred($defs));
  return referred(properties!['answer'] as JsonSchema);
}

/** Describes a stream by the shape of its `data:` lines, which is put into `components`. */
export function eventLines(line: z.ZodType | JsonSchema, components: Record<string, object>): JsonSchema {
  const { $ref, ...schema } = jsonSchemaOf(line, components);
  if (typeof $ref !== 'string') return schema;
  const name = $ref.split('/').at(-1);
  return { type: 'string', description: `Each \`data:\` line holds one \`${name}\` as JSON.` };
}

/** Adds the descriptions of a note to the members. A member that only the note names is added. */
function explained(schema: JsonSchema, members: NonNullable<BodyNote['members']>): JsonSchema {
  const copy = structuredClone(schema) as Record<string, unknown>;
  for (const [path, said] of Object.entries(members)) {
    let target = copy;
    for (const name of path.split('.')) {
      const choices = (target['anyOf'] ?? target['oneOf']) as Record<string, unknown>[] | undefined;
      const owner = choices?.[0] ?? target;
      const properties = (owner['properties'] ??= {}) as Members;
      target = properties[name] ??= { type: 'string' };
    }
    Object.assign(target, typeof said === 'string' ? { description: said } : said);
  }
  return copy;
}

/** Lists the parameters of a query: the members of its schema, and those that only the note names. */
export function queryParameters(
  type: z.ZodType | undefined,
  sentences: Readonly<Record<string, string>> = {},
): object[] {
  const { properties = {}, required = [] } = (type ? schemaOf(type) : {}) as {
    properties?: Members;
    required?: string[];
  };
  return [...new Set([...Object.keys(properties), ...Object.keys(sentences)])].map((name) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(name in sentences ? { description: sentences[name] } : {}),
    schema: properties[name] ?? { type: 'string' },
  }));
}
