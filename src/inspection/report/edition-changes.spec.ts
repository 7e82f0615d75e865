import { photographs, reportInput } from '../../../test/support/report-input.js';
import { buildReport } from './build-report.js';
import type { EditionInput, ReportInput } from './report-input.js';

const edition = (more: Partial<EditionInput> = {}): EditionInput => ({
  number: 2,
  replaces: { reportId: 'first', createdAt: 0 },
  reason: 'Checked again.',
  numbered: ['photograph-1'],
  corrected: [],
  metaBefore: {},
  ...more,
});

const changes = (made: Partial<EditionInput>, input: Partial<ReportInput> = {}) =>
  buildReport(reportInput({ ...input, edition: edition(made) })).report.changes?.map(
    ({ what, was, now, reason, date }) => [
      what,
      was,
      now,
      ...(reason === 'Checked again.' ? [] : [reason]),
      date,
    ],
  );

const DAY = '26 Oct 2026';
const room = { area: 'kitchen', areaType: 'room', withdrawn: false } as const;

describe('the changes of an edition', () => {
  it('are corrections of photographs, remarks and facts in old and new words, with their own reasons', () => {
    const photograph = { ...room, turn: 0 };
    const tap = { kind: 'observation', words: { item: 'Tap', condition: 'good' }, photographs: [] } as const;
    const corrected: EditionInput['corrected'] = [
      {
        ...{ kind: 'photograph', id: 'photograph-1', reason: 'It lay on its side.' },
        ...{
          before: { ...photograph, caption: 'Sink' },
          after: { ...photograph, area: 'bedroom-1', turn: 90 },
        },
      },
      {
        ...{ kind: 'remark', id: 'remark-1', reason: 'Heard wrongly.' },
        ...{ before: { ...room, text: 'Dry' }, after: { ...room, text: 'Damp' } },
      },
      {
        ...{ kind: 'remark', id: 'remark-2', reason: 'Of another property.' },
        ...{ before: { ...room, text: 'Dark' }, after: { ...room, text: 'Dark', withdrawn: true } },
      },
      {
        ...{ kind: 'fact', id: 'fact-1', reason: 'It drips.' },
        before: { ...room, fact: tap },
        after: {
          ...room,
          fact: { ...tap, words: { item: 'Tap', condition: 'poor' }, photographs: ['photograph-1'] },
        },
      },
    ];
    expect(changes({ corrected })).toEqual([
      [
        ...['Photograph 1, Kitchen', 'Area: Kitchen\nCaption: Sink\nNot turned'],
        ...['Area: Bedroom 1\nNo caption\nTurned by 90°', 'It lay on its side.', DAY],
      ],
      ['Remark, Kitchen', 'Dry', 'Damp', 'Heard wrongly.', DAY],
      ['Remark, Kitchen', 'Dark', 'Withdrawn', 'Of another property.', DAY],
      ['Observation, Kitchen', 'Tap: good', 'Tap: poor\nPhotograph 1', 'It drips.', DAY],
    ]);
  });

  it('are the section of a record whose area keeps its name', () => {
    const corrected = (['external', 'service'] as const).map((areaType, at) => ({
      ...({ kind: 'remark', id: `remark-${at}`, reason: 'It is elsewhere.' } as const),
      ...{ before: { ...room, text: 'Dry' }, after: { ...room, areaType, text: 'Dry' } },
    }));
    expect(changes({ corrected })?.map(([, was, now]) => [was, now])).toEqual([
      ['Section: Rooms\nDry', 'Section: External Areas\nDry'],
      ['Section: Rooms\nDry', 'Section: Meters & Keys\nDry'],
    ]);
  });

  it('are members of meta that print differently, also blank ones', () => {
    const metaBefore = {
      ...{ address: '1 High Street', tenant: 'Ann', guided: true, company: ' ', skippedAreas: 'gas_meter' },
      ...{ areaComments: { kitchen: ['Cold'] }, logo: 'one' },
    };
    const meta = {
      ...{ address: '2 High Street', tenant: '', guided: false, skippedAreas: 'gas meter' },
      ...{ areaComments: { kitchen: ['Cold', 'Dark'] }, keyDetails: { numberOfKeys: 2 }, logo: 'two' },
    };
    expect(changes({ metaBefore }, { meta })).toEqual([
      ['Address', '1 High Street', '2 High Street', DAY],
      ['Tenant', 'Ann', 'Left blank', DAY],
      ['Logo', 'Earlier logo', 'New logo', DAY],
      ['Guided self inspection', 'Yes', 'No', DAY],
      ['Keys', '', 'Number of keys: 2', DAY],
      ['Remarks, Kitchen', 'Cold', 'Cold\nDark', DAY],
    ]);
  });

  it('are titles of the report, not the words that select them', () => {
    const types = (before: string | undefined, after: string | undefined) =>
      changes({ metaBefore: { reportType: before } }, { meta: { reportType: after } })?.[0]?.slice(0, 3);
    const neutral = 'Property Inspection Report';
    expect(types('checkin', 'checkout')).toEqual([
      ...['Type of report', 'Check-In Inspection Report', 'Check-Out Inspection Report'],
    ]);
    expect(types('interim', undefined)).toEqual(['Type of report', 'Interim Inspection Report', neutral]);
    expect(types(undefined, 'mid-term')).toEqual(['Whole report', '', 'Drawn again, unchanged']);
  });

  it('are what it added, photographs by their numbers and areas', () => {
    const added = true as const;
    const input: Partial<ReportInput> = {
      photographs: photographs([
        { areaName: 'Kitchen' },
        { areaName: 'Hall', added },
        { areaName: 'Kitchen', added },
        { areaName: 'Hall', added },
      ]),
      remarks: [
        { areaName: 'Hall', text: 'Old' },
        { areaName: 'Hall', text: 'New', added },
      ],
      facts: [
        {
          ...{
            id: 'fact-1',
            kind: 'keys',
            areaName: 'keys',
            areaType: 'service',
            photographs: [],
            recordedAt: 0,
          },
          ...{ fact: { kind: 'Front door', count: 2 }, added },
        },
      ],
    };
    expect(changes({}, input)).toEqual([
      ['Photographs 2–4', '', 'Added: Kitchen, Hall', DAY],
      ['Remark, Hall', '', 'Added: New', DAY],
      ['Keys', '', 'Added: 2 × Front door', DAY],
    ]);
  });

  it('have one row if nothing changed, and are absent in the first edition', () => {
    expect(changes({})).toEqual([['Whole report', '', 'Drawn again, unchanged', DAY]]);
    expect(buildReport(reportInput()).report.changes).toBeUndefined();
  });
});

describe('the numbers of a further edition', () => {
  it('are those of earlier ones, with gaps for what is no longer printed, and new ones after the last', () => {
    const { report, photographIds } = buildReport(
      reportInput({
        photographs: photographs([{ areaName: 'Attic' }, { areaName: 'Hall' }, { areaName: 'Attic' }]),
        edition: edition({ numbered: ['photograph-3', 'withdrawn', 'photograph-1'] }),
      }),
    );
    expect(report.rooms.map((area) => area.photographs.map(({ number }) => number))).toEqual([[3, 1], [4]]);
    expect(photographIds).toEqual(['photograph-3', 'withdrawn', 'photograph-1', 'photograph-2']);
    expect(report.photographCount).toBe(3);
  });
});
