import { isJsonObject, type Json } from '../../engine/json.js';

/** The members of a JSON object. */
export type Members = Record<string, Json>;

/** Returns a member that is an object, else an empty object. */
export function membersIn(holder: Members, name: string): Members {
  const value = Object.hasOwn(holder, name) ? holder[name] : undefined;
  return isJsonObject(value) ? value : {};
}

/** Returns a member that is a non-blank text, else undefined. */
export const wordIn = (holder: Members, name: string): string | undefined => {
  const value = Object.hasOwn(holder, name) ? holder[name] : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
};
