import { ukCompactDate, ukDate, ukDays, ukStamp } from './uk-time.js';

describe('the timestamp of a photograph (description section 2.5)', () => {
  it('tells apart two photographs an hour apart across the autumn clock change', () => {
    expect(ukStamp(Date.UTC(2026, 9, 25, 0, 30))).toBe('25 Oct 2026, 01:30 BST');
    expect(ukStamp(Date.UTC(2026, 9, 25, 1, 30))).toBe('25 Oct 2026, 01:30 GMT');
  });

  it('jumps over the hour that spring leaves out', () => {
    expect(ukStamp(Date.UTC(2026, 2, 29, 0, 59))).toBe('29 Mar 2026, 00:59 GMT');
    expect(ukStamp(Date.UTC(2026, 2, 29, 1, 0))).toBe('29 Mar 2026, 02:00 BST');
  });

  it('has no leading zero on the day, a leading zero on the hour, and truncates minutes', () => {
    expect(ukStamp(Date.UTC(2026, 0, 5, 9, 7, 59, 999))).toBe('5 Jan 2026, 09:07 GMT');
  });

  it('abbreviates September as Sep', () => {
    expect(ukStamp(Date.UTC(2026, 8, 1, 12))).toBe('1 Sep 2026, 13:00 BST');
  });

  it('takes the UK day, whatever the server zone', () => {
    expect(ukDate(Date.UTC(2026, 5, 30, 23, 30))).toBe('1 Jul 2026');
    expect(ukCompactDate(Date.UTC(2026, 5, 30, 23, 30))).toBe('20260701');
  });

  it('gives the days of an inspection as one or as two', () => {
    const evening = Date.UTC(2026, 5, 30, 22, 59);
    expect(ukDays(evening, evening)).toBe('30 Jun 2026');
    expect(ukDays(evening, evening + 60_000)).toBe('30 Jun 2026 – 1 Jul 2026');
  });
});
