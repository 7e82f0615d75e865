import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { ServerTime } from './server-time.js';

const TIME = Date.parse('2026-11-21T09:30:00.000Z');

/** A machine whose time a test sets, and whose answers take as long as it says. */
class SetMachine extends Clock {
  machine = TIME;
  passed = 0;

  override machineNow(): number {
    return this.machine;
  }

  override elapsed(): number {
    return this.passed;
  }
}

describe('ServerTime', () => {
  let clock: SetMachine;
  let time: ServerTime;
  const told = (serverMs: number, took = 0) => {
    clock.passed += took;
    time.observe(serverMs, clock.passed - took);
  };

  beforeEach(() => {
    clock = new SetMachine();
    time = new ServerTime(clock, new Logger('silent'));
  });

  it.each([
    ['30 s behind', TIME + 30_000, 30_000],
    ['30 s ahead of', TIME - 30_000, -30_000],
    ['within a second of', TIME + 1_000, 0],
  ])("goes by the server where the machine's clock is %s it", (_, serverMs, corrected) => {
    told(serverMs);
    expect(clock.now() - TIME).toBe(corrected);
  });

  it('keeps its correction while answers waver by less than a second, and takes it back when the machine is right', () => {
    told(TIME + 30_000);
    told(TIME + 30_900);
    expect(clock.now() - TIME).toBe(30_000);
    clock.machine += 30_000;
    told(TIME + 30_000);
    expect(clock.now()).toBe(clock.machine);
  });

  it.each([
    ['behind', 30_000, TIME],
    ['ahead of', -30_000, TIME - 30_000],
  ])('takes files for no older than they are where the clock is %s it', (_, by, fileNow) => {
    told(TIME + by);
    expect(clock.fileNow()).toBe(fileNow);
  });

  it('is not misled where the process is stopped while it looks at the time that an answer took', () => {
    jest.spyOn(clock, 'elapsed').mockImplementationOnce(() => {
      const looked = clock.passed;
      clock.passed += 30_000;
      clock.machine += 30_000;
      return looked;
    });
    told(TIME);
    expect(clock.now()).toBe(clock.machine);
  });

  it('takes the middle of the time that an answer took, and leaves one that took longer than a second', () => {
    told(TIME + 30_000, 900);
    expect(clock.now() - TIME).toBe(30_450);
    told(TIME + 90_000, 1_001);
    expect(clock.now() - TIME).toBe(30_450);
  });
});
