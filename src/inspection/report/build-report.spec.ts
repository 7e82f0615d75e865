import { photographs, reportInput } from '../../../test/support/report-input.js';
import { buildReport } from './build-report.js';

const report = (...parameters: Parameters<typeof reportInput>) =>
  buildReport(reportInput(...parameters)).report;
const numbers = (area: { photographs: readonly { number: number }[] } | undefined) =>
  area?.photographs.map(({ number }) => number);

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

describe('the cover (description 2.3)', () => {
  it('prints address, assessor, tenant and company exactly as sent, however long', () => {
    const meta = {
      address: '  <b>1</b> &amp; {{x}} %s\t',
      assessor: 'A'.repeat(100_000),
      tenant: ' T ',
      company: 'ß ﬁ é',
    };
    expect(report({ meta }).cover).toMatchObject(meta);
  });

  it('selects the title by the report type, and a neutral one for any other value', () => {
    const title = (reportType?: string) => report({ meta: { reportType } }).cover.title;
    expect(title('checkin')).toBe('Check-In Inspection Report');
    expect(title('checkout')).toBe('Check-Out Inspection Report');
    expect(title('interim')).toBe('Interim Inspection Report');
    for (const other of ['Checkin', 'inventory', '', undefined])
      expect(title(other)).toBe('Property Inspection Report');
  });

  it('says Guided Self Inspection only when guided is true', () => {
    expect(report({ meta: { guided: true } }).cover.guided).toBe(true);
    for (const guided of [false, 'true', 1, null, undefined])
      expect(report({ meta: { guided } }).cover.guided).toBe(false);
  });

  it('prints a coordinate plus a map link, and drops coordinates that are none', () => {
    expect(
      report({ meta: { geo: { latitude: 51.5013640001, longitude: -0.14189 } } }).cover.location,
    ).toEqual({
      text: '51.501364, -0.141890',
      mapUrl: 'https://www.google.com/maps?q=51.501364,-0.141890',
    });
    for (const geo of [
      { latitude: 91, longitude: 0 },
      { latitude: '51', longitude: 0 },
      { latitude: 1 },
      [1, 2],
      'x',
    ]) {
      const built = buildReport(reportInput({ meta: { geo } }));
      expect(built.report.cover.location).toBeUndefined();
      expect(built.warnings).toHaveLength(1);
    }
  });

  it('prints no label for an absent value', () => {
    expect(Object.keys(report({ meta: { address: '', company: ' ', tenant: null } }).cover).sort()).toEqual([
      'guided',
      'reportDate',
      'title',
    ]);
  });

  it('names the clerk and the tenant on their signature lines, or leaves the tenant blank', () => {
    expect(report({ meta: { assessor: 'Ann Clerk', tenant: 'Tom' } }).declaration).toEqual({
      clerk: 'Ann Clerk',
      tenant: 'Tom',
    });
    expect(report({ meta: { assessor: 'Ann Clerk' } }).declaration).toEqual({ clerk: 'Ann Clerk' });
  });
});

describe('the order of the report (description 2.5)', () => {
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

describe('areas reported absent (description 2.5)', () => {
  it('prints the note for each skipped area, on every report type', () => {
    for (const reportType of ['checkin', 'interim', 'other']) {
      const { metersAndKeys } = report({ meta: { reportType, skippedAreas: 'Gas Meter| detectors ' } });
      expect(metersAndKeys.map(({ heading, absent }) => [heading, absent])).toEqual([
        ['Gas Meter', true],
        ['Detectors', true],
      ]);
    }
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
    const built = buildReport(reportInput({ meta: { skippedAreas: 'boiler|gas-meter||' } }));
    expect(built.meta.skipped).toEqual(['gas-meter']);
    expect(built.warnings).toEqual([expect.stringContaining('"boiler"')]);
  });

  it('leaves Meters & Keys out when it has nothing to say', () => {
    expect(report().metersAndKeys).toEqual([]);
  });
});

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
      expect.stringContaining('"Attic"'),
      expect.stringContaining('"External Areas"'),
    ]);
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
    expect(warnings).toEqual([expect.stringContaining('"toString"')]);
  });
});

describe('key details (description 2.3)', () => {
  it('print in the Keys section, which they create alone', () => {
    const { metersAndKeys } = report({
      meta: { keyDetails: { numberOfKeys: 3, takenFrom: 'Office', handedTo: 'Tenant', colour: 'red' } },
    });
    expect(metersAndKeys).toMatchObject([
      {
        heading: 'Keys',
        keyDetails: [
          { label: 'Number of keys', value: '3' },
          { label: 'Taken from', value: 'Office' },
          { label: 'Handed to', value: 'Tenant' },
        ],
      },
    ]);
  });
});

describe('meta of the wrong type', () => {
  const MEMBERS = [
    'address', 'assessor', 'tenant', 'company', 'reportType', 'guided', 'propertyNo', 'postcode', 'logo', 'geo',
    'areaComments', 'keyDetails', 'skippedAreas',
  ]; // prettier-ignore

  it.each(MEMBERS)('%s is dropped with a warning, never an error', (member) => {
    for (const value of [7, ['x'], member === 'guided' ? 'yes' : true]) {
      const built = buildReport(reportInput({ meta: { [member]: value } }));
      expect(built.warnings).toEqual([expect.stringContaining(`meta.${member}`)]);
      expect(built.report.photographCount).toBe(1);
    }
  });

  it('drops what it does not recognise', () => {
    const built = buildReport(
      reportInput({ meta: { colour: 'red', Address: 'x', __proto__: { address: 'y' } } }),
    );
    expect(built.report.cover).not.toHaveProperty('address');
    expect(JSON.stringify(built)).not.toContain('red');
  });

  it('prints the texts of a list of remarks and warns of the rest', () => {
    const built = buildReport(
      reportInput({ meta: { areaComments: { Kitchen: ['a', 1, null, 'b'], Hall: 'x' } } }),
    );
    expect(built.report.rooms[0]?.comments).toEqual(['a', 'b']);
    expect(built.warnings).toHaveLength(2);
  });

  it.each([null, undefined, 'x', 7, []])('takes %p as no meta at all', (meta) => {
    expect(buildReport(reportInput({ meta })).report.cover.title).toBe('Property Inspection Report');
  });
});
