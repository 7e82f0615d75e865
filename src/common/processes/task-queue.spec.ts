import { TaskQueue } from './task-queue.js';

const never = new AbortController().signal;

describe('tasks that wait for their turn', () => {
  it('are done a few at a time, in the order of their arrival', async () => {
    const queue = new TaskQueue(2, 100, 'Too many wait.');
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    const task = (index: number) => async () => {
      begun.push(index);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
    };
    await Promise.all(Array.from({ length: 10 }, (_, index) => queue.run(task(index), never)));
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(most).toBe(2);
  });

  it('go on after one that failed, and skip one that was stopped while it waited', async () => {
    const queue = new TaskQueue(1, 100, 'Too many wait.');
    const stopped = new AbortController();
    const results = Promise.allSettled([
      queue.run(() => Promise.reject(new Error('no')), never),
      queue.run(() => Promise.resolve('never run'), stopped.signal),
      queue.run(() => Promise.resolve('done'), never),
    ]);
    stopped.abort();
    expect((await results).map((result) => result.status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(await queue.run(() => Promise.resolve('again'), never)).toBe('again');
  });

  it('are refused before they begin anything when the line is full', async () => {
    const queue = new TaskQueue(1, 1, 'Too many wait.');
    let finish!: () => void;
    const first = queue.run(() => new Promise<void>((resolve) => (finish = resolve)), never);
    const second = queue.run(() => Promise.resolve(), never);
    expect(() => queue.requireNotFull()).toThrow(
      expect.objectContaining({ status: 503, code: 'overloaded' }),
    );
    finish();
    await Promise.all([first, second]);
    expect(() => queue.requireNotFull()).not.toThrow();
  });
});
