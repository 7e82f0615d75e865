import { ukStamp as printed } from '../../../../src/inspection/report/uk-time.js';
import { ukStamp } from './uk-stamp.js';

describe('the time of a photograph in the console', () => {
  it.each([
    ['2026-10-25T00:30:00.000Z', '25 Oct 2026, 01:30 BST'],
    ['2026-10-25T01:30:00.000Z', '25 Oct 2026, 01:30 GMT'],
    ['2026-03-29T00:59:59.999Z', '29 Mar 2026, 00:59 GMT'],
    ['2026-03-29T01:00:00.000Z', '29 Mar 2026, 02:00 BST'],
    ['2026-09-04T23:05:00.000Z', '5 Sep 2026, 00:05 BST'],
    ['2026-12-31T23:59:59.999Z', '31 Dec 2026, 23:59 GMT'],
  ])('is at %s what the report prints', (iso, stamp) => {
    expect(ukStamp(iso)).toBe(stamp);
    expect(ukStamp(iso)).toBe(printed(Date.parse(iso)));
  });

  it('shows an invalid time unchanged', () => expect(ukStamp('yesterday')).toBe('yesterday'));
});
