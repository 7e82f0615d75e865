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

/** Days begin at midnight of the browser's zone, also when the clocks change. */
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

/** Which quick range an address means, if it is one; an hour that was chosen a while ago still counts. */
export function quickRangeOf({ from, to }: Range, now = new Date()): QuickRange | 'other' {
  if (from === undefined && to === undefined) return 'any';
  for (const quick of ['today', 'yesterday', 'week'] as const) {
    const range = rangeOf(quick, now);
    if (range.from === from && range.to === to) return quick;
  }
  const age = now.getTime() - Date.parse(from ?? '');
  return to === undefined && age >= HOUR_MS - 60_000 && age < 1.25 * HOUR_MS ? 'hour' : 'other';
}

/** The value of a field of date and time: `2026-11-21T09:30` in the browser's zone. */
export function localText(iso: string | undefined): string {
  if (iso === undefined) return '';
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The instant of such a text; the end of its minute when it is the end of a range. */
export function instantOf(text: string, end = false): string | undefined {
  const at = new Date(text);
  if (text === '' || Number.isNaN(at.getTime())) return undefined;
  return new Date(at.getTime() + (end ? 59_999 : 0)).toISOString();
}

export type BucketSize = 'minute' | 'hour' | 'day';

const BUCKET_MS: Readonly<Record<BucketSize, number>> = { minute: 60_000, hour: HOUR_MS, day: 24 * HOUR_MS };

/** From its first instant to its last, as the list's filter takes it. */
export const rangeOfBucket = (at: string, by: BucketSize): Required<Range> => ({
  from: at,
  to: new Date(Date.parse(at) + BUCKET_MS[by] - 1).toISOString(),
});

const MOST_BUCKETS = 400;

/** Around what was found stand so many empty buckets, and never fewer than these in all. */
const MARGIN = 2;
const FEWEST_BUCKETS = 24;

/**
 * Every bucket from the first to the last in which something happened, with a few beside them, within the range: the
 * hour of a week in which all of it happened is a chart, not one bar. The whole range where nothing happened.
 */
export function everyBucket<Bucket extends { at: string }>(
  stats: { from: string; to: string; by: BucketSize; buckets: readonly Bucket[] },
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
