import { photographs, reportInput } from '../../../test/support/report-input.js';
import { buildReport } from './build-report.js';
import { PARTLY_READ } from './number-photographs.js';

const report = (...parameters: Parameters<typeof reportInput>) =>
  buildReport(reportInput(...parameters)).report;
const numbers = (area: { photographs: readonly { number: number }[] } | undefined) =>
  area?.photographs.map(({ number }) => number);

describe('the order of the report (description section 2.5)', () => {
  const built = report({
    photographs: photographs([
      { areaName: 'bedroom-1' },
      { areaName: 'Detectors' },
      { areaName: 'Garden', capturedAt: 5 },
      { areaName: 'Kitchen', capturedAt: 30 },
      { areaName: 'gas meter' },
      { areaName: 'Bedroom 1', capturedAt: 20 },
      { areaName: 'kitchen', capturedAt: 10 },
      { areaName: 'KITCHEN', capturedAt: 10 },
    ]),
    meta: { keyDetails: { numberOfKeys: '3' } },
  });

  it('prints the service areas in their fixed order, then rooms by first arrival, then External Areas', () => {
    expect(built.metersAndKeys.map(({ heading }) => heading)).toEqual(['Gas Meter', 'Keys', 'Detectors']);
    expect(built.rooms.map(({ heading }) => heading)).toEqual(['Bedroom 1', 'Kitchen']);
    expect(built.externalAreas?.rooms.map(({ heading }) => heading)).toEqual(['Garden']);
  });

  it('orders photographs within an area by instant, then arrival', () => {
    expect(built.rooms[1]?.photographs.map(({ id }) => id)).toEqual([
      'photograph-7',
      'photograph-8',
      'photograph-4',
    ]);
  });

  it('numbers photographs 1 to N in print order over the whole document', () => {
    expect(built.metersAndKeys.map(numbers)).toEqual([[1], [], [2]]);
    expect(built.rooms.map(numbers)).toEqual([
      [3, 4],
      [5, 6, 7],
    ]);
    expect(numbers(built.externalAreas?.rooms[0])).toEqual([8]);
    expect(built.photographCount).toBe(8);
  });

  it('merges spellings that differ in capitals, spaces and separators under the best one', () => {
    expect(built.rooms[0]).toMatchObject({
      heading: 'Bedroom 1',
      photographs: [{ number: 3 }, { number: 4 }],
    });
  });

  it('notes under a photograph that its file is damaged, behind its caption', () => {
    const [room] = report({
      photographs: photographs([
        { areaName: 'Kitchen', partlyRead: true },
        { areaName: 'Kitchen', partlyRead: true, caption: 'Left wall' },
        { areaName: 'Kitchen', caption: ' ' },
      ]),
    }).rooms;
    expect(room!.photographs.map(({ caption }) => caption)).toEqual([
      PARTLY_READ,
      `Left wall\n${PARTLY_READ}`,
      undefined,
    ]);
  });

  it('gives every photograph an alternative text with number, area and its own stamp', () => {
    const [photograph] = report({
      photographs: photographs([{ areaName: 'Kitchen', capturedAt: Date.UTC(2026, 9, 25, 0, 30) }]),
    }).rooms[0]!.photographs;
    expect(photograph?.alternative).toBe('Photograph 1, Kitchen, 25 Oct 2026, 01:30 BST');
  });

  it('gives the summary a row per area with its first and last time', () => {
    expect(built.summary.map(({ area, photographs: count, status }) => [area, count, status])).toEqual([
      ['Gas Meter', 1, 'Photographed'],
      ['Keys', 0, 'Noted'],
      ['Detectors', 1, 'Photographed'],
      ['Bedroom 1', 2, 'Photographed'],
      ['Kitchen', 3, 'Photographed'],
      ['Garden', 1, 'Photographed'],
    ]);
    expect(built.summary[4]).toMatchObject({ first: '1 Jan 1970, 01:00 BST', last: '1 Jan 1970, 01:00 BST' });
  });

  it('counts in the summary what is to note and what was remarked', () => {
    const facts = [
      ['Hob', 'poor'],
      ['Sink', 'good'],
      ['Floor', 'damaged'],
    ].map(([item, condition], place) => ({
      ...{
        id: `fact-${place}`,
        kind: 'observation' as const,
        areaName: 'Kitchen',
        areaType: 'room' as const,
      },
      ...{ fact: { item: item!, condition: condition! }, photographs: [], recordedAt: 0 },
    }));
    const { summary } = report({
      photographs: photographs([{ areaName: 'Kitchen' }, { areaName: 'Hall' }]),
      remarks: [{ areaName: 'Kitchen', text: 'The tap drips.' }],
      facts,
    });
    expect(summary.map(({ status }) => status)).toEqual(['2 points to note, 1 remark', 'Photographed']);
  });

  it('prints no absence note for an area that an earlier report of the session has photographs of', () => {
    const { metersAndKeys } = report({
      photographs: photographs([{ areaName: 'Hall' }]),
      meta: { skippedAreas: 'gas-meter|water-meter' },
      photographedBefore: ['gas-meter'],
    });
    expect(metersAndKeys.map(({ service, absent }) => [service, absent])).toEqual([['water-meter', true]]);
  });

  it('lets the area type of the capture override the name', () => {
    const moved = report({ photographs: photographs([{ areaName: 'Garden', areaType: 'room' }]) });
    expect(moved.rooms.map(({ heading }) => heading)).toEqual(['Garden']);
    expect(moved.externalAreas).toBeNull();
  });

  it('gives an equal report for an equal input', () => {
    const input = reportInput({ meta: { areaComments: { Kitchen: ['a'] } } });
    expect(buildReport(input)).toEqual(buildReport(structuredClone(input)));
  });
});

