import { Injectable } from '@nestjs/common';
import { PictureWorkers } from '../../inspection/pictures/picture-workers.js';
import type { PrintStep } from '../../inspection/pictures/picture.js';
import { FaultyPicture } from '../../inspection/pictures/picture.js';
import { BlobStore, type Draft, type StoredBlob } from '../../storage/blob-store.js';
import { StoredFileDamaged } from '../../storage/sound-file.js';
import { sumOfBytes } from './print-steps.js';

/** The print rendition of a photograph. */
export type Print = Readonly<StoredBlob>;

/** A smaller copy of a print, outside of the store. */
export interface SmallerPrint {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The pictures of a report in one size. */
export interface SteppedPrints {
  readonly step: PrintStep;
  /** By the keys of their prints; without those that are no smaller so, which are printed as they are. */
  readonly smaller: ReadonlyMap<string, SmallerPrint>;
  /** Of all the prints together. */
  readonly bytes: number;
}

/** One beside the other, as the pictures of a capture are decoded. */
const AT_ONCE = 2;

/** Makes smaller copies of prints, each in a picture worker, for as long as a report is drawn with them. */
@Injectable()
export class SmallerPrints {
  constructor(
    private readonly store: BlobStore,
    private readonly workers: PictureWorkers,
  ) {}

  /** `use` is given the prints in this size, which are gone when it ends. `chat` waits its turn for the workers. */
  async with<Value>(
    prints: readonly Print[],
    step: PrintStep,
    { chat, signal }: { chat: string; signal: AbortSignal },
    use: (stepped: SteppedPrints) => Promise<Value>,
  ): Promise<Value> {
    const drafts: Draft[] = [];
    const smaller = new Map<string, SmallerPrint>();
    const waiting = prints.values();
    const work = async (): Promise<void> => {
      for (const print of waiting) {
        signal.throwIfAborted();
        const draft = await this.store.draft();
        drafts.push(draft);
        const made = await this.make(print, draft, step, chat);
        if (made) smaller.set(print.key, made);
        else await this.store.discard(draft);
      }
    };
    try {
      await allOf(Array.from({ length: AT_ONCE }, work));
      const bytes = sumOfBytes(prints.map((print) => smaller.get(print.key) ?? print));
      return await use({ step, smaller, bytes });
    } finally {
      for (const draft of drafts) await this.store.discard(draft);
    }
  }

  /** Returns undefined where the copy is not smaller, or the print is damaged, which drawing reports. */
  private async make(
    print: Print,
    draft: Draft,
    step: PrintStep,
    chat: string,
  ): Promise<SmallerPrint | undefined> {
    try {
      await this.store.withSound(print, ({ path }) =>
        this.workers.reduce(path, draft.path, step, { who: 'reports', chat }),
      );
    } catch (error) {
      if (error instanceof FaultyPicture || error instanceof StoredFileDamaged) return undefined;
      throw error;
    }
    const measured = await this.store.measure(draft);
    return measured.bytes < print.bytes ? { path: draft.path, ...measured } : undefined;
  }
}

/** Ends when all have ended, so that none still writes what is removed then; throws the first error. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(work)) if (end.status === 'rejected') throw end.reason;
}
