import type { PictureWorkers } from '../../inspection/pictures/picture-workers.js';
import { FaultyPicture, type PrintStep } from '../../inspection/pictures/picture.js';
import type { BlobStore, Draft, StoredBlob } from '../../storage/blob-store.js';
import { StoredFileDamaged } from '../../storage/sound-file.js';

/**
 * The sizes in which the pictures of a report may be printed, largest first; all of one report in the same. None is below
 * 800 pixels or quality 60 (contract section 6, rule 24), at which a crack and the digits of a meter can still be read.
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
  { longSide: 900, quality: 60 },
  { longSide: 800, quality: 60 },
];

const SAMPLE = 16;

/** Returns a few pictures of all sizes whose mean estimates that of all; returns all if they are few. */
export function sampleOf<Sized extends { readonly bytes: number }>(all: readonly Sized[]): Sized[] {
  if (all.length <= SAMPLE) return [...all];
  const sorted = [...all].sort((one, other) => one.bytes - other.bytes);
  return Array.from({ length: SAMPLE }, (_, at) => sorted[Math.floor(((at + 0.5) * all.length) / SAMPLE)]!);
}

/** Finds the first step at or after `from` that `fits`, or the last step. Tries only a few. */
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

/** The print rendition of a photograph. */
export type Print = Readonly<StoredBlob>;

/** A smaller copy of a print, outside of the store. */
interface SmallerPrint {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The pictures of a report in one size. */
export interface SteppedPrints {
  readonly step: PrintStep;
  /** Copies by the keys of their prints. A print that would not get smaller has none and is printed as it is. */
  readonly smaller: ReadonlyMap<string, SmallerPrint>;
  /** Bytes of all the prints together. */
  readonly bytes: number;
}

/** The resources that smaller copies are made with. `chat` is the queue in which they wait for a picture worker. */
export interface PrintMaker {
  readonly store: BlobStore;
  readonly workers: PictureWorkers;
  readonly chat: string;
  readonly signal: AbortSignal;
}

/** Copies made concurrently. */
const AT_ONCE = 2;

/** Makes smaller copies of prints, each in a picture worker, and passes them to `use`. They are deleted when it ends. */
export async function withSmallerPrints<Value>(
  prints: readonly Print[],
  step: PrintStep,
  maker: PrintMaker,
  use: (stepped: SteppedPrints) => Promise<Value>,
): Promise<Value> {
  const { store, signal } = maker;
  const drafts: Draft[] = [];
  const smaller = new Map<string, SmallerPrint>();
  const waiting = prints.values();
  const work = async (): Promise<void> => {
    for (const print of waiting) {
      signal.throwIfAborted();
      const draft = await store.draft();
      drafts.push(draft);
      const made = await makeSmaller(print, draft, step, maker);
      if (made) smaller.set(print.key, made);
      else await store.discard(draft);
    }
  };
  try {
    // All have ended before a draft is removed, so that none still writes to it.
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    const bytes = sumOfBytes(prints.map((print) => smaller.get(print.key) ?? print));
    return await use({ step, smaller, bytes });
  } finally {
    for (const draft of drafts) await store.discard(draft);
  }
}

/** Returns undefined if the copy is not smaller, or if the print is damaged, which drawing reports. */
async function makeSmaller(
  print: Print,
  draft: Draft,
  step: PrintStep,
  { store, workers, chat }: PrintMaker,
): Promise<SmallerPrint | undefined> {
  try {
    await store.withSound(print, ({ path }) =>
      workers.reduce(path, draft.path, step, { who: 'reports', chat }),
    );
  } catch (error) {
    if (error instanceof FaultyPicture || error instanceof StoredFileDamaged) return undefined;
    throw error;
  }
  const measured = await store.measure(draft);
  return measured.bytes < print.bytes ? { path: draft.path, ...measured } : undefined;
}
