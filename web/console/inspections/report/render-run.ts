import type { AcceptedRenderView, RenderAnswerView } from '../../../../src/api/reports.js';
import { uniqueId } from '../../../common/unique-id.js';
import { ApiError } from '../../api/api-error.js';

export interface Progress {
  phase: 'waiting' | 'drawing';
  page?: number;
  pages?: number;
  photographs?: number;
}

export type RenderState =
  | { at: 'idle' }
  | { at: 'asking' }
  | { at: 'drawing'; progress: Progress }
  | { at: 'done'; answer: RenderAnswerView }
  | { at: 'failed'; error: unknown };

/** The service's calls for a render. */
export interface RenderCalls<Asked extends object = object> {
  ask(asked: Asked, idempotencyKey: string): Promise<AcceptedRenderView | RenderAnswerView>;
  /** Resolves with the report; rejects when there is none. */
  watch(id: string, onProgress: (progress: Progress) => void): Promise<RenderAnswerView>;
}

/** Remembers which render is under way, for a page that is loaded anew meanwhile. */
export interface RenderMemory {
  get(): string | undefined;
  set(id: string | undefined): void;
}

/** The render of one inspection, asked for here: one at a time, and followed to its end whatever page is shown. */
export class RenderRun<Asked extends object = object> {
  private state: RenderState = { at: 'idle' };
  private readonly listeners = new Set<() => void>();
  /** The same request under the same key is the same render, also when its answer was lost. */
  private asked: { text: string; key: string } | undefined;

  constructor(
    private readonly calls: RenderCalls<Asked>,
    private readonly memory: RenderMemory,
  ) {
    const id = memory.get();
    if (id !== undefined) void this.follow(id);
  }

  readonly snapshot = (): RenderState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The outcome was seen, and is no longer shown. */
  forget(): void {
    if (this.state.at === 'done' || this.state.at === 'failed') this.set({ at: 'idle' });
  }

  async start(asked: Asked): Promise<void> {
    if (this.state.at === 'asking' || this.state.at === 'drawing') return;
    this.set({ at: 'asking' });
    const text = JSON.stringify(asked);
    if (this.asked?.text !== text) this.asked = { text, key: uniqueId() };
    try {
      const answer = await this.calls.ask(asked, this.asked.key);
      this.asked = undefined;
      if (!('status' in answer)) return this.set({ at: 'done', answer });
      this.memory.set(answer.id);
      await this.follow(answer.id);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0) this.asked = undefined;
      this.set({ at: 'failed', error });
    }
  }

  private async follow(id: string): Promise<void> {
    this.set({ at: 'drawing', progress: { phase: 'waiting' } });
    try {
      const answer = await this.calls.watch(id, (progress) => this.set({ at: 'drawing', progress }));
      this.set({ at: 'done', answer });
    } catch (error) {
      this.set({ at: 'failed', error });
    }
    this.memory.set(undefined);
  }

  private set(state: RenderState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
