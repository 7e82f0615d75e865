import { ConsiderateWrites } from './considerate-writes.js';

describe('the writes of a move', () => {
  it('leave the lock free for as long as they held it, within bounds', async () => {
    let now = 0;
    const rested: number[] = [];
    const writes = new ConsiderateWrites(
      { write: (work) => work(undefined as never) },
      { elapsed: () => now },
      (ms) => Promise.resolve(rested.push(ms)),
    );
    for (const took of [0, 80, 5_000])
      expect(
        await writes.write(() => {
          now += took;
          return Promise.resolve(took);
        }),
      ).toBe(took);
    expect(rested).toEqual([10, 80, 200]);
    await expect(writes.after(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});
