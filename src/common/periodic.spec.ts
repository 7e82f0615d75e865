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

  it('leaves a round out while another runs', async () => {
    periodic.start();
    jest.advanceTimersByTime(350);
    expect(begun).toBe(1);
    endRound();
    await turn();
    expect(begun).toBe(1);
    jest.advanceTimersByTime(100);
    expect(begun).toBe(2);
  });

  it('begins a round for callers when the current one has ended, since that one may not see their reason', async () => {
    periodic.start();
    jest.advanceTimersByTime(100);
    const rounds = [periodic.run(), periodic.kick(), periodic.run()];
    expect(begun).toBe(1);
    endRound();
    await turn();
    expect(begun).toBe(2);
    endRound();
    expect(await Promise.all(rounds)).toEqual([2, undefined, 2]);
    const last = periodic.run();
    endRound();
    expect(await last).toBe(3);
  });

  it('begins it also after a round that failed', async () => {
    let fails: (fault: Error) => void;
    const failing = new Periodic(
      100,
      () => (begun++, new Promise<number>((_, reject) => (fails = reject))),
      (error) => errors.push(error),
    );
    void failing.kick();
    void failing.kick();
    fails!(new Error('first'));
    await turn();
    fails!(new Error('second'));
    await turn();
    expect([begun, errors.map(String)]).toEqual([2, ['Error: first', 'Error: second']]);
  });

  it('begins none after it was stopped', async () => {
    periodic.start();
    jest.advanceTimersByTime(100);
    const asked = periodic.run();
    const stopped = periodic.stop();
    endRound();
    await stopped;
    expect(await asked).toBe(1);
    await turn();
    expect(begun).toBe(1);
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
