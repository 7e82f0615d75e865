import { type LooseNode, memberOf } from './loose-json.js';

/** The part of JSON Schema that `GET flows/schema` uses. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  /** The name on screen, where that of the member does not say enough. */
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  /** Read like `anyOf`: the alternatives differ in a constant member. */
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
}

/** Follows a reference within the schema. */
export function resolved(schema: Schema, root: Schema): Schema {
  let found = schema;
  for (let steps = 0; found.$ref !== undefined && steps < 10; steps++) {
    const target = root.$defs?.[found.$ref.replace('#/$defs/', '')];
    if (!target) return {};
    found = target;
  }
  return found.oneOf ? { ...found, anyOf: found.oneOf } : found;
}

/** Returns the allowed types; empty when any is allowed. */
export const typesOf = ({ type = [] }: Schema): string[] => (typeof type === 'string' ? [type] : type);

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** Returns the discriminators: members with a constant value, such as `kind` of a node. */
export const marksOf = ({ properties = {} }: Schema): [name: string, value: unknown][] =>
  Object.entries(properties).flatMap(([name, { const: value }]) =>
    value === undefined ? [] : [[name, value]],
  );

/** Returns the schemas that may apply at a path, given the text so far. */
export function schemasAt(root: Schema, text: LooseNode | undefined, path: readonly string[]): Schema[] {
  let node = text;
  let schemas = meant(root, root, node);
  for (const step of path) {
    node = node?.type === 'array' ? node.items[Number(step)] : memberOf(node, step)?.value;
    schemas = schemas.flatMap((schema) => stepsInto(schema, step)).flatMap((next) => meant(next, root, node));
  }
  return schemas;
}

function stepsInto({ items, properties, additionalProperties: more }: Schema, step: string): Schema[] {
  if (items && /^\d+$/.test(step)) return [items];
  if (properties && Object.hasOwn(properties, step)) return [properties[step]!];
  return typeof more === 'object' ? [more] : [];
}

/** Expands alternatives into one schema each. A description of the whole is copied to each. */
function meant(schema: Schema, root: Schema, node: LooseNode | undefined): Schema[] {
  const found = resolved(schema, root);
  const description = schema.description ?? found.description;
  const { anyOf } = found;
  if (!anyOf) return [{ ...found, ...(description === undefined ? {} : { description }) }];
  const all = anyOf.flatMap((option) => meant(option, root, node));
  const fitting = all.filter((option) => mayBe(option, node));
  return (fitting.length > 0 ? fitting : all).map((option) => ({
    ...(description === undefined ? {} : { description }),
    ...option,
  }));
}

function mayBe(schema: Schema, node: LooseNode | undefined): boolean {
  if (!node) return true;
  const types = typesOf(schema);
  if (node.type === 'scalar') return !types.includes('object') && !types.includes('array');
  if (types.length > 0 && !types.includes(node.type)) return false;
  return marksOf(schema).every(([name, wanted]) => {
    const given = memberOf(node, name)?.value;
    return given?.type !== 'scalar' || given.value === wanted;
  });
}
