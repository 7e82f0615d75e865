import { StorageRefused } from '../device/device-database.js';
import type { PhotographStore, StoredPhotograph } from '../device/device-photographs.js';
import type { Exclusively } from '../device/exclusively.js';
import { retryWait } from '../retry-wait.js';
import { texts } from '../texts.js';
import { LONGEST_WAIT_S } from '../turns/trouble.js';
import { type Carrier, carryPatiently } from './carry-patiently.js';
import type { Journey, Photograph } from './photograph.js';

/** The part of the tray that uploading needs. */
export interface Waiting {
  photographs(): readonly Photograph[];
  move(id: string, journey: Journey): void;
  /** Removes one that another tab has sent or removed. */
  drop(id: string): void;
}

export interface SendingParts {
  carry: Carrier;
  store: PhotographStore;
  exclusively: Exclusively;
  /** The file of a photograph that is not on the device. */
  fileOf: (id: string) => File | undefined;
  /** Delays before each retry after a lost connection, in milliseconds. */
  pauses?: readonly number[];
  /** Delays before failed uploads are retried automatically; the last one repeats. */
  waits?: readonly number[];
}

const AT_ONCE = 2;
const PAUSES = [1_000, 3_000];

/**
 * Uploads waiting photographs, two at a time, each from one tab only. Retries with growing delays while the connection or
 * the service is down.
 */
export class Sending {
  private readonly under = new Map<string, AbortController>();
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly tray: Waiting,
    private readonly parts: SendingParts,
  ) {}

  /** Starts uploads up to the limit. */
  go(): void {
    for (const photograph of this.tray.photographs()) {
      if (this.under.size >= AT_ONCE) return;
      if (photograph.journey.at === 'waiting' && !this.under.has(photograph.id)) void this.send(photograph);
    }
  }

  stop(ids: readonly string[]): void {
    for (const id of ids) this.under.get(id)?.abort();
  }

  /** Retries every failed upload that may succeed. */
  readonly retryAll = (): void => {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const { id, journey } of this.tray.photographs())
      if (journey.at === 'failed' && journey.again) this.tray.move(id, { at: 'waiting' });
    this.go();
  };

  private async send(photograph: Photograph): Promise<void> {
    const { id } = photograph;
    const controller = new AbortController();
    const { signal } = controller;
    this.under.set(id, controller);
    try {
      const journey = await this.parts.exclusively(`photograph:${id}`, signal, () =>
        this.carry(photograph, signal),
      );
      if (!signal.aborted && journey) this.settle(id, journey);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.under.delete(id);
      this.go();
    }
  }

  private settle(id: string, journey: Journey): void {
    this.tray.move(id, journey);
    if (journey.at === 'there') this.tries = 0;
    if (journey.at === 'failed' && journey.lost) this.retryLater(journey.afterSeconds);
  }

  /** A busy service is not asked before the time that it named, within bounds. */
  private retryLater(afterSeconds = 0): void {
    const wait = retryWait(this.tries, this.parts.waits);
    if (this.timer !== undefined || wait === undefined) return;
    this.tries++;
    this.timer = setTimeout(this.retryAll, Math.max(wait, Math.min(afterSeconds, LONGEST_WAIT_S) * 1_000));
  }

  /** Uploads one photograph; undefined when another tab has claimed it in the meantime. */
  private async carry(
    { id, onDevice, message }: Photograph,
    signal: AbortSignal,
  ): Promise<Journey | undefined> {
    const { store, carry, fileOf, pauses = PAUSES } = this.parts;
    const inMemory = fileOf(id);
    const stored = onDevice ? await readStored(store, id) : {};
    if (!stored && !inMemory) return NOT_READ;
    const { record, file = inMemory } = stored ?? {};
    if (record?.issued !== undefined) return { at: 'there', issued: record.issued };
    if (record?.turn !== (record && message) || (onDevice && !record && !inMemory))
      return void this.tray.drop(id);
    const onShare = (share: number) => this.tray.move(id, { at: 'sending', share });
    onShare(0);
    const journey = await carryPatiently(carry, { file, signal, onShare, pauses });
    // Still under the lock, so that the next tab to hold it finds the photograph uploaded.
    if (journey.at === 'there' && onDevice && !signal.aborted)
      await store.note([id], { issued: journey.issued }).catch(() => undefined);
    return journey;
  }
}

const NOT_READ: Journey = { at: 'failed', sentence: texts.notRead, again: true, lost: true };

interface Stored {
  record?: StoredPhotograph | undefined;
  file?: File | undefined;
}

/** Reads a photograph on the device; undefined when the browser refuses. */
async function readStored(store: PhotographStore, id: string): Promise<Stored | undefined> {
  try {
    return { record: await store.find(id), file: await store.file(id) };
  } catch (error) {
    if (error instanceof StorageRefused) return undefined;
    throw error;
  }
}
