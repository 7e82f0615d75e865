import { atOnce, inTurns, type Pausing } from './pausing.js';

describe('long work', () => {
  /** Each step takes so many milliseconds of the clock. */
  const steps = (ms: number) => {
    let elapsed = 0;
    let done = 0;
    function* work(): Pausing<string> {
      for (; done < 10; done++) {
        elapsed += ms;
        yield;
      }
      return 'done';
    }
    return { work: work(), clock: { elapsed: () => elapsed }, done: () => done };
  };

  it('lets others have their turn every 10 ms', async () => {
    const { work, clock, done } = steps(4);
    const seen: number[] = [];
    const look = () => {
      seen.push(done());
      if (done() < 10) setImmediate(look);
    };
    setImmediate(look);
    expect(await inTurns(work, clock)).toBe('done');
    // Three steps of 4 ms each turn.
    expect(seen.slice(0, 3)).toEqual([2, 5, 8]);
  });

  it('rejects with what it throws, and runs at once where nobody waits', async () => {
    function* failing(): Pausing<never> {
      throw new Error('no');
    }
    await expect(inTurns(failing(), { elapsed: () => 0 })).rejects.toThrow('no');
    expect(atOnce(steps(100).work)).toBe('done');
  });
});
