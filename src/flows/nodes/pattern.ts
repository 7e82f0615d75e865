import type { RE2JS } from 're2js';

const LONGEST_PATTERN = 1_000;
const LONGEST_TEXT = 100_000;
const MOST_KEPT = 200;

const kept = new Map<string, RE2JS | null>();

/**
 * Where a pattern is first found in a text: the whole match and its groups (`""` for one that took no part), or
 * `undefined`. Linear in the text whatever the pattern (RE2 syntax: no look-around, no back references). Looks at the
 * first 100,000 characters; a pattern that cannot be read is found nowhere.
 */
export async function matchPattern(pattern: string, text: string): Promise<string[] | undefined> {
  if (pattern.length > LONGEST_PATTERN) return undefined;
  const compiled = kept.get(pattern) ?? (await compile(pattern));
  const matcher = compiled?.matcher(text.slice(0, LONGEST_TEXT));
  if (!matcher?.find()) return undefined;
  return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? '');
}

async function compile(pattern: string): Promise<RE2JS | null> {
  const { RE2JS } = await import('re2js');
  let compiled: RE2JS | null = null;
  try {
    compiled = RE2JS.compile(pattern);
  } catch {
    // Patterns may come from templates: a wrong one decides, it does not fail the flow.
  }
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(pattern, compiled);
  return compiled;
}
