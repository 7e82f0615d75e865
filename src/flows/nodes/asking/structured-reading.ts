import { z } from 'zod';
import { faultsOf } from '../../../common/plain-faults.js';
import type { Json } from '../../engine/json.js';

export type ReadAnswer = { json: Json } | { fault: string };

const MOST_KEPT = 200;
const kept = new Map<string, z.ZodType | undefined>();

/** A model's answer as the JSON that the schema asks for, also where it put it into a code fence; else why it is none. */
export function readStructured(text: string, schema: Json): ReadAnswer {
  const json = jsonIn(text);
  if (json === undefined) return { fault: 'it is not valid JSON' };
  const fault = schemaFault(json, schema);
  return fault === undefined ? { json } : { fault };
}

/** Why a value does not have the form that a schema asks for; a schema that cannot be read here allows everything. */
export function schemaFault(value: Json, schema: Json): string | undefined {
  const checked = checkOf(schema)?.safeParse(value);
  if (!checked || checked.success) return undefined;
  const faults = faultsOf(checked.error).map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
  return faults.slice(0, 10).join('; ');
}

/** The JSON of a text, also of one around it. */
export function jsonIn(text: string): Json | undefined {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  for (const candidate of [text, from >= 0 && to > from ? text.slice(from, to + 1) : undefined]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate) as Json;
    } catch {
      // The next reading may fit.
    }
  }
  return undefined;
}

/** Made once a schema, which takes a millisecond. Nothing checks what is written in ways that cannot be checked here. */
function checkOf(schema: Json): z.ZodType | undefined {
  const key = JSON.stringify(schema);
  if (kept.has(key)) return kept.get(key);
  if (kept.size >= MOST_KEPT) kept.clear();
  const check = compiled(schema);
  kept.set(key, check);
  return check;
}

function compiled(schema: Json): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(withoutPatterns(schema) as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return undefined;
  }
}

const NAMED = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
const VALUES = new Set(['enum', 'const', 'default', 'examples']);

/** A schema's pattern may take for ever on a model's text: it is sent to the model, and not checked here. */
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
