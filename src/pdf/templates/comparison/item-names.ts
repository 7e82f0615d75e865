import { shortened } from '../../../common/texts/cut-text.js';
import { Warnings, type Warning } from '../../../common/warnings.js';
import { normalizeItem } from '../../../inspection/facts/item-name.js';
import type { NamedPair, Sides } from './comparison-report.js';

/** Returns the same key for names of the same words in any order, each once. */
export const wordsKey = (...names: readonly string[]): string =>
  [...new Set(normalizeItem(names.join(' ')).split(' '))].sort().join(' ');

/** Characters of a name that a warning repeats. */
const LONGEST = 80;

/** The places of the caller's pairs by the keys of their names. */
export type PairKeys = Sides<ReadonlyMap<string, number>>;

/**
 * Reads the pairs of `source.pairs` against the items of the reports. A name that an earlier pair has, or that its report does
 * not have, gives a warning that names it, and the pair counts for nothing.
 */
export function pairKeys(
  pairs: readonly NamedPair[],
  items: Sides<ReadonlySet<string>>,
): { keys: PairKeys; warnings: Warning[] } {
  const keys = { before: new Map<string, number>(), after: new Map<string, number>() };
  const warnings = new Warnings();
  for (const [place, pair] of pairs.entries()) {
    const faults = (['before', 'after'] as const).flatMap((side): Warning[] => {
      const key = normalizeItem(pair[side]);
      const path = `source.pairs[${place}].${side}`;
      if (keys[side].has(key)) return [{ code: 'pair_repeated', message: repeated(pair[side]), path }];
      return items[side].has(key)
        ? []
        : [{ code: 'pair_not_found', message: notFound(pair[side], side), path }];
    });
    warnings.add(...faults);
    if (faults.length > 0) continue;
    keys.before.set(normalizeItem(pair.before), place);
    keys.after.set(normalizeItem(pair.after), place);
  }
  return { keys, warnings: warnings.list() };
}

const repeated = (name: string): string =>
  `An earlier pair names the item “${shortened(name, LONGEST)}”. This pair was left out.`;

const notFound = (name: string, side: keyof Sides<unknown>): string =>
  `The report in source.${side} has no item “${shortened(name, LONGEST)}”. This pair was left out.`;
