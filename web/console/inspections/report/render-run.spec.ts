import type { RenderAnswerView } from '../../../../src/api/reports.js';
import { ApiError, unreachable } from '../../api/api-error.js';
import { type RenderCalls, type RenderMemory, RenderRun } from './render-run.js';

const file = { id: 'r', filename: 'a.pdf', url: '', bytes: 1, pages: 1, sha256: '', photographs: 1 };
const report: RenderAnswerView = { file, claimed: 1, outstandingAreas: [], warnings: [], executionId: 'e' };
const accepted = { id: 'claim', status: 'running', executionId: 'e' } as const;
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

class Memory implements RenderMemory {
  readonly seen: (string | undefined)[] = [];
  constructor(private id?: string) {}
  get() {
    return this.id;
  }
  set(id: string | undefined) {
    this.id = id;
    this.seen.push(id);
  }
}

describe('a render requested in the console', () => {
  it('is followed from its acceptance to its report', async () => {
    const memory = new Memory();
    const states: unknown[] = [];
    const run = new RenderRun(
      {
        ask: () => Promise.resolve(accepted),
        watch: (_id, onProgress) => {
          onProgress({ phase: 'drawing', page: 2, pages: 5, photographs: 3 });
          return Promise.resolve(report);
        },
      },
      memory,
    );
    run.subscribe(() => states.push(run.snapshot()));
    await run.start({});
    expect(states).toEqual([
      { at: 'asking' },
      { at: 'drawing', progress: { phase: 'waiting' } },
      { at: 'drawing', progress: { phase: 'drawing', page: 2, pages: 5, photographs: 3 } },
      { at: 'done', answer: report },
    ]);
    expect(memory.seen).toEqual(['claim', undefined]);
  });

  it('is retried under the same key after a lost answer, and under a new one after a refusal', async () => {
    const keys: string[] = [];
    const answers: (() => Promise<never>)[] = [
      () => Promise.reject(unreachable()),
      () => Promise.reject(new ApiError(409, 'incomplete_inspection', 'No.')),
      () => Promise.reject(unreachable()),
      () => Promise.reject(unreachable()),
    ];
    const calls: RenderCalls = {
      ask: (_body, key) => (keys.push(key), answers.shift()!()),
      watch: () => Promise.reject(new Error('nothing to watch')),
    };
    const run = new RenderRun(calls, new Memory());
    await run.start({ a: 1 });
    await run.start({ a: 1 });
    await run.start({ a: 1 });
    await run.start({ a: 2 });
    expect(run.snapshot()).toMatchObject({ at: 'failed', error: { code: 'unreachable' } });
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(3);
  });

  it('in progress during a reload is followed again', async () => {
    const memory = new Memory('claim');
    const run = new RenderRun(
      { ask: () => Promise.reject(new Error('not asked')), watch: () => Promise.resolve(report) },
      memory,
    );
    expect(run.snapshot()).toMatchObject({ at: 'drawing' });
    await settled();
    expect(run.snapshot()).toEqual({ at: 'done', answer: report });
    expect(memory.get()).toBeUndefined();
  });

  it('continues without the admin key, and is followed again instead of requested twice', async () => {
    const memory = new Memory();
    const requests: unknown[] = [];
    const watched: string[] = [];
    const ends = [
      () => Promise.reject(new ApiError(401, 'invalid_admin_key', 'Enter the admin key to see this.')),
      () => Promise.resolve(report),
    ];
    const run = new RenderRun(
      {
        ask: (request) => (requests.push(request), Promise.resolve(accepted)),
        watch: (id) => (watched.push(id), ends.shift()!()),
      },
      memory,
    );
    await run.start({ a: 1 });
    expect(run.snapshot()).toMatchObject({ at: 'failed', error: { code: 'invalid_admin_key' } });
    expect(memory.get()).toBe('claim');
    await run.start({ a: 1 });
    expect(run.snapshot()).toEqual({ at: 'done', answer: report });
    expect([requests.length, watched, memory.get()]).toEqual([1, ['claim', 'claim'], undefined]);
  });

  it('answers at once that nothing is pending', async () => {
    const nothing: RenderAnswerView = { file: null, reason: 'nothing_pending', previousReports: [] };
    const run = new RenderRun(
      { ask: () => Promise.resolve(nothing), watch: () => Promise.reject(new Error()) },
      new Memory(),
    );
    await run.start({});
    expect(run.snapshot()).toEqual({ at: 'done', answer: nothing });
  });
});
