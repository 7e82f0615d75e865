import type { RE2JS } from 're2js';

const LONGEST_PATTERN = 1_000;
const LONGEST_TEXT = 100_000;
const MOST_KEPT = 200;

const kept = new Map<string, RE2JS | null>();

/**
 * Whether a pattern is found in a text, in time linear in the text whatever the pattern (RE2 syntax: no look-around, no
 * back references). Looks at the first 100,000 characters; a pattern that cannot be read is found nowhere.
 */
export async function matchesPattern(pattern: string, text: string): Promise<boolean> {
  if (pattern.length > LONGEST_PATTERN) return false;
  const compiled = kept.get(pattern) ?? (await compile(pattern));
  return compiled?.matcher(text.slice(0, LONGEST_TEXT)).find() ?? false;
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
