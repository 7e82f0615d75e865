import type { StatsUnit } from '../../../../src/api/execution-terms.js';
import type { ExecutionsSearch } from '../../search.js';

export type QuickRange = 'any' | 'hour' | 'today' | 'yesterday' | 'week';

export const QUICK_RANGES: readonly { value: QuickRange; name: string }[] = [
  { value: 'any', name: 'Any time' },
  { value: 'hour', name: 'Last hour' },
  { value: 'today', name: 'Today' },
  { value: 'yesterday', name: 'Yesterday' },
  { value: 'week', name: 'Last 7 days' },
];

export type Range = Pick<ExecutionsSearch, 'from' | 'to'>;

const HOUR_MS = 3_600_000;

/** Returns midnight in the browser's zone, also across clock changes. */
function midnight(now: Date, daysAgo: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
}

export function rangeOf(quick: QuickRange, now = new Date()): Range {
  switch (quick) {
    case 'any':
      return {};
    case 'hour':
      return { from: new Date(now.getTime() - HOUR_MS).toISOString() };
    case 'today':
      return { from: midnight(now, 0).toISOString() };
    case 'yesterday':
      return {
        from: midnight(now, 1).toISOString(),
        to: new Date(midnight(now, 0).getTime() - 1).toISOString(),
      };
    case 'week':
      return { from: midnight(now, 6).toISOString() };
  }
}

/** Returns the preset that a range in the URL matches; “last hour” still matches a while later. */
export function quickRangeOf({ from, to }: Range, now = new Date()): QuickRange | 'other' {
  if (from === undefined && to === undefined) return 'any';
  for (const quick of ['today', 'yesterday', 'week'] as const) {
    const range = rangeOf(quick, now);
    if (range.from === from && range.to === to) return quick;
  }
  const age = now.getTime() - Date.parse(from ?? '');
  return to === undefined && age >= HOUR_MS - 60_000 && age < 1.25 * HOUR_MS ? 'hour' : 'other';
}

/** Formats an instant for a `datetime-local` field: `2026-11-21T09:30` in the browser's zone. */
export function localText(iso: string | undefined): string {
  if (iso === undefined) return '';
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Parses the value of a `datetime-local` field. With `end`, returns the end of that minute. */
export function instantOf(text: string, end = false): string | undefined {
  const at = new Date(text);
  if (text === '' || Number.isNaN(at.getTime())) return undefined;
  return new Date(at.getTime() + (end ? 59_999 : 0)).toISOString();
}

const BUCKET_MS: Readonly<Record<StatsUnit, number>> = { minute: 60_000, hour: HOUR_MS, day: 24 * HOUR_MS };

/** Returns a bucket's first and last instant, for the list's filter. */
export const rangeOfBucket = (at: string, by: StatsUnit): Required<Range> => ({
  from: at,
  to: new Date(Date.parse(at) + BUCKET_MS[by] - 1).toISOString(),
});

const weekday: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
};
const day = new Intl.DateTimeFormat('en-GB', weekday);
const dayAndYear = new Intl.DateTimeFormat('en-GB', { ...weekday, year: 'numeric' });

/**
 * Names the day of a bucket that begins at this instant. All days of a range begin at the same offset, so before a clock
 * change they do not begin at midnight in the browser's zone.
 */
export function dayInWords(at: string, utcOffset: number, form: 'short' | 'long' = 'short'): string {
  const local = Date.parse(at) + utcOffset * 60_000;
  return (form === 'long' ? dayAndYear : day).format(local);
}

const MOST_BUCKETS = 400;

/** Empty buckets on each side of the data, and the least number of buckets in all. */
const MARGIN = 2;
const FEWEST_BUCKETS = 24;

/**
 * Returns the buckets from the first to the last with data, plus a margin, within the range. Zooming in this way keeps
 * one busy hour in a week readable. Without data, returns the whole range.
 */
export function everyBucket<Bucket extends { at: string }>(
  stats: { from: string; to: string; by: StatsUnit; buckets: readonly Bucket[] },
  none: (at: string) => Bucket,
  utcOffset: number,
): Bucket[] {
  const size = BUCKET_MS[stats.by];
  const start = (instant: number) => instant - ((instant + utcOffset * 60_000) % size);
  const [begin, end] = [start(Date.parse(stats.from)), start(Date.parse(stats.to))];
  const [found, until] = [stats.buckets.at(0), stats.buckets.at(-1)].map((one) => one && Date.parse(one.at));
  const last = Math.min(end, (until ?? end) + MARGIN * size);
  const fewest = last - (FEWEST_BUCKETS - 1) * size;
  const first = Math.max(
    begin,
    Math.min((found ?? begin) - MARGIN * size, fewest),
    last - (MOST_BUCKETS - 1) * size,
  );
  const known = new Map(stats.buckets.map((bucket) => [bucket.at, bucket]));
  const all: Bucket[] = [];
  for (let at = first; at <= last; at += size) {
    const iso = new Date(at).toISOString();
    all.push(known.get(iso) ?? none(iso));
  }
  return all;
}
