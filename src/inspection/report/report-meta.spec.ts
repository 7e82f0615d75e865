import { reportInput } from '../../../test/support/report-input.js';
import { buildReport } from './build-report.js';
import { COVER_ROWS, META_MEMBERS, META_TEXTS } from './meta-members.js';
import { readMeta } from './report-meta.js';

const report = (...parameters: Parameters<typeof reportInput>) =>
  buildReport(reportInput(...parameters)).report;

describe('the cover (description section 2.3)', () => {
  it('prints address, assessor, tenant and company exactly as sent, however long', () => {
    const meta = {
      address: '  <b>1</b> &amp; {{x}} %s\t',
      assessor: 'A'.repeat(100_000),
      tenant: ' T ',
      company: 'ß ﬁ é',
    };
    const { address, company, rows } = report({ meta }).cover;
    expect({ address, company }).toEqual({ address: meta.address, company: meta.company });
    expect(rows).toEqual([
      { label: 'Company', value: meta.company },
      { label: 'Inspector', value: meta.assessor },
      { label: 'Tenant', value: meta.tenant },
    ]);
  });

  it('prints each text of its rows on a labelled line, as sent, in the order of the members', () => {
    expect(COVER_ROWS).toEqual(expect.arrayContaining(['company', 'assessor', 'tenant']));
    const meta = Object.fromEntries(COVER_ROWS.map((name) => [name, ` <i>${name}</i> {{x}}\t`]));
    expect(report({ meta }).cover.rows).toEqual(
      COVER_ROWS.map((name) => ({ label: META_MEMBERS[name].label, value: meta[name] })),
    );
  });

  it('selects the title by the report type, and a neutral one for any other value', () => {
    const title = (reportType?: string) => report({ meta: { reportType } }).cover.title;
    expect(title('checkin')).toBe('Check-In Inspection Report');
    expect(title('checkout')).toBe('Check-Out Inspection Report');
    expect(title('interim')).toBe('Interim Inspection Report');
    for (const other of ['Checkin', 'inventory', '', undefined])
      expect(title(other)).toBe('Property Inspection Report');
  });

  it('compares no text of more than 200 characters with the words of a list', () => {
    const apart = (first: string, second: string) => `${first}${'-'.repeat(200)}${second}`;
    const { meta, warnings } = readMeta({
      reportType: apart('check', 'in'),
      skippedAreas: apart('gas', 'meter'),
      overview: { furnished: apart('part', 'furnished') },
    });
    expect(meta).toMatchObject({ skipped: [], overview: {} });
    expect(warnings.map(({ code }) => code)).toEqual(['unknown_skipped_area', 'wrong_type']);
  });

  it.each(['check-in', 'Check Out', 'INTERIM'])(
    'warns of a report type that is nearly one: %s',
    (reportType) => {
      const { warnings } = readMeta({ reportType });
      expect(warnings).toEqual([
        expect.objectContaining({
          code: 'unknown_report_type',
          path: 'meta.reportType',
          suggestion: reportType.toLowerCase().replace(/[- ]/, ''),
        }),
      ]);
      for (const other of ['checkin', 'interim', 'inventory', 'Mid-term'])
        expect(readMeta({ reportType: other }).warnings).toEqual([]);
    },
  );

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
    expect(
      Object.entries(report({ meta: { address: '', company: ' ', tenant: null } }).cover)
        .filter(([, value]) => !Array.isArray(value) || value.length > 0)
        .map(([name]) => name)
        .sort(),
    ).toEqual(['guided', 'inspected', 'reportDate', 'title']);
  });

  it('names the clerk, each tenant and the company on their signature lines', () => {
    const signed = (meta: object) => report({ meta }).declaration;
    expect(signed({ assessor: 'Ann Clerk', tenant: 'Tom\n\n Zoë Li \r\nJo', company: 'Lets' })).toEqual({
      clerk: 'Ann Clerk',
      tenants: ['Tom', ' Zoë Li ', 'Jo'],
      agent: 'Lets',
    });
    expect(signed({ assessor: 'Ann Clerk', guided: true })).toEqual({ clerk: 'Ann Clerk', tenants: [] });
    const crowd = Array.from({ length: 21 }, (_, index) => `Tenant ${index}`).join('\n');
    expect(signed({ tenant: crowd }).tenants).toEqual([crowd]);
  });
});

describe('key details (description section 2.3)', () => {
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
    ...META_TEXTS, 'guided', 'geo', 'areaComments', 'keyDetails', 'skippedAreas',
  ]; // prettier-ignore

  it.each(MEMBERS)('%s is dropped with a warning, never an error', (member) => {
    for (const value of [7, ['x'], member === 'guided' ? 'yes' : true]) {
      const built = buildReport(reportInput({ meta: { [member]: value } }));
      const message = expect.stringContaining(`meta.${member}`) as string;
      const path = `meta.${member}`;
      expect(built.warnings).toEqual([expect.objectContaining({ message, path })]);
      expect(built.report.photographCount).toBe(1);
    }
  });

  it('ignores a member that is not known, and says which was probably meant', () => {
    expect(readMeta({ adress: 'x', colour: 'red', Tenant: 'y' }).warnings).toEqual([
      expect.objectContaining({ code: 'unknown_member', path: 'meta.adress', suggestion: 'address' }),
      expect.objectContaining({ code: 'unknown_member', path: 'meta.Tenant', suggestion: 'tenant' }),
    ]);
  });

  it('drops what it does not recognise, and what is not its own', () => {
    const strange = { colour: 'red', Address: 'x' };
    for (const meta of [
      { ...strange, ['__proto__']: { address: 'y' } },
      Object.setPrototypeOf({ ...strange }, { address: 'y' }),
    ]) {
      const built = buildReport(reportInput({ meta }));
      expect(built.report.cover).not.toHaveProperty('address');
      expect(JSON.stringify(built)).not.toContain('red');
    }
  });

  it('prints the texts of a list of remarks and warns of the rest', () => {
    const built = buildReport(
      reportInput({ meta: { areaComments: { Kitchen: ['a', 1, null, 'b'], Hall: 'x' } } }),
    );
    expect(built.report.rooms[0]?.comments).toEqual([{ text: 'a' }, { text: 'b' }]);
    expect(built.warnings).toHaveLength(2);
  });

  it.each([null, undefined, 'x', 7, []])('takes %p as no meta at all', (meta) => {
    expect(buildReport(reportInput({ meta })).report.cover.title).toBe('Property Inspection Report');
  });

  it('prints the note for skipped keys beside their details, with a warning', () => {
    const meta = { skippedAreas: 'keys|gas-meter', keyDetails: { numberOfKeys: 3 } };
    const { report: made, warnings } = buildReport(reportInput({ meta }));
    expect(made.metersAndKeys).toMatchObject([
      { service: 'gas-meter', absent: true },
      { service: 'keys', absent: true, keyDetails: [{ label: 'Number of keys', value: '3' }] },
    ]);
    expect(warnings).toMatchObject([{ code: 'skipped_but_described', path: 'meta.skippedAreas' }]);
    const bare = buildReport(reportInput({ meta: { skippedAreas: 'keys' } }));
    expect(bare.report.metersAndKeys).toMatchObject([{ service: 'keys', absent: true }]);
  });
});
