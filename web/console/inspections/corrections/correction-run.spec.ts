import { ApiError, unreachable } from '../../api/api-error.js';
import { type Batch, CorrectionRun, type Step } from './correction-run.js';

const claimed = () => new ApiError(409, 'already_claimed', 'A report has taken this already.');
const limited = () => new ApiError(429, 'rate_limited', 'Too many.', [], undefined, 7_000);
const busy = () => new ApiError(503, 'overloaded', 'Busy.', [], undefined, 2_000);

describe('corrections of one request', () => {
  let sent: string[] = [];
  let atOnce = 0;
  let most = 0;
  let waits: number[] = [];
  beforeEach(() => {
    [sent, atOnce, most, waits] = [[], 0, 0, []];
  });
  const run = (reload = () => Promise.resolve()) =>
    new CorrectionRun(reload, (ms) => (waits.push(ms), Promise.resolve()));
  const step = (name: string, more: Partial<Step> = {}): Step => ({
    ids: [name],
    name,
    ...more,
    send: async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve));
      atOnce--;
      await more.send?.();
      sent.push(name);
    },
  });
  const failing = (name: string, errors: (() => Error)[], more: Partial<Step> = {}): Step =>
    step(name, {
      ...more,
      send: () => {
        const error = errors.shift();
        return error ? Promise.reject(error()) : Promise.resolve();
      },
    });
  const batch = (...steps: Step[]): Batch => ({ steps, summary: (done) => `${done} done` });

  it('are sent a few at a time, each once, and reported after the page has reloaded', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `s${at}`);
    let reloaded = 0;
    const made = run(() => Promise.resolve(void reloaded++));
    const ended = made.start(batch(...names.map((name) => step(name))));
    expect(made.snapshot()).toMatchObject({ running: { done: 0, total: 40 } });
    expect(made.snapshot().busy.size).toBe(40);
    expect(made.isBusy).toBe(true);
    await ended;
    expect(sent.sort()).toEqual(names.sort());
    expect([most, reloaded, made.isBusy]).toEqual([3, 1, false]);
    expect(made.snapshot()).toEqual({ busy: new Set(), outcome: { summary: '40 done', failed: [] } });
  });

  it('stand when others are refused, which are reported by name', async () => {
    const made = run();
    await made.start(batch(step('a'), failing('b', [claimed]), step('c'), failing('d', [unreachable])));
    const { summary, failed } = made.snapshot().outcome!;
    expect(summary).toBe('2 done');
    expect(failed.map(({ step: { name }, again }) => [name, again])).toEqual([
      ['b', false],
      ['d', true],
    ]);
    expect(failed[0]!.sentence).toContain('a report has just claimed it');
    made.retry();
    await made.start(batch(step('e')));
    expect(sent).toEqual(['a', 'c', 'd', 'e']);
  });

  it('wait as long as the service asks, then continue', async () => {
    const made = run();
    await made.start(batch(failing('a', [limited, busy]), step('b')));
    expect(waits).toEqual([7_000, 2_000]);
    expect(sent.sort()).toEqual(['a', 'b']);
    expect(made.snapshot().outcome).toEqual({ summary: '2 done', failed: [] });
  });

  it('show the wait until it is over, also while other steps end', async () => {
    let endWait = () => undefined as void;
    const made = new CorrectionRun(
      () => Promise.resolve(),
      () => new Promise((resolve) => (endWait = resolve)),
    );
    const ended = made.start(batch(failing('a', [limited]), step('b'), step('c')));
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(made.snapshot().running).toEqual({ done: 2, total: 3, waitMs: 7_000 });
    endWait();
    await ended;
    expect(made.snapshot().outcome).toEqual({ summary: '3 done', failed: [] });
  });

  it('fail when the service keeps asking to wait', async () => {
    const made = run();
    await made.start(batch(failing('a', Array(99).fill(limited) as (() => Error)[])));
    expect(waits.length).toBe(10);
    expect(made.snapshot().outcome!.failed).toMatchObject([{ sentence: 'Too many.', again: true }]);
  });

  it('are undone as far as they were made', async () => {
    const made = run();
    const back = (name: string) => ({ back: [step(`${name} back`)] });
    await made.start(batch(step('a', back('a')), failing('b', [claimed], back('b'))));
    made.undo();
    await made.start(batch(step('c')));
    expect(sent).toEqual(['a', 'a back', 'c']);
  });

  it('requested in the meantime follow, and no failure is lost', async () => {
    let more: (() => void) | undefined;
    const made = run(() => Promise.resolve(more?.()));
    more = () => {
      more = undefined;
      void made.start(batch(step('c')));
    };
    const first = made.start(batch(failing('a', [claimed])));
    void made.start(batch(step('b')));
    await first;
    expect(sent).toEqual(['b', 'c']);
    expect(made.snapshot().outcome!.failed.map((each) => each.step.name)).toEqual(['a']);
    made.dismiss();
    expect(made.snapshot()).toEqual({ busy: new Set() });
  });
});
