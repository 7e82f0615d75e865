import {
  bucketSizeOf,
  everyBucket,
  instantOf,
  localText,
  quickRangeOf,
  rangeOf,
  rangeOfBucket,
} from './time-range.js';

const now = new Date(2026, 10, 21, 2, 15);

describe('ranges of time', () => {
  it('are known again from the address', () => {
    for (const quick of ['any', 'hour', 'today', 'yesterday', 'week'] as const)
      expect(quickRangeOf(rangeOf(quick, now), now)).toBe(quick);
    expect(quickRangeOf({ from: '2026-11-01T00:00:00Z' }, now)).toBe('other');
    expect(quickRangeOf({ to: '2026-11-01T00:00:00Z' }, now)).toBe('other');
  });

  it('end yesterday where today begins', () => {
    const { from, to } = rangeOf('yesterday', now);
    expect(Date.parse(rangeOf('today', now).from!) - Date.parse(to!)).toBe(1);
    expect(Date.parse(to!) - Date.parse(from!)).toBe(24 * 3_600_000 - 1);
  });

  it('are typed in the zone of the browser', () => {
    const iso = instantOf('2026-11-21T09:30')!;
    expect(localText(iso)).toBe('2026-11-21T09:30');
    expect(Date.parse(instantOf('2026-11-21T09:30', true)!) - Date.parse(iso)).toBe(59_999);
    expect([instantOf(''), instantOf('yesterday'), localText(undefined)]).toEqual([undefined, undefined, '']);
  });
});

describe('the buckets of the chart', () => {
  it('are as fine as their range allows', () => {
    expect(bucketSizeOf(rangeOf('hour', now), now)).toBe('minute');
    expect(bucketSizeOf(rangeOf('yesterday', now), now)).toBe('hour');
    expect(bucketSizeOf({}, now)).toBe('hour');
    expect(bucketSizeOf({ from: '2026-01-01T00:00:00Z' }, now)).toBe('day');
  });

  it('are all there, and not without end', () => {
    const at = '2026-11-20T23:00:00.000Z';
    const stats = { from: '2026-11-20T10:00:00Z', to: '2026-11-21T10:00:00Z', by: 'day' as const };
    const all = everyBucket(
      { ...stats, buckets: [{ at, count: 3 }] },
      (none) => ({ at: none, count: 0 }),
      60,
    );
    expect(all).toEqual([
      { at: '2026-11-19T23:00:00.000Z', count: 0 },
      { at, count: 3 },
    ]);
    const endless = { from: '1970-01-01T00:00:00Z', to: '2026-11-21T10:00:00Z', by: 'minute' as const };
    expect(everyBucket({ ...endless, buckets: [] }, (none) => ({ at: none }), 0)).toHaveLength(400);
    expect(rangeOfBucket(at, 'hour')).toEqual({ from: at, to: '2026-11-20T23:59:59.999Z' });
  });
});
