import type { Clock } from '../common/clock.js';
import { StoredBytes } from './stored-bytes.js';

const GIBIBYTE = 1024 ** 3;
const MINUTE = 60_000;

describe('what is stored in an hour', () => {
  let now: number;
  let stored: StoredBytes;
  const owner = (caller: string) => ({ flowId: 'flow', caller });

  beforeEach(() => {
    now = 7 * MINUTE;
    stored = new StoredBytes({ elapsed: () => now } as Clock);
  });

  it('is refused to a caller whose share is used up, until the oldest of it is an hour old', () => {
    stored.charge(owner('one'), 70 * GIBIBYTE);
    now += 30 * MINUTE;
    stored.charge(owner('one'), 30 * GIBIBYTE);
    const refusal = stored.refusal(owner('one'))!;
    expect(refusal).toMatchObject({ status: 429, code: 'quota_exceeded' });
    expect(stored.refusal(owner('other'))).toBeUndefined();
    const seconds = Number(refusal.headers['Retry-After']);
    expect(seconds).toBe(28 * 60);
    now += seconds * 1000;
    expect(stored.refusal(owner('one'))).toBeUndefined();
    stored.charge(owner('one'), 70 * GIBIBYTE);
    expect(stored.refusal(owner('one'))).toBeDefined();
  });

  it('is refused to all callers of a flow that has used up its own', () => {
    for (const caller of ['one', 'two', 'three']) stored.charge(owner(caller), 70 * GIBIBYTE);
    expect(stored.refusal(owner('four'))).toMatchObject({ code: 'quota_exceeded' });
    expect(stored.refusal({ flowId: 'other', caller: 'four' })).toBeUndefined();
  });
});
