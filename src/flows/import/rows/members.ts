import type { Json } from '../../engine/json.js';

/** The members of a JSON object. */
export type Members = Record<string, Json>;

export const isMembers = (value: Json | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member that is an object of its own; empty where it is none. */
export function membersIn(holder: Members, name: string): Members {
  const value = Object.hasOwn(holder, name) ? holder[name] : undefined;
  return isMembers(value) ? value : {};
}

/** A text that says something, else undefined. */
export const wordIn = (holder: Members, name: string): string | undefined => {
  const value = Object.hasOwn(holder, name) ? holder[name] : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
};
