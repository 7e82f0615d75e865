import { photographs, reportInput } from '../../../test/support/report-input.js';
import { buildReport } from './build-report.js';
import type { ReportInput } from './report-input.js';

const said = (text: string, filedUnder?: string) =>
  filedUnder === undefined ? { text } : { text, filedUnder };
const texts = ({ comments }: { comments: readonly { text: string }[] }) => comments.map(({ text }) => text);

describe('remarks (description section 2.5)', () => {
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
    expect(built.rooms.map(texts)).toEqual([['a', 'b', 'c']]);
    expect(warnings).toEqual([]);
  });

  it('merges all remarks on external areas, by the pooled heading or any room inside it', () => {
    const { report: built } = withComments({ 'external-areas': ['a'], patio: ['b'] }, ['Garden', 'Patio']);
    expect(built.externalAreas?.comments).toEqual([said('a'), said('b', 'Patio')]);
    expect(built.externalAreas?.rooms.map(({ comments }) => comments)).toEqual([[], []]);
  });

  it('matches a room however its separators and apostrophes are typed', () => {
    const { report: built, warnings } = withComments({ 'kid\u2019s_room': ['a'], 'bedroom/1': ['b'] }, [
      "Kid's room",
      'bedroom_1',
    ]);
    expect(built.rooms.map((room) => [room.heading, ...texts(room)])).toEqual([
      ["Kid's room", 'a'],
      ['Bedroom 1', 'b'],
    ]);
    expect(warnings).toEqual([]);
  });

  it('matches the service areas by their names', () => {
    const { report: built } = withComments({ 'gas-meter': ['a'], Keys: ['b'] }, ['Gas Meter', 'keys']);
    expect(built.metersAndKeys.map(({ comments }) => comments)).toEqual([[said('a')], [said('b')]]);
  });

  it('prints the remark on an absent area under its note', () => {
    const { report: built } = withComments({ 'water meter': ['a'] }, ['Hall'], {
      skippedAreas: 'water-meter',
    });
    expect(built.metersAndKeys).toMatchObject([
      { heading: 'Water Meter', absent: true, comments: [said('a')] },
    ]);
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

  it('drops a remark of the request on a service area that the report says nothing else of', () => {
    const { report: built, warnings } = withComments({ 'gas meter': ['x'] }, ['Kitchen']);
    expect(built.metersAndKeys).toEqual([]);
    expect(warnings).toEqual([
      {
        code: 'unknown_area',
        message: expect.stringContaining('"gas meter"'),
        path: 'meta.areaComments["gas meter"]',
      },
    ]);
  });

  it('drops that on a skipped area which an earlier report of the session shows: it gets no note', () => {
    const { report: built, warnings } = buildReport(
      reportInput({
        meta: { skippedAreas: 'gas-meter', areaComments: { 'Gas Meter': ['x'] } },
        photographedBefore: ['gas-meter'],
      }),
    );
    expect(built.metersAndKeys).toEqual([]);
    expect(warnings).toMatchObject([{ code: 'unknown_area' }]);
  });

  it.each([
    ['a captured remark', { remarks: [{ areaName: 'Patio', text: 'wet' }] }, { patio: ['swept'] }],
    ['a captured remark', { remarks: [{ areaName: 'Loft', text: 'shut' }] }, { LOFT: ['dark'] }],
    [
      'a captured remark',
      { remarks: [{ areaName: 'External Areas', text: 'wet' }] },
      { external_areas: ['a'] },
    ],
    ['a captured remark', { remarks: [{ areaName: 'Patio', text: 'wet' }] }, { 'External Areas': ['a'] }],
    ['key details', { meta: { keyDetails: { numberOfKeys: 2 } } }, { 'key fobs': ['one bent'] }],
    ['an absence note', { meta: { skippedAreas: 'smoke alarm' } }, { 'CO alarm': ['none seen'] }],
  ])('prints a remark of the request on an area that has only %s', (_, input, areaComments) => {
    const { meta = {}, ...more } = input as Partial<ReportInput>;
    const { report: built, warnings } = buildReport(
      reportInput({ ...more, meta: { ...(meta as object), areaComments } }),
    );
    const printed = [...built.metersAndKeys, ...built.rooms, built.externalAreas ?? { comments: [] }];
    expect(printed.flatMap(texts)).toContain(Object.values(areaComments)[0]?.[0]);
    expect(warnings).toEqual([]);
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
    expect(built.rooms.map(texts)).toEqual([['first', 'second', 'third'], ['hall']]);
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
      { heading: 'Loft', comments: [said('hatch painted shut')] },
    ]);
    expect(built.metersAndKeys).toMatchObject([
      { heading: 'Electricity Meter', comments: [said('no access')] },
    ]);
  });

  it('gives an outdoor area with a recorded remark alone its row in the summary', () => {
    const { report: built } = buildReport(
      reportInput({ remarks: [{ areaName: 'Rear garden', text: 'not entered' }] }),
    );
    expect(built.summary.map(({ section, area, status }) => [section, area, status])).toEqual([
      ['room', 'Kitchen', 'Photographed'],
      ['external', 'Rear garden', '1 remark'],
    ]);
    expect(built.externalAreas?.comments).toEqual([said('not entered', 'Rear garden')]);
  });

  it('takes __proto__ and constructor as ordinary area names', () => {
    const areaComments: unknown = JSON.parse('{"__proto__":["a"],"constructor":["b"],"toString":["c"]}');
    const { report: built, warnings } = withComments(areaComments, ['__proto__', 'constructor']);
    expect(built.rooms.map(texts)).toEqual([['a'], ['b']]);
    expect(warnings).toEqual([expect.objectContaining({ path: 'meta.areaComments["toString"]' })]);
  });
});

