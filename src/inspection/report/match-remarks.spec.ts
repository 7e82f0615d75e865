import { photographs, reportInput } from '../../../test/support/report-input.js';
import { buildReport } from './build-report.js';

describe('remarks (description 2.5)', () => {
  const withComments = (areaComments: unknown, areaNames: string[], more = {}) =>
    buildReport(
      reportInput({
        photographs: photographs(areaNames.map((areaName) => ({ areaName }))),
        meta: { areaComments, ...more },
      }),
    );

  it('matches a room by its label, ignoring capitals, extra spaces and separators', () => {
    const { report: built, warnings } = withComments({ 'BEDROOM  -1': ['a', 'b'], 'bedroom/1': ['c'] }, [
      'Bedroom 1',
    ]);
    expect(built.rooms[0]?.comments).toEqual(['a', 'b', 'c']);
    expect(warnings).toEqual([]);
  });

  it('merges all remarks on external areas, by the pooled heading or any room inside it', () => {
    const { report: built } = withComments({ 'external-areas': ['a'], patio: ['b'] }, ['Garden', 'Patio']);
    expect(built.externalAreas?.comments).toEqual(['a', 'b']);
    expect(built.externalAreas?.rooms.map(({ comments }) => comments)).toEqual([[], []]);
  });

  it('matches the service areas by their names', () => {
    const { report: built } = withComments({ 'gas-meter': ['a'], Keys: ['b'] }, ['Gas Meter', 'keys']);
    expect(built.metersAndKeys.map(({ comments }) => comments)).toEqual([['a'], ['b']]);
  });

  it('prints the remark on an absent area under its note', () => {
    const { report: built } = withComments({ 'water meter': ['a'] }, ['Hall'], {
      skippedAreas: 'water-meter',
    });
    expect(built.metersAndKeys).toMatchObject([{ heading: 'Water Meter', absent: true, comments: ['a'] }]);
  });

  it('drops a remark whose area appears nowhere in the report, with a warning', () => {
    const { report: built, warnings } = withComments({ Attic: ['x'], 'External Areas': ['y'] }, ['Kitchen']);
    expect(built.rooms.map(({ heading }) => heading)).toEqual(['Kitchen']);
    expect(built.externalAreas).toBeNull();
    expect(warnings).toEqual([
      {
        code: 'unknown_area',
        message: expect.stringContaining('"Attic"'),
        path: 'meta.areaComments["Attic"]',
      },
      expect.objectContaining({ message: expect.stringContaining('"External Areas"') }),
    ]);
  });

  it('names the area that was probably meant', () => {
    const { warnings } = withComments({ Kitchn: ['x'], Detecters: ['y'] }, ['Kitchen']);
    expect(warnings.map(({ suggestion }) => suggestion)).toEqual(['Kitchen', 'detectors']);
  });

  it('prints recorded remarks before those of the request, each area its own', () => {
    const { report: built } = buildReport(
      reportInput({
        photographs: photographs([{ areaName: 'Kitchen' }, { areaName: 'Hall' }]),
        remarks: [
          { areaName: 'kitchen', text: 'first' },
          { areaName: 'Hall', text: 'hall' },
          { areaName: 'KITCHEN', text: 'second' },
        ],
        meta: { areaComments: { kitchen: ['third'] } },
      }),
    );
    expect(built.rooms.map(({ comments }) => comments)).toEqual([['first', 'second', 'third'], ['hall']]);
  });

  it('never loses a recorded remark: its area gets a heading even without a photograph', () => {
    const { report: built } = buildReport(
      reportInput({
        remarks: [
          { areaName: 'Loft', text: 'hatch painted shut' },
          { areaName: 'electric meter', text: 'no access' },
        ],
      }),
    );
    expect(built.rooms).toMatchObject([
      { heading: 'Kitchen' },
      { heading: 'Loft', comments: ['hatch painted shut'] },
    ]);
    expect(built.metersAndKeys).toMatchObject([{ heading: 'Electricity Meter', comments: ['no access'] }]);
  });

  it('takes __proto__ and constructor as ordinary area names', () => {
    const areaComments: unknown = JSON.parse('{"__proto__":["a"],"constructor":["b"],"toString":["c"]}');
    const { report: built, warnings } = withComments(areaComments, ['__proto__', 'constructor']);
    expect(built.rooms.map(({ comments }) => comments)).toEqual([['a'], ['b']]);
    expect(warnings).toEqual([expect.objectContaining({ path: 'meta.areaComments["toString"]' })]);
  });
});
