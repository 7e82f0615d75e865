import type { z } from 'zod';
import type { warning } from '../api/warnings.js';

/**
 * A note for the caller of a successful call (contract section 1). `code` is stable and snake_case. `message` is a sentence
 * without a place, so that equal warnings are reported once. `path` is the first place in the request
 * (`photographs[3].captureTs`). `suggestion` is the nearest known name for an unknown one. `count` is present when the
 * warning occurred more than once.
 */
export type Warning = z.infer<typeof warning>;

const MOST_WARNINGS = 100;
const MORE = 'more_warnings';
const MORE_SENTENCE = 'There are more warnings than are listed.';

/**
 * The warnings of one call in order. Equal ones (code and message) are listed once with their count. Beyond a hundred
 * different ones the rest is only counted, as `more_warnings`.
 */
export class Warnings {
  private readonly kinds = new Map<string, Warning>();
  private more = 0;

  add(...warnings: readonly Warning[]): void {
    for (const warning of warnings) this.addOne(warning);
  }

  /** Adds a warning that may occur thousands of times: beyond the hundred `make` is not called. */
  addMade(make: () => Warning): void {
    if (this.kinds.size >= MOST_WARNINGS) this.more += 1;
    else this.addOne(make());
  }

  list(): Warning[] {
    const listed = [...this.kinds.values()];
    return this.more === 0
      ? listed
      : [...listed, { code: MORE, message: MORE_SENTENCE, ...counted(this.more) }];
  }

  private addOne(warning: Warning): void {
    const count = warning.count ?? 1;
    const key = `${warning.code}\0${warning.message}`;
    const known = this.kinds.get(key);
    if (known) this.kinds.set(key, { ...known, ...counted((known.count ?? 1) + count) });
    else if (warning.code === MORE || this.kinds.size >= MOST_WARNINGS) this.more += count;
    else this.kinds.set(key, warning);
  }
}

/** Concatenates lists of warnings, with equal ones once. */
export function foldWarnings(...lists: readonly (readonly Warning[])[]): Warning[] {
  const all = new Warnings();
  for (const list of lists) all.add(...list);
  return all.list();
}

const counted = (count: number) => (count > 1 ? { count } : {});
