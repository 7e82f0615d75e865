import type { BucketSize } from './time-range.js';

/** So many labels stand beside each other without touching, also on a telephone. */
const MOST_TICKS = 4;

const MINUTE_STEPS = [60, 30, 15, 5, 1];
const HOUR_STEPS = [24, 6, 3, 1];

/**
 * Which buckets are labelled: a few at round times of the reader's clock. The same buckets have the same labels,
 * whatever is drawn above them.
 */
export function ticksOf(instants: readonly string[], by: BucketSize): string[] {
  const round = roundest(instants, by);
  const step = Math.ceil(round.length / MOST_TICKS);
  const offset = Math.floor(((round.length - 1) % step) / 2);
  return round.filter((_, index) => index % step === offset);
}

/** Those at the roundest times of which there are two at least. */
function roundest(instants: readonly string[], by: BucketSize): readonly string[] {
  if (by === 'day') return instants;
  const steps = by === 'hour' ? HOUR_STEPS : MINUTE_STEPS;
  const place = (at: string) => {
    const date = new Date(at);
    return by === 'hour' ? date.getHours() : date.getMinutes();
  };
  const found = steps.map((step) => instants.filter((at) => place(at) % step === 0));
  return found.find(({ length }) => length >= 2) ?? instants;
}
