import { Refused, Unreachable } from '../../common/answer.js';
import type { Kept } from '../../common/kept.js';
import { inWords, refusalSaid } from '../trouble.js';
import { addPhotographs, type Journey, type Photograph, type PhotographLimits } from './photograph.js';
import type { Thumbnails } from './thumbnails.js';

export interface TrayState {
  photographs: readonly Photograph[];
  /** What was left out when files were added. */
  complaint: string;
}

/** Brings one photograph to the service and resolves with the name that it has there. */
export type Carrier = (
  file: File,
  signal: AbortSignal,
  progress: (sent: number, total: number) => void,
) => Promise<string>;

const AT_ONCE = 2;
/** Waits before a photograph whose connection was lost is sent again by itself, in milliseconds. */
const PAUSES = [1_000, 3_000];

/**
 * The photographs beside the message that is being written. Each is sent as soon as it is added, two at a time; one
 * that fails stays, and can be sent again alone. Those that have arrived outlive the page.
 */
export class PhotographTray {
  private state: TrayState;
  private readonly sending = new Map<string, AbortController>();
  private readonly listeners = new Set<() => void>();
  limits: PhotographLimits = { most: 0, largestBytes: 0 };

  constructor(
    private readonly carry: Carrier,
    private readonly thumbnails: Thumbnails,
    private readonly kept: Kept,
    private readonly pauses: readonly number[] = PAUSES,
  ) {
    this.state = { photographs: kept.get<Photograph[]>('tray') ?? [], complaint: '' };
    globalThis.addEventListener?.('online', () => this.retryAll());
  }

  readonly snapshot = (): TrayState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly add = (files: readonly File[]): void => {
    if (this.limits.most === 0) return this.change({ complaint: 'This chat takes no photographs.' });
    const before = new Set(this.state.photographs);
    this.change(addPhotographs(this.state.photographs, files, this.limits));
    this.keep();
    for (const added of this.state.photographs) {
      if (!before.has(added)) this.thumbnails.make(added.id, added.file!);
    }
    this.sendWaiting();
  };

  readonly remove = (id: string): void => {
    this.letGo([id]);
    const photographs = this.state.photographs.filter((photograph) => photograph.id !== id);
    this.change({ photographs, complaint: '' });
    this.keep();
    this.sendWaiting();
  };

  readonly clear = (): void => {
    this.letGo(this.state.photographs.map(({ id }) => id));
    this.change({ photographs: [], complaint: '' });
    this.keep();
  };

  readonly retry = (id: string): void => {
    const { file, journey } = this.find(id) ?? {};
    if (!file || journey?.at !== 'failed' || !journey.again) return;
    this.move(id, { at: 'waiting' });
    this.sendWaiting();
  };

  readonly retryAll = (): void => {
    for (const { id } of this.state.photographs) this.retry(id);
  };

  /** Gives them away to the message that is sent; all are with the service by then. */
  take(): readonly Photograph[] {
    const { photographs } = this.state;
    this.change({ photographs: [], complaint: '' });
    this.keep();
    return photographs;
  }

  private sendWaiting(): void {
    for (const photograph of this.state.photographs) {
      if (this.sending.size >= AT_ONCE) return;
      if (photograph.journey.at === 'waiting') void this.send(photograph);
    }
  }

  private async send({ id, file }: Photograph): Promise<void> {
    const controller = new AbortController();
    this.sending.set(id, controller);
    this.move(id, { at: 'sending', share: 0 });
    const journey = await this.carryPatiently(id, file!, controller.signal);
    this.sending.delete(id);
    if (!controller.signal.aborted) this.move(id, journey);
    if (journey.at === 'there') this.keep();
    this.sendWaiting();
  }

  private async carryPatiently(id: string, file: File, signal: AbortSignal): Promise<Journey> {
    const progress = (sent: number, total: number) =>
      signal.aborted || this.move(id, { at: 'sending', share: total > 0 ? sent / total : 0 });
    for (const pause of [...this.pauses, undefined]) {
      try {
        return { at: 'there', issued: await this.carry(file, signal, progress) };
      } catch (error) {
        const lost = error instanceof Unreachable;
        if (!lost || pause === undefined || signal.aborted) return failed(error);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    throw new Error('unreachable');
  }

  private letGo(ids: readonly string[]): void {
    for (const id of ids) this.sending.get(id)?.abort();
    this.thumbnails.forget(ids);
  }

  private find(id: string): Photograph | undefined {
    return this.state.photographs.find((photograph) => photograph.id === id);
  }

  private move(id: string, journey: Journey): void {
    const photographs = this.state.photographs.map((photograph) =>
      photograph.id === id ? { ...photograph, journey } : photograph,
    );
    this.change({ photographs });
  }

  private keep(): void {
    const there = this.state.photographs.filter(({ journey }) => journey.at === 'there');
    this.kept.set('tray', there.length > 0 ? there.map(({ file: _, ...rest }) => rest) : undefined);
  }

  private change(change: Partial<TrayState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

function failed(error: unknown): Journey {
  if (error instanceof Unreachable)
    return { at: 'failed', sentence: 'The connection was lost.', again: true };
  if (!(error instanceof Refused))
    return { at: 'failed', sentence: 'It cannot be read any more. Add it again.', again: false };
  const { problem } = error;
  const again = problem.status >= 429 || problem.status === 401 || problem.status === 409;
  const asksKey = problem.status === 401 ? { asksKey: true } : {};
  return { at: 'failed', sentence: inWords(refusalSaid(problem)), again, ...asksKey };
}
