import { Logger } from '../../common/logger.js';
import { type OpenRehearsal, OwnRehearsal } from './own-rehearsal.js';

describe('a rehearsal', () => {
  const opened: string[] = [];
  const services = {
    vault: { latest: () => Promise.resolve([]) },
    outbox: { findDeliveries: () => Promise.resolve(new Map()) },
  };
  const open = {
    services,
    remove: () => Promise.resolve(void opened.push('removed')),
  } as unknown as OpenRehearsal;
  const rehearsal = (make = () => Promise.resolve(open)) =>
    new OwnRehearsal({ make, removed: () => opened.push('over'), logger: new Logger('silent') });

  beforeEach(() => {
    opened.length = 0;
  });

  it('makes nothing if no node needs it', async () => {
    const unused = rehearsal(() => Promise.reject(new Error('not needed')));
    expect(await unused.reports()).toEqual([]);
    await unused.remove();
    expect(opened).toEqual(['over']);
  });

  it('is deleted after the work that is under way, whether it succeeds or fails', async () => {
    const used = rehearsal();
    let fail!: (error: Error) => void;
    const work = used.during(() => new Promise((_, reject) => (fail = reject)));
    await Promise.resolve();
    const removed = used.remove();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(opened).toEqual([]);
    fail(new Error('late'));
    await expect(work).rejects.toThrow('late');
    await removed;
    expect(opened).toEqual(['removed', 'over']);
  });

  it('that could not be made fails its work alone, and is tried again', async () => {
    let attempts = 0;
    const flaky = rehearsal(() =>
      ++attempts === 1 ? Promise.reject(new Error('full')) : Promise.resolve(open),
    );
    await expect(flaky.during(() => Promise.resolve('done'))).rejects.toThrow('full');
    expect(await flaky.reports()).toEqual([]);
    expect(await flaky.during(() => Promise.resolve('done'))).toBe('done');
    await flaky.remove();
    expect([attempts, ...opened]).toEqual([2, 'removed', 'over']);
  });
});
