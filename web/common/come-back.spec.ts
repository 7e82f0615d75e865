import { Unreachable } from './answer.js';
import { comeBack } from './come-back.js';

const broken = () => Promise.reject(new Unreachable('It broke off.'));

describe('reconnecting after a lost connection', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    Object.assign(globalThis, { addEventListener: () => undefined, removeEventListener: () => undefined });
  });
  afterEach(() => jest.useRealTimers());

  /** Returns the result, the number of attempts and the time taken. */
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

  it('retries for longer than a run continues without a client, then gives up', async () => {
    const { ending, attempts, breaks, seconds } = await tried(broken);
    expect([ending, attempts, breaks]).toEqual([undefined, 8, 8]);
    expect(seconds).toBeGreaterThan(15);
  });

  it('retries while the service is not ready, and ends with the first answer', async () => {
    const found = await tried((count) => Promise.resolve(count === 3 ? 'answered' : undefined));
    expect(found).toMatchObject({ ending: 'answered', attempts: 3, breaks: 3 });
  });

  it('starts again with short delays after any progress', async () => {
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

  it('ends at once when it is cancelled', async () => {
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