describe('photographs filed under External Areas itself', () => {
  it('stand first under the pooled heading, however it was spelt: no sub-heading is theirs', () => {
    const { externalAreas } = report({
      photographs: photographs([
        { areaName: 'Patio' },
        { areaName: 'external  AREAS', areaType: 'external' },
        { areaName: 'Drive' },
      ]),
    });
    expect(externalAreas?.rooms.map(({ heading }) => heading)).toEqual(['External Areas', 'Patio', 'Drive']);
    expect(externalAreas?.rooms.map(numbers)).toEqual([[1], [2], [3]]);
  });
});

describe('areas reported absent (description section 2.5)', () => {
  it('prints the note for each skipped area, on every report type', () => {
    for (const reportType of ['checkin', 'interim', 'other']) {
      const { metersAndKeys } = report({ meta: { reportType, skippedAreas: 'Gas Meter| detectors ' } });
      expect(metersAndKeys.map(({ heading, absent }) => [heading, absent])).toEqual([
        ['Gas Meter', true],
        ['Detectors', true],
      ]);
    }
  });

  it.each([
    ['smoke alarm', 'detectors'],
    ['gas_meter', 'gas-meter'],
    ['Elec Meter', 'electricity-meter'],
    ['key fobs', 'keys'],
    ['WATER\u2013METER', 'water-meter'],
  ])('reads %j as the area that a capture of that name means', (skippedAreas, service) => {
    const { meta, warnings } = buildReport(reportInput({ meta: { skippedAreas } }));
    expect([meta.skipped, warnings]).toEqual([[service], []]);
  });

  it.each(['stopcock', 'key safe', 'burglar alarm', 'electric shower', 'Kitchen'])(
    'takes %j for none of them',
    (skippedAreas) => {
      const { meta, warnings } = buildReport(reportInput({ meta: { skippedAreas } }));
      expect([meta.skipped, warnings.map(({ code }) => code)]).toEqual([[], ['unknown_skipped_area']]);
    },
  );

  it('reads a thousand items and says that there were more', () => {
    const { meta, warnings } = buildReport(
      reportInput({ meta: { skippedAreas: `${'keys|'.repeat(1_000)}gas-meter` } }),
    );
    expect([meta.skipped, warnings.map(({ code }) => code)]).toEqual([['keys'], ['too_many_skipped_areas']]);
  });

  it('prints the note beside a room that was given the name of the area', () => {
    const { metersAndKeys, rooms } = report({
      photographs: photographs([{ areaName: 'Keys', areaType: 'room' }]),
      meta: { skippedAreas: 'keys' },
    });
    expect(rooms.map(({ heading }) => heading)).toEqual(['Keys']);
    expect(metersAndKeys).toMatchObject([{ service: 'keys', absent: true }]);
  });

  it('prints the note of a skipped area beside what was recorded there without a photograph', () => {
    const fact = { areaType: 'service', photographs: [], recordedAt: 0 } as const;
    const { metersAndKeys } = report({
      facts: [
        { ...fact, id: 'fact-1', kind: 'reading', areaName: 'Gas Meter', fact: { value: '5512' } },
        { ...fact, id: 'fact-2', kind: 'keys', areaName: 'Keys', fact: { kind: 'Yale', count: 2 } },
      ],
      meta: { skippedAreas: 'gas-meter|keys', keyDetails: { numberOfKeys: 2 } },
    });
    expect(metersAndKeys).toMatchObject([
      { service: 'gas-meter', absent: true, facts: [{ words: { value: '5512' } }] },
      { service: 'keys', absent: true, keyDetails: [{ value: '2' }] },
    ]);
  });

  it.each([
    ['gas-meter', { kind: 'reading', areaName: 'Gas meter', fact: { value: '5512' } }, 1],
    ['keys', { kind: 'keys', areaName: 'Keys', fact: { kind: 'Front door', count: 2 } }, 1],
    ['smoke alarm', { kind: 'alarm', areaName: 'Heat alarm kitchen', fact: { kind: 'heat' } }, 1],
    ['gas-meter', { kind: 'observation', areaName: 'Gas meter', fact: { item: 'Cupboard locked' } }, 0],
  ] as const)('warns of the skipped area %j if it has %j', (skippedAreas, recorded, count) => {
    const areaType = 'service' as const;
    const facts = [{ id: 'fact-1', areaType, photographs: [], recordedAt: 0, ...recorded }];
    const { report: built, warnings } = buildReport(reportInput({ facts, meta: { skippedAreas } }));
    expect(built.metersAndKeys).toMatchObject([{ absent: true, facts: [{ words: recorded.fact }] }]);
    expect(warnings).toMatchObject(
      Array(count).fill({ code: 'skipped_but_described', path: 'meta.skippedAreas' }),
    );
  });

  it('keeps the photographs of a skipped area that was photographed anyway, without the note', () => {
    const { metersAndKeys } = report({
      photographs: photographs([{ areaName: 'Gas Meter' }]),
      meta: { skippedAreas: 'gas-meter' },
    });
    expect(metersAndKeys).toMatchObject([
      { heading: 'Gas Meter', absent: false, photographs: [{ number: 1 }] },
    ]);
  });

  it('ignores an unknown item with a warning', () => {
    const built = buildReport(reportInput({ meta: { skippedAreas: 'boiler|gas-meter||watr meter' } }));
    expect(built.meta.skipped).toEqual(['gas-meter']);
    expect(built.warnings).toEqual([
      {
        code: 'unknown_skipped_area',
        message: expect.stringContaining('"boiler"'),
        path: 'meta.skippedAreas',
      },
      expect.objectContaining({ code: 'unknown_skipped_area', suggestion: 'water-meter' }),
    ]);
  });

  it('leaves Meters & Keys out when it has nothing to say', () => {
    expect(report().metersAndKeys).toEqual([]);
  });
});
