import { Unreachable } from './answer.js';
import { comeBack } from './come-back.js';

const broken = () => Promise.reject(new Unreachable('It broke off.'));

describe('coming back after a lost connection', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    Object.assign(globalThis, { addEventListener: () => undefined, removeEventListener: () => undefined });
  });
  afterEach(() => jest.useRealTimers());

  /** Answers how it ended, how often it was tried, and how long that took. */
  async function tried(attempt: (count: number) => Promise<string | undefined>, place = () => 0) {
    const [began, leave] = [Date.now(), new AbortController()];
    let [attempts, breaks] = [0, 0];
    const back = comeBack({
      attempt: () => attempt(++attempts),
      place,
      lost: () => breaks++,
      signal: leave.signal,
    });
    await jest.runAllTimersAsync();
    return { ending: await back, attempts, breaks, seconds: Math.round((Date.now() - began) / 1_000) };
  }

  it('tries for longer than a run goes on without a client, then gives up', async () => {
    const { ending, attempts, breaks, seconds } = await tried(broken);
    expect([ending, attempts, breaks]).toEqual([undefined, 8, 8]);
    expect(seconds).toBeGreaterThan(15);
  });

  it('goes on where the service is not ready yet, and ends with the first answer', async () => {
    const found = await tried((count) => Promise.resolve(count === 3 ? 'answered' : undefined));
    expect(found).toMatchObject({ ending: 'answered', attempts: 3, breaks: 3 });
  });

  it('is patient anew with every break, as long as it gets further', async () => {
    let place = 0;
    const further = (count: number) => (count === 30 ? Promise.resolve('answered') : (place++, broken()));
    const { ending, seconds } = await tried(further, () => place);
    expect([ending, seconds]).toEqual(['answered', 8]);
  });

  it('hides no other failure', async () => {
    await expect(
      comeBack({
        attempt: () => Promise.reject(new Error('a fault of ours')),
        place: () => 0,
        lost: () => void jest.advanceTimersByTimeAsync(1_000),
        signal: new AbortController().signal,
      }),
    ).rejects.toThrow('a fault of ours');
  });

  it('ends at once when nobody waits any more', async () => {
    const leave = new AbortController();
    const back = comeBack({
      attempt: broken,
      place: () => 0,
      lost: () => leave.abort(),
      signal: leave.signal,
    });
    expect(await back).toBeUndefined();
  });
});
