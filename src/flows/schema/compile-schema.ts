import { z } from 'zod';
import { faultsOf } from '../../common/plain-faults.js';
import type { Json } from '../engine/json.js';

const MOST_FAULTS = 10;

/** The check of a schema; returns why a value does not fit. */
export type FormCheck = (value: Json) => string | undefined;

/** Compiles a schema; an unsupported one allows everything. */
export function compileSchema(schema: Json): FormCheck {
  const type = typeOf(schema);
  return (value) => {
    const checked = type?.safeParse(value);
    if (!checked || checked.success) return undefined;
    const faults = faultsOf(checked.error).map(({ path, message }) =>
      path === '' ? message : `${path}: ${message}`,
    );
    return faults.slice(0, MOST_FAULTS).join('; ');
  };
}

function typeOf(schema: Json): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(withoutPatterns(schema) as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return undefined;
  }
}

const NAMED = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
const VALUES = new Set(['enum', 'const', 'default', 'examples']);

/** Removes patterns from a schema, which may take exponential time. The model receives them, but they are not checked. */
function withoutPatterns(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([name]) => name !== 'pattern' && name !== 'patternProperties',
  );
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (VALUES.has(name)) return [name, value];
      return [name, NAMED.has(name) ? withinMembers(value) : withoutPatterns(value)];
    }),
  );
}

const withinMembers = (members: Json): Json =>
  typeof members === 'object' && members !== null && !Array.isArray(members)
    ? Object.fromEntries(Object.entries(members).map(([name, value]) => [name, withoutPatterns(value)]))
    : members;
