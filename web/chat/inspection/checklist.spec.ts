import type { PreviousItem } from '../../../src/api/previous-items.js';
import type { ThingView } from '../../../src/api/things.js';
import { checklistOf, type ServiceShown, skipChange } from './checklist.js';

let recorded = 0;
const thing = (kind: ThingView['kind'], area: string | null, more: Partial<ThingView> = {}): ThingView => ({
  ...{ kind, id: `${kind}-${++recorded}`, area, at: '2026-11-20T10:00:00.000Z' },
  ...{ executionId: null, claimed: false, ...more },
});
const area = (name: string, areaType = 'room') => ({ area: name, areaType });

describe('the checklist of an inspection', () => {
  it('lists each thing under its area, areas as they first arrived, and the current one even when it is empty', () => {
    const things = [
      thing('detail', null),
      thing('reading', 'gas-meter', { areaType: 'service' }),
      thing('remark', 'Kitchen', { areaType: 'room' }),
      thing('photograph', 'Kitchen', { areaType: 'room', text: 'later' }),
      thing('photograph', 'Kitchen', { areaType: 'room', text: 'earlier' }),
      thing('absence', 'Keys', { areaType: 'service' }),
    ];
    const summary = { areas: [area('Kitchen'), area('Gas meter', 'service')], currentArea: 'Hall' };
    const { photographs, areas } = checklistOf({ summary, details: {}, things });
    expect(photographs).toBe(2);
    expect(areas.map((each) => [each.area, each.isCurrent, each.things.map(({ kind }) => kind)])).toEqual([
      ['Kitchen', false, ['remark']],
      ['Gas meter', false, ['reading']],
      ['Hall', true, []],
    ]);
    expect(areas[0]!.photographs.map(({ text }) => text)).toEqual(['earlier', 'later']);
    for (const currentArea of ['gas-meter', 'GAS_METER'])
      expect(
        checklistOf({ summary: { ...summary, currentArea }, details: {}, things }).areas[1],
      ).toMatchObject({ area: 'Gas meter', isCurrent: true });
  });

  it('lists a deleted thing under its area, also when nothing else is left there', () => {
    const deleted = [thing('remark', 'Loft', { areaType: 'room' })];
    const { areas } = checklistOf({ summary: {}, details: {}, things: [], deleted });
    expect(areas).toEqual([
      { area: 'Loft', key: 'loft', isCurrent: false, photographs: [], things: [], deleted, previous: [] },
    ]);
  });

  it('lists the items of the check-in under their areas, those of areas without anything recorded last', () => {
    const item = (name: string, inArea: string, areaType: PreviousItem['areaType'] = 'room') => ({
      ...{ area: inArea, areaType, item: name, factId: null },
    });
    const previous = [item('Slabs', 'Patio', 'external'), item('Hob', 'KITCHEN'), item('Sink', 'Kitchen')];
    const things = [thing('remark', 'Kitchen', { areaType: 'room' })];
    const { areas, lacksCheckIn } = checklistOf({ summary: {}, details: {}, things, previous });
    expect(areas.map((each) => [each.area, each.previous.map((found) => found.item)])).toEqual([
      ['Kitchen', ['Hob', 'Sink']],
      ['Patio', ['Slabs']],
    ]);
    expect(lacksCheckIn).toBe(false);
    const details = { previousReport: 'gone' };
    expect(checklistOf({ summary: {}, details, things, previous: undefined }).lacksCheckIn).toBe(true);
  });

  it('separates outstanding, done and absent service areas of a check-in, and lists only absent ones of another type', () => {
    const things = [
      thing('photograph', 'Electric meter'),
      thing('absence', 'Gas Meter', { areaType: 'service', claimed: true }),
    ];
    const summary = { outstandingAreas: ['keys', 'detectors'] };
    const services = (reportType?: string) =>
      checklistOf({ summary, things, details: { skippedAreas: 'gas_metre| pool ', reportType } }).services;
    const inShort = ({ slug, status, isClaimed }: ServiceShown) => [slug, status, isClaimed];
    expect(services('checkin').map(inShort)).toEqual([
      ['electricity-meter', 'done', false],
      ['gas-meter', 'absent', true],
      ['water-meter', 'done', false],
      ['keys', 'outstanding', false],
      ['detectors', 'outstanding', false],
    ]);
    expect(services('checkin')[0]!.contents).toEqual([things[0]]);
    for (const type of ['interim', undefined])
      expect(services(type).map(inShort)).toEqual([['gas-meter', 'absent', true]]);
  });

  it('calls an area done that has photographs although it was marked as absent', () => {
    const things = [thing('photograph', 'Keys', { areaType: 'service' })];
    const details = { reportType: 'checkout', skippedAreas: 'keys' };
    const services = checklistOf({ summary: { outstandingAreas: [] }, details, things }).services;
    expect(services.find(({ slug }) => slug === 'keys')).toMatchObject({ status: 'done', isSkipped: true });
  });

  it('marks an area as absent and undoes it without changing other marks', () => {
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
