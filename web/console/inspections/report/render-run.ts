import type {
  AcceptedRenderView,
  RenderAnswerView,
  RenderProgressView,
} from '../../../../src/api/reports.js';
import { uniqueId } from '../../../common/unique-id.js';
import { ApiError } from '../../api/api-error.js';

export type RenderState =
  | { at: 'idle' }
  | { at: 'asking' }
  | { at: 'drawing'; progress: RenderProgressView }
  | { at: 'done'; answer: RenderAnswerView }
  | { at: 'failed'; error: unknown };

/** The service's calls for a render. */
export interface RenderCalls<Request extends object = object> {
  ask(request: Request, idempotencyKey: string): Promise<AcceptedRenderView | RenderAnswerView>;
  /** Follows a render. Resolves with the report; rejects when the render fails. */
  watch(id: string, onProgress: (progress: RenderProgressView) => void): Promise<RenderAnswerView>;
}

/** Stores the id of the render in progress across a reload. */
export interface RenderMemory {
  get(): string | undefined;
  set(id: string | undefined): void;
}

/** Runs the renders of one inspection, one at a time, and follows each to its end even when the person opens another page. */
export class RenderRun<Request extends object = object> {
  private state: RenderState = { at: 'idle' };
  private readonly listeners = new Set<() => void>();
  /** The last request and its idempotency key, so that a retry after a lost answer does not render twice. */
  private last: { text: string; key: string } | undefined;

  constructor(
    private readonly calls: RenderCalls<Request>,
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

  /** Clears the outcome. */
  forget(): void {
    if (this.state.at === 'done' || this.state.at === 'failed') this.set({ at: 'idle' });
  }

  /** Requests a render, unless an earlier one could not be followed to its end: then follows that one. */
  async start(request: Request): Promise<void> {
    if (this.state.at === 'asking' || this.state.at === 'drawing') return;
    const id = this.memory.get();
    if (id !== undefined) return this.follow(id);
    this.set({ at: 'asking' });
    const text = JSON.stringify(request);
    if (this.last?.text !== text) this.last = { text, key: uniqueId() };
    try {
      const answer = await this.calls.ask(request, this.last.key);
      this.last = undefined;
      if (!('status' in answer)) return this.set({ at: 'done', answer });
      this.memory.set(answer.id);
      await this.follow(answer.id);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0) this.last = undefined;
      this.set({ at: 'failed', error });
    }
  }

  private async follow(id: string): Promise<void> {
    this.set({ at: 'drawing', progress: { phase: 'waiting' } });
    try {
      const answer = await this.calls.watch(id, (progress) => this.set({ at: 'drawing', progress }));
      this.memory.set(undefined);
      this.set({ at: 'done', answer });
    } catch (error) {
      // Without the admin key the render continues unseen.
      if (!(error instanceof ApiError && error.code === 'invalid_admin_key')) this.memory.set(undefined);
      this.set({ at: 'failed', error });
    }
  }

  private set(state: RenderState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
