import type { Session } from '../../../../../src/api/inspections.js';
import type { ReportView } from '../../../../../src/api/reports.js';
import {
  EMPTY_EDITION,
  editionBody,
  faultOf,
  firstOf,
  keyOf,
  newestOf,
  printedIn,
  recordsOf,
  valuesOf,
  sizeIn,
} from './edition-draft.js';

const report = (id: string, replaces?: string) => ({ id, ...(replaces ? { replaces } : {}) }) as ReportView;
const reports = [report('c', 'b'), report('b', 'a'), report('a'), report('other')];
const item = (id: string, more: object = {}) => ({
  id,
  area: 'Hall',
  withdrawnAt: null,
  reportId: 'a',
  ...more,
});
const session = {
  photographs: [
    item('p', { caption: null }),
    item('q', { reportId: 'other' }),
    item('w', { withdrawnAt: 'x', caption: 'A' }),
  ],
  remarks: [item('r', { text: 'Wet' })],
  facts: [
    item('f', { kind: 'reading', fact: { value: 4713, unit: 'm³' } }),
    item('g', { kind: 'alarm', fact: { kind: 'smoke', tested: false } }),
  ],
} as unknown as Session;
const records = recordsOf(report('b', 'a'), reports, session);
const [photograph, withdrawn, remark, reading, alarm] = records as [never, never, never, never, never];
const body = (touched: [(typeof records)[number], object][], more: object = {}) =>
  editionBody(
    {
      reason: ' Wrong room ',
      meta: {},
      records: new Map(
        touched.map(([record, change]) => {
          const values = valuesOf(record);
          const { withdrawn = values.withdrawn, ...texts } = change as { withdrawn?: boolean };
          return [keyOf(record), { withdrawn, texts: { ...values.texts, ...texts } }];
        }),
      ),
      ...more,
    },
    records,
  );

describe('the form of a further edition', () => {
  it('knows the first and the newest edition, and the records of the first', () => {
    expect(firstOf(report('c', 'b'), reports).id).toBe('a');
    expect(newestOf(report('a'), reports).id).toBe('c');
    expect(newestOf(report('other'), reports).id).toBe('other');
    expect(records.map(keyOf)).toEqual(['photograph p', 'photograph w', 'remark r', 'fact f', 'fact g']);
  });

  it('sends only what differs from the current values', () => {
    expect(
      body([
        [photograph, {}],
        [remark, { text: ' Wet ' }],
        [reading, { value: '4713' }],
      ]),
    ).toEqual({
      reason: 'Wrong room',
    });
    expect(
      body([
        [photograph, { area: 'Kitchen', caption: 'Sink', turn: '90' }],
        [remark, { text: 'Damp' }],
        [reading, { value: '04713', unit: '' }],
        [alarm, { tested: 'true' }],
      ]),
    ).toEqual({
      reason: 'Wrong room',
      corrections: [
        { photographId: 'p', area: 'Kitchen', caption: 'Sink', turn: 90 },
        { remarkId: 'r', text: 'Damp' },
        { factId: 'f', value: '04713', unit: '' },
        { factId: 'g', tested: 'true' },
      ],
    });
  });

  it('withdraws and brings back', () => {
    expect(
      body([
        [photograph, { withdrawn: true, area: 'x' }],
        [withdrawn, { withdrawn: false }],
      ]),
    ).toMatchObject({
      corrections: [
        { photographId: 'p', withdrawn: true },
        { photographId: 'w', withdrawn: false },
      ],
    });
  });

  it('sends details that differ from the printed ones, and null for one to leave out', () => {
    const tenancy = { start: '2025-11-03', end: '2026-11-02' };
    const printed = { address: '1 Low Street', tenant: 'Ann', company: 'Lets', guided: true, tenancy };
    expect(printedIn(printed)).toEqual({
      ...{ address: '1 Low Street', tenant: 'Ann', company: 'Lets' },
      ...{ 'tenancy.start': '2025-11-03', 'tenancy.end': '2026-11-02' },
    });
    const meta = {
      ...{ address: ' 1 <b>High Street', tenant: '', company: 'Lets', assessor: '', present: 'Jo\nAnn' },
      ...{ 'tenancy.end': '2026-12-02', 'tenancy.start': '2025-11-03' },
    };
    const draft = { ...EMPTY_EDITION, reason: 'x', meta };
    expect(editionBody(draft, records, { details: printed })).toEqual({
      reason: 'x',
      meta: {
        ...{ address: ' 1 <b>High Street', tenant: null, present: ['Jo', 'Ann'] },
        tenancy: { start: '2025-11-03', end: '2026-12-02' },
      },
    });
  });

  it('sends a size that differs from that of the previous edition, and null for none', () => {
    const sent = (maxMegabytes: string | undefined, maxBytes?: number) => {
      const draft = {
        ...EMPTY_EDITION,
        reason: 'x',
        ...(maxMegabytes === undefined ? {} : { maxMegabytes }),
      };
      return editionBody(draft, records, { maxBytes });
    };
    const same = [sent(undefined), sent(undefined, 14e6), sent('14', 14e6), sent('')];
    expect(same).toEqual(same.map(() => ({ reason: 'x' })));
    expect([sent('2,5'), sent('', 14e6), sent('40', 14e6)]).toMatchObject([
      { maxBytes: 2_500_000 },
      { maxBytes: null },
      { maxBytes: 40_000_000 },
    ]);
    expect([sizeIn(EMPTY_EDITION, 14_500_000), sizeIn(EMPTY_EDITION, undefined)]).toEqual(['14.5', '']);
  });

  it('names empty values, but not those of withdrawn records', () => {
    const empty = { withdrawn: false, texts: { value: ' ', area: 'Hall' } };
    expect(faultOf(reading, empty)?.name).toBe('value');
    expect(faultOf(reading, { ...empty, withdrawn: true })).toBeUndefined();
    expect(faultOf(photograph, { withdrawn: false, texts: { area: '', caption: '' } })?.name).toBe('area');
    expect(faultOf(remark, valuesOf(remark))).toBeUndefined();
  });
});
