import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters from which on a text waits for a turn of its own: parsing so many takes about a millisecond. */
const LARGE = 256 * 1024;

let line: Promise<unknown> = Promise.resolve();

/**
 * Parses JSON that the service has stored. Of large texts one is parsed in a turn of the event loop, however many calls
 * load theirs at the same time.
 */
export function parseInLine(text: string): Promise<unknown> {
  if (text.length < LARGE) return Promise.resolve(JSON.parse(text));
  const parsed = line.then(() => nextTurn()).then(() => JSON.parse(text) as unknown);
  line = parsed.catch(() => undefined);
  return parsed;
}
