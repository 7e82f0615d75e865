import { uniqueId } from '../../../common/unique-id.js';

/** The upload state of a photograph. */
export type Journey =
  | { at: 'waiting' }
  /** `share`: the part that has been sent, 0 to 1. */
  | { at: 'sending'; share: number }
  /** `notes`: sentences from the service about it. */
  | { at: 'recorded'; area: string; notes: readonly string[] }
  /** `again`: a retry may succeed. `asksKey`: needs the flow's key. */
  | { at: 'failed'; sentence: string; again: boolean; asksKey: boolean };

/** A chosen photograph. `id` is also its message id, so that it is recorded once. */
export interface Upload {
  id: string;
  name: string;
  bytes: number;
  area: string;
  /** ISO 8601. */
  captureTs: string;
  file: File;
  journey: Journey;
}

/** The outcome of one attempt. `waitMs`: the wait that the service asks for. */
export type Outcome =
  | Extract<Journey, { at: 'recorded' }>
  | (Extract<Journey, { at: 'failed' }> & { waitMs?: number });

/** Uploads a photograph. Resolves with undefined when there is no answer. */
export type Carrier = (
  upload: Upload,
  signal: AbortSignal,
  progress: (share: number) => void,
) => Promise<Outcome | undefined>;

const AT_ONCE = 2;
/** Delays before each automatic retry after a lost connection, in milliseconds. */
const PAUSES = [1_000, 3_000];
/** Waits for a rate limit or a busy service before an upload fails. */
const MOST_WAITS = 10;
const LOST: Outcome = {
  at: 'failed',
  sentence: 'The connection was lost.',
  again: true,
  asksKey: false,
};

/**
 * Uploads photographs to one inspection, two at a time. A failed one stays and can be retried. Uploads continue when the
 * person opens another page.
 */
export class UploadQueue {
  private uploads: readonly Upload[] = [];
  private readonly sending = new Map<string, AbortController>();
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly carry: Carrier,
    private readonly pauses: readonly number[] = PAUSES,
  ) {
    globalThis.addEventListener?.('online', () => this.retryAll());
  }

  readonly snapshot = (): readonly Upload[] => this.uploads;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  add(files: readonly File[], area: string, captureTs: (file: File, index: number) => string): void {
    const added = files.map((file, index): Upload => ({
      id: uniqueId(),
      name: file.name,
      bytes: file.size,
      area,
      captureTs: captureTs(file, index),
      file,
      journey: { at: 'waiting' },
    }));
    this.set([...this.uploads, ...added]);
    this.next();
  }

  readonly retry = (id: string): void => {
    const { journey } = this.uploads.find((upload) => upload.id === id) ?? {};
    if (journey?.at !== 'failed' || !journey.again) return;
    this.move(id, { at: 'waiting' });
    this.next();
  };

  readonly retryAll = (): void => {
    for (const { id } of this.uploads) this.retry(id);
  };

  readonly remove = (id: string): void => {
    this.sending.get(id)?.abort();
    this.set(this.uploads.filter((upload) => upload.id !== id));
    this.next();
  };

  /** Removes recorded photographs from the list. */
  readonly tidy = (): void => this.set(this.uploads.filter(({ journey }) => journey.at !== 'recorded'));

  /** Returns whether photographs would be lost if the page were closed. */
  get isBusy(): boolean {
    return this.uploads.some(({ journey }) => journey.at !== 'recorded');
  }

  private next(): void {
    for (const upload of this.uploads) {
      if (this.sending.size >= AT_ONCE) return;
      if (upload.journey.at === 'waiting' && !this.sending.has(upload.id)) void this.send(upload);
    }
  }

  private async send(upload: Upload): Promise<void> {
    const controller = new AbortController();
    this.sending.set(upload.id, controller);
    this.move(upload.id, { at: 'sending', share: 0 });
    // A browser may report progress after an early answer from the service.
    const progress = (share: number) =>
      this.sending.get(upload.id) === controller && this.move(upload.id, { at: 'sending', share });
    const outcome = await this.carryPatiently(upload, controller.signal, progress);
    this.sending.delete(upload.id);
    this.move(upload.id, outcome);
    this.next();
  }

  private async carryPatiently(
    upload: Upload,
    signal: AbortSignal,
    progress: (share: number) => void,
  ): Promise<Outcome> {
    const pauses = this.pauses.values();
    for (let waits = 0; ;) {
      const outcome = await this.carry(upload, signal, progress);
      const waitMs = outcome?.at === 'failed' ? outcome.waitMs : undefined;
      if (outcome && (waitMs === undefined || waits++ >= MOST_WAITS)) return outcome;
      const pause = waitMs ?? pauses.next().value;
      if (pause === undefined || signal.aborted) return outcome ?? LOST;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  private move(id: string, journey: Journey): void {
    this.set(this.uploads.map((upload) => (upload.id === id ? { ...upload, journey } : upload)));
  }

  private set(uploads: readonly Upload[]): void {
    this.uploads = uploads;
    for (const listener of this.listeners) listener();
  }
}
