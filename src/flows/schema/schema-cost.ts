import type { Json } from '../engine/json.js';

/** Members of a schema that are not checked, or are reached only by reference. */
const NOT_VISITED = new Set(['default', 'examples', '$defs', 'definitions']);

/** The largest finite cost. */
const MOST = 1e9;

/** The depth, by nesting or references, beyond which a check may exhaust the stack and runs in a thread. */
const MOST_DEPTH = 256;

/**
 * Returns how many schemas a check may visit for one value: those of the document with references expanded. Infinity when a
 * reference leads back to itself or too deep.
 */
export function schemaCost(schema: Json): number {
  const known = new Map<string, number>();
  const costOf = (part: Json, depth: number): number => {
    if (depth > MOST_DEPTH) return Infinity;
    if (Array.isArray(part)) return sum(part.map((each) => costOf(each, depth + 1)));
    if (typeof part !== 'object' || part === null) return 0;
    const members = Object.entries(part).map(([name, value]) => {
      if (name === '$ref' && typeof value === 'string') return referenced(value, depth + 1);
      if (name === 'const') return costOfValue(value);
      if (name === 'enum' && Array.isArray(value)) return sum(value.map(costOfValue));
      if (name === 'properties' && typeof value === 'object' && value !== null)
        return 1 + sum(Object.values(value).map((each) => costOf(each, depth + 2)));
      return NOT_VISITED.has(name) ? 0 : costOf(value, depth + 1);
    });
    // Each of several types is compiled with all the members.
    const types = Array.isArray(part['type']) ? part['type'].length : 1;
    return sum(Array<number>(Math.max(1, types)).fill(1 + sum(members)));
  };
  const referenced = (pointer: string, depth: number): number => {
    const before = known.get(pointer);
    if (before !== undefined) return before;
    known.set(pointer, Infinity);
    const target = targetOf(schema, pointer);
    const cost = target === undefined ? 0 : costOf(target, depth);
    known.set(pointer, cost);
    return cost;
  };
  return costOf(schema, 0);
}

/** Counts the values of an object or a list: each is compiled to a schema of its own. */
const costOfValue = (value: Json): number =>
  typeof value === 'object' && value !== null ? valuesIn(value, MOST) : 0;

const LARGEST = 100_000;

export const TOO_LARGE = `has more than ${LARGEST} schemas when its references are expanded; make it smaller`;

/**
 * Returns whether a schema with expanded references is too large. A recursive schema has no size; its checks run in a
 * thread (`formFault`).
 */
export function isTooLarge(schema: Json): boolean {
  const cost = schemaCost(schema);
  return cost > LARGEST && cost !== Infinity;
}

const sum = (costs: readonly number[]): number => {
  const total = costs.reduce((before, cost) => before + cost, 0);
  return total === Infinity ? total : Math.min(total, MOST);
};

/** Returns the target of a local reference (`#/$defs/name`). */
function targetOf(schema: Json, pointer: string): Json | undefined {
  if (!pointer.startsWith('#')) return undefined;
  const names = pointer.split('/').slice(1);
  return names.reduce<Json | undefined>((part, name) => {
    const key = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof part === 'object' && part !== null && Object.hasOwn(part, key)
      ? (part as Record<string, Json>)[key]
      : undefined;
  }, schema);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns how many values a value has, itself included; counts no further than `most`. */
export function valuesIn(value: Json, most: number): number {
  let count = 0;
  const open: Json[] = [value];
  while (open.length > 0 && count < most) {
    const next = open.pop()!;
    count++;
    if (typeof next === 'object' && next !== null)
      for (const member of Object.values(next).slice(0, most)) open.push(member);
  }
  return count;
}
