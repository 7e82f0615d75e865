import { REPORT_TYPES } from '../draft.js';
import { otherType } from './cover.js';

describe('the cover before the report is made', () => {
  it('is warned of where the record says another type', () => {
    expect(otherType({ reportType: 'checkin' }, 'checkout')).toBe('Check-Out Inspection Report');
    expect(otherType({ reportType: '' }, 'checkout')).toBe('Check-Out Inspection Report');
    expect(otherType({ reportType: 'checkin' }, 'inventory')).toBe('“inventory”');
  });

  it('is not where it says the same, or none', () => {
    for (const reportType of REPORT_TYPES) expect(otherType({ reportType }, reportType)).toBeUndefined();
    expect(otherType({ reportType: '' }, 'inventory')).toBeUndefined();
    for (const none of [undefined, null, '', 7])
      expect(otherType({ reportType: 'interim' }, none)).toBeUndefined();
  });
});
