import { RE2JS } from 're2js';
import { foundIn, type PatternTask, readPattern } from './pattern.js';

/** Runs one heavy pattern in the thread. */
export default function findInThread({ pattern, text }: PatternTask): string[] | undefined {
  const compiled = readPattern(RE2JS, pattern);
  return compiled && foundIn(compiled, text);
}
