import { missingAreas, outstandingAreas } from './outstanding-areas.js';

describe('outstanding areas (description section 2.5)', () => {
  it('are the five service areas of a check-in or check-out that nothing is known of', () => {
    const all = ['electricity-meter', 'gas-meter', 'water-meter', 'keys', 'detectors'];
    expect(outstandingAreas('checkin', { photographed: [] })).toEqual(all);
    expect(outstandingAreas('checkout', { photographed: [] })).toEqual(all);
  });

  it('are none for interim and neutral reports', () => {
    expect(outstandingAreas('interim', { photographed: [] })).toEqual([]);
    expect(outstandingAreas(undefined, { photographed: [] })).toEqual([]);
  });

  it('are satisfied by a photograph, a remark, a skip, and Keys by key details', () => {
    const evidence = {
      photographed: ['detectors'],
      remarked: ['water-meter'],
      skipped: ['gas-meter'],
      keyDetails: true,
    } as const;
    expect(missingAreas(evidence)).toEqual(['electricity-meter']);
  });
});
