import { LRUCache } from 'lru-cache';
import type { RE2JS } from 're2js';
import { declareBudget } from '../../common/budgets/budget.js';
import { LimitedThreads, ThreadEnded } from '../../common/processes/limited-thread.js';
import { patternSize } from './pattern-size.js';

const LONGEST_PATTERN = 1_000;
const LONGEST_TEXT = 100_000;

/** Instructions of the largest pattern that is compiled on the main thread: some 30 ms and two megabytes. */
const LARGEST_COMPILED = 2_500;
const UNREADABLE_SIZE = 10;

const compiledPatterns = declareBudget({
  name: 'compiled patterns in memory, by their instructions',
  unit: 'values',
  owner: 'call',
  share: LARGEST_COMPILED,
  total: 50_000,
  beyond: 'a larger one is compiled in a thread each time; of the others the oldest is compiled again',
  reason: 'An ordinary pattern has some fifty instructions of about 800 bytes. Repetitions are written out.',
});

const compiled = new LRUCache<string, { pattern: RE2JS | undefined }>({
  maxSize: compiledPatterns.total,
  sizeCalculation: ({ pattern }) => pattern?.programSize() ?? UNREADABLE_SIZE,
});

/** The message to the thread. */
export interface PatternTask {
  pattern: string;
  text: string;
}

/** Instructions of a pattern times characters of its text that run on the main thread: some 20 ms. */
const LIGHT_WORK = 1_000_000;

const patternTime = declareBudget({
  name: 'a pattern that is too heavy for the main thread',
  unit: 'ms',
  owner: 'call',
  share: 2_000,
  beyond: 'the node fails with a sentence',
  reason: 'An ordinary pattern takes 200 ms for 100,000 characters.',
});

const places = declareBudget({
  name: 'patterns that are too heavy for the main thread, under way and waiting',
  unit: 'calls',
  owner: 'flow',
  share: 32,
  total: 64,
  beyond: 'the node fails with a sentence',
  reason: 'Two run at a time, one of a flow, on 128 MB each.',
});

const threads = new LimitedThreads<PatternTask, string[] | undefined>({
  importMetaUrl: import.meta.url,
  name: 'pattern-worker',
  ms: patternTime.share,
  heapMb: 128,
  atOnce: 2,
  places,
});

/**
 * Returns the first match of a pattern in a text with its groups (`""` for an unused one), or `undefined`. Takes linear time
 * (RE2 syntax: no look-around, no back references). Reads the first 100,000 characters; an invalid pattern matches nothing.
 * Throws when a heavy one takes longer than `patternTime`, because treating it as no match would let the sender of the text
 * choose the branch. Throws `QuotaExceeded` or 503 `overloaded` while too many wait.
 */
export async function matchPattern(
  pattern: string,
  text: string,
  flowId: string,
): Promise<string[] | undefined> {
  if (pattern.length > LONGEST_PATTERN) return undefined;
  const read = text.slice(0, LONGEST_TEXT);
  if (patternSize(pattern) > LARGEST_COMPILED) return findApart({ pattern, text: read }, flowId);
  const { pattern: known } = compiled.get(pattern) ?? (await compile(pattern));
  if (!known) return undefined;
  if (known.programSize() * read.length <= LIGHT_WORK) return foundIn(known, read);
  return findApart({ pattern, text: read }, flowId);
}

/** Returns the first match with its groups. */
export function foundIn(compiled: RE2JS, text: string): string[] | undefined {
  const matcher = compiled.matcher(text);
  if (!matcher.find()) return undefined;
  return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? '');
}

/** Returns whether a pattern can be matched; a very large one is taken for readable. */
export async function isPattern(pattern: string): Promise<boolean> {
  if (pattern.length > LONGEST_PATTERN) return false;
  if (patternSize(pattern) > LARGEST_COMPILED) return true;
  return (compiled.get(pattern) ?? (await compile(pattern))).pattern !== undefined;
}

async function findApart(task: PatternTask, flowId: string): Promise<string[] | undefined> {
  try {
    return await threads.run(task, flowId);
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    throw new Error(
      `The pattern took longer than ${patternTime.share / 1000} seconds for this text. Repeat less in it.`,
      { cause: error },
    );
  }
}

async function compile(text: string): Promise<{ pattern: RE2JS | undefined }> {
  const { RE2JS } = await import('re2js');
  const entry = { pattern: readPattern(RE2JS, text) };
  compiled.set(text, entry);
  return entry;
}

/** Compiles a pattern. Returns undefined for an invalid one, which may come from a template and must not fail the flow. */
export function readPattern(engine: typeof RE2JS, text: string): RE2JS | undefined {
  try {
    return engine.compile(text);
  } catch {
    return undefined;
  }
}
