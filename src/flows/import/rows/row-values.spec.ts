import { columnInstant, columnJson, columnText } from './row-values.js';

describe('columns', () => {
  it('are dates in UTC unless they say otherwise', () => {
    expect(columnInstant('2026-11-22 13:30:01')).toBe(Date.UTC(2026, 10, 22, 13, 30, 1));
    expect(columnInstant('2026-11-22T13:30:01.5Z')).toBe(Date.UTC(2026, 10, 22, 13, 30, 1, 500));
    expect(columnInstant('2026-11-22 13:30:01.123456+02')).toBe(Date.UTC(2026, 10, 22, 11, 30, 1, 123));
    expect(columnInstant('2026-11-22')).toBe(Date.UTC(2026, 10, 22));
    for (const none of [
      null,
      '',
      'yesterday',
      '2026-13-40 99:99:99',
      {},
      'infinity',
      '0044-03-15 00:00:00 BC',
    ])
      expect(columnInstant(none)).toBeUndefined();
  });

  it('are counted dates, in seconds or milliseconds, as far as a calendar has them', () => {
    for (const counted of [1767323045, 1767323045000.5, '1767323045', '1767323045000'])
      expect(columnInstant(counted)).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
    for (const none of [-5, 2 ** 53 - 1, 1e300, NaN, '0001-01-01 00:00:00'])
      expect(columnInstant(none)).toBeUndefined();
  });

  it('are texts that can be stored, and JSON or none', () => {
    expect(columnText(Buffer.from('a\0b'))).toBe('a\ufffdb');
    expect(columnText('')).toBeUndefined();
    expect(columnJson('{"a":')).toBe('broken');
    expect(columnJson('null')).toEqual({ value: undefined });
    expect(columnJson('['.repeat(100))).toBe('broken');
  });
});
