import {
  dayInWords,
  everyBucket,
  instantOf,
  localText,
  quickRangeOf,
  rangeOf,
  rangeOfBucket,
} from './time-range.js';

const now = new Date(2026, 10, 21, 2, 15);

describe('ranges of time', () => {
  it('are recognised from the URL', () => {
    for (const quick of ['any', 'hour', 'today', 'yesterday', 'week'] as const)
      expect(quickRangeOf(rangeOf(quick, now), now)).toBe(quick);
    expect(quickRangeOf({ from: '2026-11-01T00:00:00Z' }, now)).toBe('other');
    expect(quickRangeOf({ to: '2026-11-01T00:00:00Z' }, now)).toBe('other');
  });

  it('end yesterday at the start of today', () => {
    const { from, to } = rangeOf('yesterday', now);
    expect(Date.parse(rangeOf('today', now).from!) - Date.parse(to!)).toBe(1);
    expect(Date.parse(to!) - Date.parse(from!)).toBe(24 * 3_600_000 - 1);
  });

  it("are typed in the browser's zone", () => {
    const iso = instantOf('2026-11-21T09:30')!;
    expect(localText(iso)).toBe('2026-11-21T09:30');
    expect(Date.parse(instantOf('2026-11-21T09:30', true)!) - Date.parse(iso)).toBe(59_999);
    expect([instantOf(''), instantOf('yesterday'), localText(undefined)]).toEqual([undefined, undefined, '']);
  });
});

describe('the buckets of the chart', () => {
  it('surround the data, within the range', () => {
    const week = { from: '2026-11-14T10:00:00Z', to: '2026-11-21T10:00:00Z', by: 'minute' as const };
    const found = ['2026-11-18T09:00:00.000Z', '2026-11-18T09:59:00.000Z'].map((at) => ({ at, count: 9 }));
    const shown = everyBucket({ ...week, buckets: found }, (at) => ({ at, count: 0 }), 0);
    expect([shown.at(0)!.at, shown.at(-1)!.at]).toEqual([
      '2026-11-18T08:58:00.000Z',
      '2026-11-18T10:01:00.000Z',
    ]);
    expect(shown.filter(({ count }) => count > 0)).toEqual(found);
    const single = everyBucket({ ...week, buckets: found.slice(1) }, (at) => ({ at, count: 0 }), 0);
    expect([single.length, single.at(-1)!.at]).toEqual([24, '2026-11-18T10:01:00.000Z']);
    const late = [{ at: '2026-11-21T10:00:00.000Z' }];
    expect(everyBucket({ ...week, buckets: late }, (at) => ({ at }), 0).at(-1)).toEqual(late[0]);
  });

  it('are complete and limited in number', () => {
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

  it('are named by the day of their offset', () => {
    expect(dayInWords('2026-03-20T23:00:00.000Z', 60)).toBe('Sat 21 Mar');
    expect(dayInWords('2026-10-21T00:00:00.000Z', 0)).toBe('Wed 21 Oct');
    expect(dayInWords('2026-10-21T05:00:00.000Z', -300, 'long')).toBe('Wed, 21 Oct 2026');
  });
});
