import { parseCaptureTs } from './parse-capture-ts.js';

const receivedAt = Date.UTC(2026, 9, 25, 12, 0, 0);
const instantOf = (value: unknown) => {
  const { instant } = parseCaptureTs(value, receivedAt);
  return instant === undefined ? undefined : new Date(instant).toISOString();
};

describe('captureTs', () => {
  it.each([
    ['1504902988', '2017-09-08T20:36:28.000Z'],
    [1504902988, '2017-09-08T20:36:28.000Z'],
    [' 1504902988 ', '2017-09-08T20:36:28.000Z'],
    [1504902988.25, '2017-09-08T20:36:28.250Z'],
    ['1504902988.123456', '2017-09-08T20:36:28.123Z'],
    [1504902988123, '2017-09-08T20:36:28.123Z'],
    ['1504902988123', '2017-09-08T20:36:28.123Z'],
    ['1504902988123456', '2017-09-08T20:36:28.123Z'],
    [1504902988123456, '2017-09-08T20:36:28.123Z'],
    ['1504902988123456789', '2017-09-08T20:36:28.123Z'],
    [999999999, '2001-09-09T01:46:39.000Z'],
    ['631152000', '1990-01-01T00:00:00.000Z'],
  ])('reads %j as unix time by its digits', (value, instant) => expect(instantOf(value)).toBe(instant));

  it.each([
    ['2026-10-25T01:30:00+01:00', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T01:30:00Z', '2026-10-25T01:30:00.000Z'],
    ['2026-10-25t01:30:00.5z', '2026-10-25T01:30:00.500Z'],
    ['2026-10-25T01:30:00.123456789-0530', '2026-10-25T07:00:00.123Z'],
    ['2026-10-25T01:30+01', '2026-10-25T00:30:00.000Z'],
    ['20261025T013000Z', '2026-10-25T01:30:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('reads %j as ISO 8601 with an offset', (value, instant) => expect(instantOf(value)).toBe(instant));

  it.each([
    ['2026-10-25T01:30:00', '2026-10-25T01:30:00.000Z'],
    ['2026-10-25 01:30:00.250', '2026-10-25T01:30:00.250Z'],
    ['2026-10-25', '2026-10-25T00:00:00.000Z'],
  ])('reads %j without an offset as UTC', (value, instant) => expect(instantOf(value)).toBe(instant));

  it.each([
    ['Sun, 25 Oct 2026 01:30:00 +0100', '2026-10-25T00:30:00.000Z'],
    ['Sun, 25 Oct 2026 01:30:00 GMT', '2026-10-25T01:30:00.000Z'],
    ['25 Oct 2026 01:30 BST', '2026-10-25T00:30:00.000Z'],
    ['Mon, 25 Oct 2026 01:30:00 UTC', '2026-10-25T01:30:00.000Z'],
    ['Sun, 25 Oct 2026 01:30:00 UT', '2026-10-25T01:30:00.000Z'],
    ['25 Oct 2026 01:30:00 EST', '2026-10-25T06:30:00.000Z'],
  ])('reads %j as RFC 2822', (value, instant) => expect(instantOf(value)).toBe(instant));

  it.each([
    'yesterday',
    0,
    '0',
    '631151999',
    '0001-01-01T00:00:00',
    '0001-01-01T00:00:00Z',
    '0000-00-00',
    '0000-00-00 00:00:00',
    '1980-01-01T00:00:00Z',
    '1989-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59Z',
    '2026-10-26T12:00:00.001Z',
    'T',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-10-25T25:00:00Z',
    '2026-10-25T01:60:00Z',
    '2026-10-25T01:30:00+99:00',
    '2026-10-25T01:30:00Europe/London',
    '-5',
    '1e9',
    '123456789012345678901',
    '9'.repeat(100_000),
    ' '.repeat(100) + 'x'.repeat(100_000),
    '0x10',
    'NaN',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    1e300,
    true,
    {},
    [],
    { __proto__: null },
    [1504902988],
  ])('takes unreadable %j for missing, with a warning', (value) => {
    const read = parseCaptureTs(value, receivedAt);
    expect(read.instant).toBeUndefined();
    expect(read.oddity).toBe('unreadable');
  });

  it.each([undefined, null, '', '   '])('takes %j for missing, without a warning', (value) => {
    expect(parseCaptureTs(value, receivedAt)).toEqual({ instant: undefined });
  });

  it('takes a time up to a day ahead, and an old one with a warning', () => {
    for (const ahead of [360_000, 86_400_000])
      expect(parseCaptureTs(receivedAt + ahead, receivedAt)).toEqual({ instant: receivedAt + ahead });
    expect(parseCaptureTs('2025-10-25T12:00:00Z', receivedAt).oddity).toBeUndefined();
    expect(parseCaptureTs('2025-10-25T11:59:59Z', receivedAt).oddity).toBe('old');
  });
});
