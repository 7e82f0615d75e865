import { FrameLog } from './frame-log.js';
import { predictionForm } from './prediction-form.js';

const form = predictionForm.stream('e1');
const token = '0123456789abcdef0123456789abcdef';

const budgetOf = (limit: number) => {
  const budget = {
    held: 0,
    limit: () => limit,
    burst: () => limit * 4,
    grew: (bytes: number) => void (budget.held += bytes),
    changed: () => undefined,
  };
  return budget;
};

describe('the frames of a streamed run', () => {
  it('are an id line of token and number, and one data line with event and data', () => {
    const log = new FrameLog('e1', 'f1', token, budgetOf(1024), form);
    log.append({ event: 'token', data: 'two\nlines \u2028 "quoted"' });
    expect(log.frame(1)).toBe(
      `id: ${token}:1\ndata: {"event":"token","data":"two\\nlines \u2028 \\"quoted\\""}\n\n`,
    );
  });

  it('are stored up to the budget, the newest in any case', () => {
    const budget = budgetOf(1000);
    const log = new FrameLog('e1', 'f1', token, budget, form);
    log.follow({ changed: () => undefined, needs: () => undefined });
    for (let n = 0; n < 100; n++) log.append({ event: 'token', data: 'x'.repeat(50) });
    expect(budget.held).toBeLessThanOrEqual(1000);
    expect(log.last).toBe(100);
    expect(log.first).toBeGreaterThan(85);
    expect(log.frame(log.first - 1)).toBeUndefined();
    expect(log.frame(log.first)).toContain(`:${log.first}\n`);
    log.append({ event: 'token', data: 'y'.repeat(5000) });
    expect(log.first).toBe(101);
    expect(log.frame(101)).toContain('yyy');
  });

  it('wait for the first reader, up to a burst', () => {
    const budget = budgetOf(1000);
    const log = new FrameLog('e1', 'f1', token, budget, form);
    for (let n = 0; n < 20; n++) log.append({ event: 'token', data: 'x'.repeat(50) });
    expect([log.first, budget.held > 1000]).toEqual([1, true]);
    for (let n = 0; n < 200; n++) log.append({ event: 'token', data: 'x'.repeat(50) });
    expect(budget.held).toBeLessThanOrEqual(4000);
  });

  it('wait for a reader that reads, up to a burst, and not for one that has stalled', () => {
    const log = new FrameLog('e1', 'f1', token, budgetOf(1000), form);
    const reader = { changed: () => undefined, needs: (): number | undefined => 1 };
    log.follow(reader);
    for (let n = 0; n < 30; n++) log.append({ event: 'token', data: 'x'.repeat(30) });
    expect(log.first).toBe(1);
    reader.needs = () => undefined;
    log.trim();
    expect(log.first).toBeGreaterThan(15);
    reader.needs = () => log.first;
    for (let n = 0; n < 100; n++) log.append({ event: 'token', data: 'x'.repeat(30) });
    expect(log.first).toBeGreaterThan(65);
  });

  it('keep their numbers when thousands were dropped', () => {
    const log = new FrameLog('e1', 'f1', token, budgetOf(2000), form);
    for (let n = 1; n <= 5000; n++) log.append({ event: 'token', data: String(n) });
    expect(log.last).toBe(5000);
    expect(log.frame(5000)).toContain('"data":"5000"');
    expect(log.frame(log.first)).toContain(`"data":"${log.first}"`);
  });

  it('take nothing after the end, and release their bytes when they are removed', () => {
    const budget = budgetOf(1000);
    const log = new FrameLog('e1', 'f1', token, budget, form);
    log.append({ event: 'token', data: 'x' });
    log.end();
    log.append({ event: 'token', data: 'late' });
    expect(log.last).toBe(1);
    log.forget();
    expect(budget.held).toBe(0);
  });

  it('are none for an event that the protocol does not tell', () => {
    const quiet = { ...form, frame: () => undefined };
    const log = new FrameLog('e1', 'f1', token, budgetOf(1000), quiet);
    log.append({ event: 'token', data: 'a' });
    expect([log.last, log.first]).toEqual([0, 1]);
  });
});
