import { ChangeQueue } from './change-queue.js';

/** A change that ends when the test says so. */
function change(log: string[], name: string) {
  let end!: (worked: boolean) => void;
  const ended = new Promise<boolean>((resolve) => (end = resolve));
  const make = () => {
    log.push(name);
    return ended;
  };
  return { name, make, end };
}

describe('the queue of changes', () => {
  it('makes changes in the order asked for, one at a time', async () => {
    const log: string[] = [];
    const queue = new ChangeQueue();
    const [first, second] = [change(log, 'skip gas'), change(log, 'skip water')];
    const outcomes = [first, second].map(({ name, make }) => queue.add(name, 'skip', make));
    await Promise.resolve();
    expect(log).toEqual(['skip gas']);
    expect(queue.size).toBe(2);
    first.end(false);
    expect(await outcomes[0]).toBe(false);
    expect(queue.size).toBe(1);
    second.end(true);
    expect(await outcomes[1]).toBe(true);
    expect(log).toEqual(['skip gas', 'skip water']);
    expect(queue.size).toBe(0);
  });

  it('makes a change once that is asked for twice before it has ended', async () => {
    const log: string[] = [];
    const queue = new ChangeQueue();
    const asked = change(log, 'skip gas');
    const outcomes = [queue.add('gas', 'skip', asked.make), queue.add('gas', 'skip', asked.make)];
    asked.end(true);
    expect(await Promise.all(outcomes)).toEqual([true, true]);
    const again = change(log, 'skip gas again');
    again.end(true);
    await queue.add('gas', 'skip', again.make);
    expect(log).toEqual(['skip gas', 'skip gas again']);
  });

  it('makes a change again that was asked for before another of the same subject', async () => {
    const log: string[] = [];
    const queue = new ChangeQueue();
    for (const area of ['Hall', 'Kitchen', 'Hall']) {
      const move = change(log, area);
      move.end(true);
      void queue.add('remark', area, move.make);
    }
    await queue.add('other', 'save', () => Promise.resolve(true));
    expect(log).toEqual(['Hall', 'Kitchen', 'Hall']);
  });
});
