import type { ReportPhotograph, ReportRemark } from '../../../inspection/report/inspection-report.js';
import { numberList } from '../fact-words.js';
import type { AreaSide, ComparedArea, ComparisonReport, Sides } from './comparison-report.js';
import { comparedAreas } from './comparison-report.js';
import { counted } from './comparison-report.js';
import { factPairs, factParts } from './side-facts.js';

/** A thing on which the two reports differ, in the words of each. */
export interface Difference extends Sides<string> {
  readonly area: string;
  /** `Hob`, `Reading`, `Remarks`; '' for the area as a whole. */
  readonly thing: string;
}

const NOTHING = '—';
/** The most characters of an area's remarks that are quoted, both sides together. Longer ones are counted. */
const MOST_QUOTED = 600;

/**
 * Lists the differences of two reports, area by area in print order: areas of one report alone; items, meters, keys and
 * alarms; who has the keys; photographs without a counterpart; remarks. Both sides are quoted.
 */
export function differencesOf(report: ComparisonReport): Difference[] {
  const { externalAreas } = report;
  return [
    ...comparedAreas(report).flatMap(inArea),
    ...(externalAreas ? remarks('External Areas', externalAreas.comments) : []),
  ];
}

function inArea(area: ComparedArea): Difference[] {
  const { heading, before, after } = area;
  const both = (read: (side: AreaSide) => readonly ReportRemark[]) => ({
    before: before ? read(before) : [],
    after: after ? read(after) : [],
  });
  return [
    ...standing(area),
    ...facts(area),
    ...details(area),
    ...unpaired(area),
    ...remarks(
      heading,
      both(({ comments }) => comments),
    ),
  ];
}

/** Compares whether each report has the area, and whether it reports it absent. */
function standing({ heading, before, after }: ComparedArea): Difference[] {
  if (before && after && before.absent === after.absent) return [];
  return [{ area: heading, thing: '', before: described(before), after: described(after) }];
}

function described(side: AreaSide | null): string {
  if (side === null) return 'Not in this report';
  if (side.absent) return 'Reported absent';
  return counted(side.photographs.length, side.comments.length) || 'Noted';
}

function facts({ heading, before, after }: ComparedArea): Difference[] {
  const pairs = factPairs({ before: before?.facts ?? [], after: after?.facts ?? [] });
  return pairs.flatMap((pair): Difference[] => {
    const [one, other] = [pair.before && factParts(pair.before), pair.after && factParts(pair.after)];
    const known = one ?? other;
    if (!known || (one && other && one.statement === other.statement)) return [];
    return [{ area: heading, thing: known.thing, before: quoted(one), after: quoted(other) }];
  });
}

const quoted = (parts: ReturnType<typeof factParts> | undefined): string =>
  parts === undefined ? NOTHING : [parts.statement, parts.photographs].filter((part) => part !== '').join('\n') || 'Noted'; // prettier-ignore

/** Compares who has the keys, and how many. */
function details({ heading, before, after }: ComparedArea): Difference[] {
  const [one, other] = [before, after].map(
    (side) => new Map((side?.keyDetails ?? []).map(({ label, value }) => [label, value])),
  ) as [Map<string, string>, Map<string, string>];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((label): Difference[] => {
    const values = { before: one.get(label) ?? NOTHING, after: other.get(label) ?? NOTHING };
    return values.before === values.after ? [] : [{ area: heading, thing: label, ...values }];
  });
}

/** Lists unpaired photographs if both reports have the area. */
function unpaired({ heading, before, after, pairs }: ComparedArea): Difference[] {
  if (!before || !after) return [];
  const alone = {
    before: pairs.flatMap((pair) => (pair.before && !pair.after ? [pair.before] : [])),
    after: pairs.flatMap((pair) => (pair.after && !pair.before ? [pair.after] : [])),
  };
  if (alone.before.length + alone.after.length === 0) return [];
  const thing = 'Photographs without counterpart';
  return [{ area: heading, thing, before: numbers(alone.before), after: numbers(alone.after) }];
}

/** Returns `4, 7 to 12`, or '—' for none. */
function numbers(photographs: readonly ReportPhotograph[]): string {
  const runs: [first: number, last: number][] = [];
  for (const { number } of photographs) {
    const run = runs.at(-1);
    if (run && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  const parts = runs.map(([first, last]) => {
    if (first === last) return String(first);
    return last === first + 1 ? numberList([first, last]) : `${first} to ${last}`;
  });
  return parts.join(', ') || NOTHING;
}

function remarks(area: string, { before, after }: Sides<readonly ReportRemark[]>): Difference[] {
  const alone = { before: without(before, after), after: without(after, before) };
  const texts = [...alone.before, ...alone.after];
  if (texts.length === 0) return [];
  const short = texts.reduce((sum, text) => sum + text.length, 0) <= MOST_QUOTED;
  const joined = (list: readonly string[]): string =>
    list.length === 0 ? NOTHING : short ? list.join('\n') : `${counted(0, list.length)}, under the area`;
  return [{ area, thing: 'Remarks', before: joined(alone.before), after: joined(alone.after) }];
}

/** Returns the texts of remarks that the other report does not have, or has less often. */
function without(remarks: readonly ReportRemark[], other: readonly ReportRemark[]): string[] {
  const there = new Map<string, number>();
  for (const { text } of other) there.set(text, (there.get(text) ?? 0) + 1);
  return remarks.flatMap(({ text }) => {
    const left = there.get(text) ?? 0;
    there.set(text, left - 1);
    return left > 0 ? [] : [text];
  });
}
