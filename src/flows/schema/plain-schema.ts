import { isJsonObject, type Json } from '../engine/json.js';

type Members = Record<string, Json>;

/** Members of a schema that map names to schemas. */
const NAMED_SCHEMAS = new Set(['properties', '$defs', 'definitions']);

/** Members of a schema that are schemas, or lists of schemas. */
const SCHEMAS = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'propertyNames', 'additionalProperties'],
  ...['items', 'prefixItems', 'additionalItems', 'contains'],
]);

/** Keywords that apply to values of one type. */
const OF_ONE_TYPE = new Set([
  ...['properties', 'required', 'additionalProperties', 'propertyNames', 'minProperties', 'maxProperties'],
  ...['items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  ...['minLength', 'maxLength', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

const TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'];

/** Members that are not checked: a pattern may take exponential time, and a default would excuse a missing member. */
const UNCHECKED = new Set([
  ...['pattern', 'patternProperties', 'default', 'examples', 'title', 'description', 'readOnly'],
]);

const HEAD = ['$schema', '$defs', 'definitions'];
const ALONE = ['$ref', 'anyOf', 'oneOf', 'allOf'];

/**
 * Rewrites a schema so that zod checks all of it. Zod ignores keywords without `type`, keywords beside `$ref`, `enum` and
 * `const`, sizes without `items`, and `required` without `properties`; it compares objects and lists by identity.
 */
export function plainSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (!isJsonObject(schema)) return schema;
  const isChecked = (name: string): boolean =>
    !UNCHECKED.has(name) && !(name === 'additionalProperties' && Object.hasOwn(schema, 'patternProperties'));
  const checked = Object.entries(schema)
    .filter(([name]) => isChecked(name))
    .map(([name, value]): [string, Json] => [name, plainMember(name, value)]);
  const membersIn = (names: readonly string[]): Members =>
    Object.fromEntries(checked.filter(([name]) => names.includes(name)));
  const own = Object.fromEntries(checked.filter(([name]) => ![...HEAD, ...ALONE].includes(name)));
  const parts = [...ALONE.map((name) => membersIn([name])), ...ownParts(own)].filter(
    (part) => Object.keys(part).length > 0,
  );
  const [only = {}, ...others] = parts;
  return { ...membersIn(HEAD), ...(others.length === 0 ? only : { allOf: parts.map(closed) }) };
}

function plainMember(name: string, value: Json): Json {
  if (name === 'allOf' && Array.isArray(value)) return value.map((each) => closed(plainSchema(each)));
  if (SCHEMAS.has(name)) return plainSchema(value);
  if (!NAMED_SCHEMAS.has(name) || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, schema]) => [key, plainSchema(schema)]));
}

/** Returns the parts for `enum`, `const`, and the keywords of types. */
function ownParts({ enum: values, const: value, ...typed }: Members): Members[] {
  const parts: Members[] = [];
  if (values !== undefined) parts.push(valuesPart(values, typed['type']));
  if (value !== undefined) parts.push(valuesPart([value], typed['type']));
  if (parts.length > 0) delete typed['type'];
  return [...parts, ...typedParts(typed)];
}

function valuesPart(values: Json, type: Json | undefined): Members {
  if (!Array.isArray(values)) return { enum: values };
  const fitting = type === undefined ? values : values.filter((value) => isOfType(value, [type].flat()));
  return fitting.some((value) => typeof value === 'object' && value !== null)
    ? { anyOf: fitting.map(exactly) }
    : { enum: fitting };
}

function isOfType(value: Json, types: readonly Json[]): boolean {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return types.includes(type) || (types.includes('integer') && Number.isInteger(value));
}

function exactly(value: Json): Json {
  if (Array.isArray(value)) {
    const size = value.length;
    return { type: 'array', prefixItems: value.map(exactly), minItems: size, maxItems: size };
  }
  if (!isJsonObject(value)) return { const: value };
  const names = Object.keys(value);
  const properties = Object.fromEntries(names.map((name) => [name, exactly(value[name]!)]));
  return { type: 'object', properties, required: names, maxProperties: names.length };
}

function typedParts(own: Members): Members[] {
  const part = { ...own };
  const names = Object.keys(part);
  if (!names.includes('type') && names.some((name) => OF_ONE_TYPE.has(name))) part['type'] = TYPES;
  const isSized = names.includes('minItems') || names.includes('maxItems');
  if (isSized && !names.includes('items') && !names.includes('prefixItems')) part['items'] = true;
  const { required, properties, additionalProperties, type = TYPES } = part;
  const described = isJsonObject(properties) ? properties : {};
  const others = (Array.isArray(required) ? required : []).filter(
    (name): name is string => typeof name === 'string' && !Object.hasOwn(described, name),
  );
  if (others.length === 0) return [part];
  const form = additionalProperties !== false;
  const missing = Object.fromEntries(others.map((name): [string, Json] => [name, form]));
  return [part, { type, properties: missing, required: others }];
}

/** Replaces `additionalProperties: false`: zod ignores an unknown member unless all parts of a schema refuse it. */
const closed = (part: Json): Json =>
  isJsonObject(part) && part['additionalProperties'] === false
    ? { ...part, additionalProperties: { anyOf: [] } }
    : part;
