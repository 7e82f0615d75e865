import { Periodic } from './periodic.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('periodic work', () => {
  let begun: number;
  let endRound: () => void;
  let errors: unknown[];
  let periodic: Periodic<number>;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    [begun, errors] = [0, []];
    const work = () => new Promise<number>((resolve) => (endRound = () => resolve(begun)));
    periodic = new Periodic(
      100,
      () => (begun++, work()),
      (error) => errors.push(error),
    );
  });

  afterEach(() => jest.useRealTimers());

  it('begins after the interval', () => {
    periodic.start();
    jest.advanceTimersByTime(99);
    expect(begun).toBe(0);
    jest.advanceTimersByTime(1);
    expect(begun).toBe(1);
  });

  it('begins when its first round is due, where that is earlier', () => {
    periodic.start(10);
    jest.advanceTimersByTime(10);
    expect(begun).toBe(1);
  });

  it('leaves a round out while another runs, and lets callers join that one', async () => {
    periodic.start();
    jest.advanceTimersByTime(350);
    const joined = periodic.run();
    expect(begun).toBe(1);
    endRound();
    expect(await joined).toBe(1);
    jest.advanceTimersByTime(100);
    expect(begun).toBe(2);
  });

  it('waits for the running round when it stops, and begins no other', async () => {
    periodic.start();
    jest.advanceTimersByTime(100);
    let hasStopped = false;
    const stopped = periodic.stop().then(() => (hasStopped = true));
    await turn();
    expect([hasStopped, periodic.isStopped]).toEqual([false, true]);
    endRound();
    await stopped;
    jest.advanceTimersByTime(1_000);
    expect(begun).toBe(1);
  });

  it('reports the error of a round, and continues', async () => {
    const fault = new Error('no database');
    const failing = new Periodic(
      100,
      () => Promise.reject(fault),
      (error) => errors.push(error),
    );
    failing.start();
    jest.advanceTimersByTime(100);
    await turn();
    jest.advanceTimersByTime(100);
    await turn();
    expect(errors).toEqual([fault, fault]);
    await expect(failing.run()).rejects.toBe(fault);
  });
});
