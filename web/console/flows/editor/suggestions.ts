import { type Cursor } from './cursor.js';
import { resolved, type Schema, schemasAt, typesOf } from './json-schema.js';
import type { LooseNode } from './loose-json.js';
import { type Known, namedValues } from './named-values.js';
import { escaped, type Suggestion, written } from './suggestion.js';

/** Returns the names or values that the schema and the rest of the definition allow at the cursor. */
export function suggestionsFor(
  cursor: Cursor,
  root: Schema,
  text: LooseNode | undefined,
  known: Known,
): Suggestion[] {
  const schemas = schemasAt(root, text, cursor.path);
  const found =
    cursor.what === 'name'
      ? names(schemas, root, cursor)
      : [
          ...namedValues(cursor.path, text, known, root),
          ...schemas.flatMap((schema) => values(schema, root, cursor.node)),
        ];
  return [...new Map(found.map((one) => [one.label, one])).values()];
}

function names(
  schemas: readonly Schema[],
  root: Schema,
  { object, from, to, hasValue }: Extract<Cursor, { what: 'name' }>,
): Suggestion[] {
  const present = new Set(
    object.members.filter(({ keyFrom, keyTo }) => keyFrom !== from || keyTo !== to).map(({ key }) => key),
  );
  const all = [...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))];
  return all
    .filter((name) => !present.has(name))
    .map((name) => {
      const member = together(
        schemas.flatMap(({ properties = {} }) =>
          Object.hasOwn(properties, name) ? [properties[name]!] : [],
        ),
      );
      const isRequired = schemas.every(({ required = [] }) => required.includes(name));
      const label = JSON.stringify(name);
      return {
        label,
        insert: hasValue ? escaped(label) : `${escaped(label)}: ${skeleton(member, root)}`,
        detail: isRequired ? 'required' : typeName(member, root),
        ...(member.description === undefined ? {} : { info: member.description }),
        first: isRequired,
        reopens: !hasValue && choices(resolved(member, root)).length > 0 && member.const === undefined,
      };
    });
}

/** Merges the schemas of a member while several alternatives of its object still match. */
function together(members: readonly Schema[]): Schema {
  const [first = {}, ...others] = members;
  if (others.every((other) => JSON.stringify(other) === JSON.stringify(first))) return first;
  if (members.every(({ const: only }) => typeof only === 'string'))
    return { type: 'string', enum: members.map(({ const: only }) => only) };
  const types = new Set(members.flatMap(typesOf));
  return types.size === 1 ? { type: [...types] } : {};
}

function values(schema: Schema, root: Schema, node: LooseNode | undefined): Suggestion[] {
  const info = schema.description === undefined ? {} : { info: schema.description };
  const chosen = choices(schema);
  if (chosen.length > 0) return chosen.map((value) => ({ ...written(value), ...info }));
  const types = typesOf(schema);
  if (node || !types.some((type) => type === 'object' || type === 'array')) return [];
  const kind = schema.properties?.['kind'];
  const plain = types.includes('object') ? '{ … }' : '[ … ]';
  const name = typeof kind?.const === 'string' ? `{ ${kind.const} }` : plain;
  const about = kind?.description === undefined ? info : { info: kind.description };
  return [{ label: name, insert: skeleton(schema, root), detail: 'new', ...about }];
}

/** Returns the possible values of a constant, enum or boolean. */
function choices(schema: Schema): unknown[] {
  const { const: only, enum: several = [] } = schema;
  const types = typesOf(schema);
  if (only !== undefined) return [only];
  if (several.length > 0) return several;
  if (types.length !== 1) return [];
  if (types[0] === 'boolean') return [true, false];
  return types[0] === 'null' ? [null] : [];
}

/** Returns the initial text of a new value: brackets, quotes and all required members. */
function skeleton(schema: Schema, root: Schema, depth = 0): string {
  const found = resolved(schema, root);
  if (found.anyOf) return '${}';
  if (found.const !== undefined) return escaped(JSON.stringify(found.const));
  const [type, ...others] = typesOf(found);
  if (others.length > 0) return '${}';
  switch (type) {
    case 'object':
      return requiredMembers(found, root, depth);
    case 'array':
      return '[${}]';
    case 'string':
      return '"${}"';
    default:
      return '${}';
  }
}

function requiredMembers({ properties = {}, required = [] }: Schema, root: Schema, depth: number): string {
  if (required.length === 0 || depth > 2) return '{${}}';
  const lines = required.map((name) => {
    const value = skeleton(properties[name] ?? {}, root, depth + 1);
    return `\t${escaped(JSON.stringify(name))}: ${value.replaceAll('\n', '\n\t')}`;
  });
  return `{\n${lines.join(',\n')}\n}`;
}

const typeNames: Readonly<Record<string, string>> = { string: 'text', array: 'list', boolean: 'yes or no' };

function typeName(schema: Schema, root: Schema): string {
  const found = resolved(schema, root);
  if (found.enum) return 'choice';
  const names = found.anyOf
    ? found.anyOf.map((option) => typeName(option, root))
    : typesOf(found).map((type) => typeNames[type] ?? type);
  return names.length === 0 ? 'any' : [...new Set(names)].slice(0, 2).join(' or ');
}
