import type { Fault } from '../../api/api-error.js';
import { marksOf, resolved, type Schema, typeOf, typesOf } from './json-schema.js';

const MOST = 100;

const names: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

/** Lists the faults of a value against its schema, with their paths, in the service's wording. */
export function schemaFaults(value: unknown, root: Schema): Fault[] {
  return faultsOf(value, root, { root, path: [] }).slice(0, MOST);
}

interface At {
  root: Schema;
  path: readonly string[];
}

function faultsOf(value: unknown, schema: Schema, at: At): Fault[] {
  const found = resolved(schema, at.root);
  if (found.anyOf) return faultsOfOne(value, found.anyOf, at);
  if (found.const !== undefined && value !== found.const)
    return [fault(at, `must be ${JSON.stringify(found.const)}`)];
  if (found.enum && !found.enum.includes(value))
    return [fault(at, `must be one of ${found.enum.map((one) => JSON.stringify(one)).join(', ')}`)];
  if (!isOneOf(value, typesOf(found))) return [wrongType(at, typesOf(found))];
  if (Array.isArray(value)) return listFaults(value, found, at);
  if (typeof value === 'object' && value !== null)
    return memberFaults(value as Record<string, unknown>, found, at);
  return scalarFaults(value, found, at);
}

/** Checks against the alternative that matches by discriminator, by type, or with the fewest faults. */
function faultsOfOne(value: unknown, options: readonly Schema[], at: At): Fault[] {
  const all = options.map((option) => resolved(option, at.root));
  const typed = all.filter((option) => option.anyOf || isOneOf(value, typesOf(option)));
  if (typed.length === 0) return [wrongType(at, all.flatMap(typesOf))];
  const marked = typed.filter((option) => marksOf(option).length > 0);
  if (marked.length > 1) return faultsByMark(value as Record<string, unknown>, marked, at);
  return typed
    .map((option) => faultsOf(value, option, at))
    .sort((one, other) => one.length - other.length)[0]!;
}

function faultsByMark(value: Record<string, unknown>, options: readonly Schema[], at: At): Fault[] {
  const chosen = options.find((option) =>
    marksOf(option).every(([name, wanted]) => Object.hasOwn(value, name) && value[name] === wanted),
  );
  if (chosen) return faultsOf(value, chosen, at);
  const [name = ''] = marksOf(options[0]!)[0] ?? [];
  if (!Object.hasOwn(value, name)) return [fault(at, `"${name}" is missing`)];
  const wanted = options.flatMap(marksOf).map(([, one]) => JSON.stringify(one));
  return [fault(within(at, name), `must be one of ${wanted.join(', ')}`)];
}

function memberFaults(value: Record<string, unknown>, schema: Schema, at: At): Fault[] {
  const { properties = {}, required = [], additionalProperties: more } = schema;
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => fault(at, `"${name}" is missing`));
  const wrong = Object.entries(value).flatMap(([name, member]) => {
    const own = Object.hasOwn(properties, name)
      ? properties[name]
      : typeof more === 'object'
        ? more
        : undefined;
    return own ? faultsOf(member, own, within(at, name)) : [];
  });
  const unknown = Object.keys(value)
    .filter((name) => more === false && !Object.hasOwn(properties, name))
    .map((name) => fault(within(at, name), 'is not known here'));
  return [...missing, ...wrong, ...unknown];
}

function listFaults(value: readonly unknown[], { items, minItems, maxItems }: Schema, at: At): Fault[] {
  if (minItems !== undefined && value.length < minItems)
    return [fault(at, `must have at least ${minItems} ${minItems === 1 ? 'item' : 'items'}`)];
  if (maxItems !== undefined && value.length > maxItems)
    return [fault(at, `must have at most ${maxItems} items`)];
  if (!items) return [];
  return value.flatMap((item, index) => faultsOf(item, items, within(at, String(index))));
}

function scalarFaults(value: unknown, schema: Schema, at: At): Fault[] {
  const { minLength = 0, maxLength = Infinity, minimum = -Infinity, maximum = Infinity, pattern } = schema;
  if (typeof value === 'number') {
    if (value < minimum) return [fault(at, `must be at least ${minimum}`)];
    return value > maximum ? [fault(at, `must be at most ${maximum}`)] : [];
  }
  if (typeof value !== 'string') return [];
  if (value.length < minLength)
    return [fault(at, value === '' ? 'must not be empty' : `must have at least ${minLength} characters`)];
  if (value.length > maxLength) return [fault(at, `must have at most ${maxLength} characters`)];
  return pattern === undefined || fits(value, pattern) ? [] : [fault(at, `must match ${pattern}`)];
}

function fits(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

const wrongType = (at: At, types: readonly string[]): Fault =>
  fault(at, `must be ${[...new Set(types)].map((type) => names[type] ?? type).join(' or ')}`);

const isOneOf = (value: unknown, types: readonly string[]): boolean =>
  types.length === 0 || types.some((type) => isOf(value, type));

const isOf = (value: unknown, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;

const within = (at: At, name: string): At => ({ ...at, path: [...at.path, name] });

const fault = ({ path }: At, message: string): Fault => ({ path: path.join('.'), message });
