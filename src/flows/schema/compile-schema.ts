import { z } from 'zod';
import { faultsByType } from '../../common/plain-faults.js';
import type { Json } from '../engine/json.js';
import { plainSchema } from './plain-schema.js';

const MOST_FAULTS = 10;

/** The check of a schema; returns why a value does not fit. */
export type FormCheck = (value: Json) => string | undefined;

/** Compiles a schema; an unsupported one allows everything. */
export function compileSchema(schema: Json): FormCheck {
  const type = typeOf(schema);
  return (value) => {
    const checked = type?.safeParse(value);
    if (!checked || checked.success) return undefined;
    const faults = faultsByType(checked.error).map(({ path, message }) =>
      path === '' ? message : `${path}: ${message}`,
    );
    return [...new Set(faults)].slice(0, MOST_FAULTS).join('; ');
  };
}

/** Returns whether a schema can be checked at all; `if`, for example, cannot. */
export const isSupported = (schema: Json): boolean => typeOf(schema) !== undefined;

function typeOf(schema: Json): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(plainSchema(schema) as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return undefined;
  }
}
