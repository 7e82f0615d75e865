import type { Json } from '../engine/json.js';
import { compileSchema } from './compile-schema.js';

/** A check for the thread. */
export interface FormTask {
  readonly schema: Json;
  readonly value: Json;
}

/** Runs in the thread: checks a value against a schema. */
export default function checkInThread({ schema, value }: FormTask): string | undefined {
  return compileSchema(schema)(value);
}
