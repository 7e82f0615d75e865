import type { LedgerEntryView } from '../../../../src/api/credit.js';
import { counted, instantInWords, numberInWords } from '../../parts/words.js';

export interface BalancePoint {
  /** Epoch milliseconds. */
  at: number;
  balance: number;
}

/** Returns balances in order of time, from before the oldest entry until `until` (epoch ms). Entries are newest first. */
export function balanceHistory(entries: readonly LedgerEntryView[], until = 0): BalancePoint[] {
  const [newest] = entries;
  const oldest = entries.at(-1);
  if (!newest || !oldest) return [];
  const points = entries.map(({ at, balanceAfter }) => ({ at: Date.parse(at), balance: balanceAfter }));
  const end = { at: Math.max(until, Date.parse(newest.at)), balance: newest.balanceAfter };
  return [
    { at: Date.parse(oldest.at), balance: oldest.balanceAfter - oldest.amount },
    ...points.reverse(),
    end,
  ];
}

/** Returns evenly spaced instants from the first to the last point, for the axis. */
export function evenTicks(points: readonly BalancePoint[], count: number): number[] {
  const first = points[0]?.at ?? 0;
  const span = (points.at(-1)?.at ?? first) - first;
  return span === 0
    ? [first]
    : Array.from({ length: count }, (_, index) => first + Math.round((span * index) / (count - 1)));
}

/** Describes the chart in a sentence. */
export function historyInWords(entries: readonly LedgerEntryView[]): string {
  const points = balanceHistory(entries);
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return 'No movements yet.';
  const lowest = points.reduce((low, point) => (point.balance < low.balance ? point : low));
  const since = instantInWords(new Date(first.at).toISOString()) ?? '';
  return (
    `Balance over the last ${counted(entries.length, 'movement')}: from ${numberInWords(first.balance)} ` +
    `(${since}) to ${numberInWords(last.balance)}, lowest ${numberInWords(lowest.balance)}.`
  );
}
