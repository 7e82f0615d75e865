import type { Json } from '../engine/json.js';
import { compileSchema } from './compile-schema.js';

/** A check for the thread. */
export interface FormTask {
  readonly schema: Json;
  readonly value: Json;
}

/** In the thread, which may be ended at any moment: checks one value against one schema. */
export default function checkInThread({ schema, value }: FormTask): string | undefined {
  return compileSchema(schema)(value);
}