describe('names within a service or external area (contract section 6, rule 10)', () => {
  const built = buildReport(
    reportInput({
      photographs: photographs([
        { areaName: 'Smoke alarm landing', capturedAt: 40 },
        { areaName: 'CO alarm kitchen', capturedAt: 30 },
        { areaName: 'Detectors' },
        { areaName: 'smoke-alarm-landing', capturedAt: 20 },
        { areaName: 'elec meter' },
        { areaName: 'Patio' },
      ]),
      remarks: [
        { areaName: 'smoke alarm LANDING', text: 'Tested.' },
        { areaName: 'detectors', text: 'All of one make.' },
        { areaName: 'Heat alarm', text: 'Behind the door.' },
        { areaName: 'patio', text: 'Swept.' },
        { areaName: 'Rear garden', text: 'Not entered.' },
        { areaName: 'External Areas', text: 'Raining.' },
        { areaName: 'Electricity meter reading', text: 'In the hall.' },
      ],
    }),
  ).report;
  const [electricity, detectors] = built.metersAndKeys;

  it('stand over the photographs that were filed under them, in order of arrival, those without one first', () => {
    expect(detectors?.photographs.map(({ number, id, filedUnder }) => [number, id, filedUnder])).toEqual([
      [2, 'photograph-3', undefined],
      [3, 'photograph-4', 'Smoke alarm landing'],
      [4, 'photograph-1', 'Smoke alarm landing'],
      [5, 'photograph-2', 'CO alarm kitchen'],
    ]);
    expect(detectors?.photographs[1]?.alternative).toMatch(/^Photograph 3, Detectors, Smoke alarm landing, /);
  });

  it('leave the first and the last time of the whole area in the summary', () => {
    expect(built.summary[1]).toMatchObject({ first: '1 Jan 1970, 01:00 BST', photographs: 4 });
    expect(built.summary[1]?.last).toBe(detectors?.photographs[0]?.stamp);
  });

  it('are none where a name only spells the title', () => {
    expect(electricity?.photographs).toEqual([
      expect.not.objectContaining({ filedUnder: expect.anything() }),
    ]);
    expect(electricity?.comments).toEqual([said('In the hall.')]);
  });

  it('stand over each remark, in the best of their spellings', () => {
    expect(detectors?.comments).toEqual([
      said('Tested.', 'Smoke alarm landing'),
      said('All of one make.'),
      said('Behind the door.', 'Heat alarm'),
    ]);
    expect(built.externalAreas?.comments).toEqual([
      said('Swept.', 'Patio'),
      said('Not entered.', 'Rear garden'),
      said('Raining.'),
    ]);
  });
});
