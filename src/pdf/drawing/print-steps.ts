import type { PrintStep } from '../../inspection/pictures/picture.js';

/**
 * The sizes in which the pictures of a report may be printed, largest first: all of one report in the same. None is below
 * 1,000 pixels or quality 60 (contract section 6), where a crack and the digits of a meter can still be read.
 */
export const PRINT_STEPS: readonly PrintStep[] = [
  { longSide: 1600, quality: 85 },
  { longSide: 1600, quality: 80 },
  { longSide: 1440, quality: 80 },
  { longSide: 1440, quality: 75 },
  { longSide: 1280, quality: 75 },
  { longSide: 1280, quality: 70 },
  { longSide: 1200, quality: 70 },
  { longSide: 1120, quality: 68 },
  { longSide: 1060, quality: 64 },
  { longSide: 1000, quality: 60 },
];

const SAMPLE = 16;

/** So many pictures of all sizes that their mean tells that of all; all where there are few. */
export function sampleOf<Sized extends { readonly bytes: number }>(all: readonly Sized[]): Sized[] {
  if (all.length <= SAMPLE) return [...all];
  const sorted = [...all].sort((one, other) => one.bytes - other.bytes);
  return Array.from({ length: SAMPLE }, (_, at) => sorted[Math.floor(((at + 0.5) * all.length) / SAMPLE)]!);
}

/** The place of the first step, from this one on, that `fits`; the last where none does. Asks of a few only. */
export async function firstThatFits(
  from: number,
  fits: (place: number) => Promise<boolean>,
): Promise<number> {
  let [low, high] = [from, PRINT_STEPS.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await fits(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export const sumOfBytes = (all: readonly { readonly bytes: number }[]): number =>
  all.reduce((sum, { bytes }) => sum + bytes, 0);
