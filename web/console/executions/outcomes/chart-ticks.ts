import type { StatsUnit } from '../../../../src/api/execution-terms.js';

/** The most labels that fit side by side on a phone. */
const MOST_TICKS = 4;

const MINUTE_STEPS = [60, 30, 15, 5, 1];
const HOUR_STEPS = [24, 6, 3, 1];

/** Chooses the buckets to label: a few at round local times. The same buckets always get the same labels. */
export function ticksOf(instants: readonly string[], by: StatsUnit): string[] {
  const round = roundest(instants, by);
  const step = Math.ceil(round.length / MOST_TICKS);
  const offset = Math.floor(((round.length - 1) % step) / 2);
  return round.filter((_, index) => index % step === offset);
}

/** Returns the buckets at the roundest times that occur at least twice. */
function roundest(instants: readonly string[], by: StatsUnit): readonly string[] {
  if (by === 'day') return instants;
  const steps = by === 'hour' ? HOUR_STEPS : MINUTE_STEPS;
  const place = (at: string) => {
    const date = new Date(at);
    return by === 'hour' ? date.getHours() : date.getMinutes();
  };
  const found = steps.map((step) => instants.filter((at) => place(at) % step === 0));
  return found.find(({ length }) => length >= 2) ?? instants;
}
