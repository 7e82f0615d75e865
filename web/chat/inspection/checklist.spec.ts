import { checklistOf, skipChange } from './checklist.js';

const area = (name: string, photographs: number, more: object = {}) => ({
  ...{ area: name, areaType: 'room', photographs, remarks: 0, pending: photographs },
  ...more,
});

describe('the checklist of an inspection', () => {
  it('counts the contents of each area, and lists the current area even when it is empty', () => {
    const areas = [area('Kitchen', 2, { remarks: 1 }), area('Gas meter', 1, { facts: 1 })];
    const { photographs, ...shown } = checklistOf({ areas, currentArea: 'Hall' }, {});
    expect(photographs).toBe(3);
    expect(shown.areas).toEqual([
      { area: 'Kitchen', photographs: 2, remarks: 1, facts: 0, isCurrent: false },
      { area: 'Gas meter', photographs: 1, remarks: 0, facts: 1, isCurrent: false },
      { area: 'Hall', photographs: 0, remarks: 0, facts: 0, isCurrent: true },
    ]);
    for (const currentArea of ['gas-meter', 'GAS_METER'])
      expect(checklistOf({ areas, currentArea }, {}).areas[1]).toMatchObject({ isCurrent: true });
  });

  it('lists outstanding areas only for a check-in or check-out, and skipped areas for every type', () => {
    const summary = { areas: [], outstandingAreas: ['keys', 'detectors'] };
    const skippedAreas = 'gas_metre| pool ';
    const services = (reportType?: string) => checklistOf(summary, { skippedAreas, reportType }).services;
    expect(services('checkin')).toEqual([
      { slug: 'gas-meter', isSkipped: true },
      { slug: 'keys', isSkipped: false },
      { slug: 'detectors', isSkipped: false },
    ]);
    for (const type of ['interim', undefined])
      expect(services(type).map(({ slug }) => slug)).toEqual(['gas-meter']);
  });

  it('skips an area and undoes it without changing other skipped areas', () => {
    expect(skipChange({}, { slug: 'keys', isSkipped: false })).toEqual({ skippedAreas: 'keys' });
    const details = { skippedAreas: 'Gas Meter|pool' };
    expect(skipChange(details, { slug: 'keys', isSkipped: false })).toEqual({
      skippedAreas: 'Gas Meter|pool|keys',
    });
    for (const skippedAreas of ['Gas Meter|pool', 'meter (gas)|pool|gas/meter'])
      expect(skipChange({ skippedAreas }, { slug: 'gas-meter', isSkipped: true })).toEqual({
        skippedAreas: 'pool',
      });
    expect(skipChange({ skippedAreas: 'keys' }, { slug: 'keys', isSkipped: true })).toEqual({
      skippedAreas: null,
    });
  });
});
