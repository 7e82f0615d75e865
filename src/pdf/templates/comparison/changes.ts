import type { ReportFact, ReportPhotograph } from '../../../inspection/report/inspection-report.js';
import { KEY_DETAILS } from '../../../inspection/report/meta-members.js';
import type { AreaSide, ThingChange, ComparedArea, PairedFact, Sides } from './comparison-report.js';
import { differenceOf } from './fact-difference.js';

/**
 * Returns the things that both reports describe differently, the worst change first, equally bad ones in print order. The
 * number of keys that a report states as a whole is one of them.
 */
export function changesOf(areas: readonly ComparedArea[]): ThingChange[] {
  const changes = areas.flatMap((area) => {
    const photographs = photographsOf(area);
    return [...keyCounts(area), ...area.facts].flatMap(({ before, after, difference }): ThingChange[] =>
      before && after && difference
        ? [{ area, before, after, difference, photographs: photographs({ before, after }) }]
        : [],
    );
  });
  return changes.sort((one, other) => other.difference.gravity - one.difference.gravity);
}

/** Compares the number of keys in the key details of both reports. */
function keyCounts({ heading, before, after }: ComparedArea): ComparedArea['facts'] {
  const [one, other] = [keyCount(before), keyCount(after)];
  if (!one || !other) return [];
  const pair = { before: { area: heading, fact: one }, after: { area: heading, fact: other } };
  return [{ ...pair, difference: differenceOf({ before: one, after: other }) }];
}

function keyCount(side: AreaSide | null): ReportFact | undefined {
  const found = side?.keyDetails.find(({ label }) => label === KEY_DETAILS.numberOfKeys);
  return found && { kind: 'keys', words: { kind: found.label, count: found.value }, photographs: [] };
}

/**
 * Returns which photographs show a thing in either report: a pair of which the reports cite both or, if only one report
 * cites any, one that surely shows the same; else the first that each cites.
 */
function photographsOf({ pairs }: ComparedArea) {
  const [earlier, later] = [rowsBy(pairs, 'before'), rowsBy(pairs, 'after')];
  return ({ before, after }: PairedFact): Sides<ReportPhotograph | null> => {
    const ones = (before?.fact.photographs ?? []).flatMap((number) => earlier.get(number) ?? []);
    const others = (after?.fact.photographs ?? []).flatMap((number) => later.get(number) ?? []);
    const cited = new Set(others);
    const together = ones.find((row) => cited.has(row));
    if (together) return together;
    if (others.length === 0) return ones.find(({ sure }) => sure) ?? alone(ones[0]?.before ?? null, null);
    if (ones.length === 0) return others.find(({ sure }) => sure) ?? alone(null, others[0]!.after);
    return alone(ones[0]!.before, others[0]!.after);
  };
}

const alone = (before: ReportPhotograph | null, after: ReportPhotograph | null) => ({ before, after });

function rowsBy(
  pairs: ComparedArea['pairs'],
  side: keyof Sides<unknown>,
): Map<number, ComparedArea['pairs'][number]> {
  return new Map(pairs.flatMap((pair) => (pair[side] ? [[pair[side].number, pair] as const] : [])));
}
