/** A JSON value. Objects may have any member name; readers use own properties only. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Returns whether a value is a JSON object: no list, and not null. */
export const isJsonObject = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
