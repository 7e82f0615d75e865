import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { areaNamed } from '../src/inspection/areas/classify-area.js';
import type { FactInput, ReportInput } from '../src/inspection/report/report-input.js';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import { PAGE } from '../src/pdf/templates/look.js';
import { CHECK_PAGE, reportJob } from './support/draw-report.js';
import { type PdfContent, readPdf } from './support/read-pdf.js';
import { casePictures } from './support/report-cases.js';
import { NOW, photographs, reportInput } from './support/report-input.js';

const renderer = new PdfRenderer();
const folder = mkdtempSync(join(tmpdir(), 'report-facts-'));
let pictures: Map<string, string>;
beforeAll(async () => (pictures = await casePictures(folder)));
afterAll(async () => {
  await renderer.close();
  rmSync(folder, { recursive: true, force: true });
});

const shots = (...areas: string[]) =>
  photographs(areas.map((areaName) => ({ areaName, rendition: 'landscape' })));

async function draw(input: Partial<ReportInput>): Promise<PdfContent> {
  const details = { type: 'inspection', sessionId: 'session' };
  const outputPath = join(folder, 'report.pdf');
  const contents = { details, now: NOW, reports: [reportInput(input)] };
  await renderer.render(reportJob({ contents, pictures, outputPath }));
  return readPdf(outputPath);
}

describe('names within a service area (contract section 6, rule 10)', () => {
  it('are the heading of their photographs, and stand above each of their remarks, which follow the last photograph', async () => {
    const pdf = await draw({
      photographs: shots('CO alarm kitchen', 'Smoke alarm landing', 'Detectors', 'Patio'),
      remarks: [
        { areaName: 'smoke alarm landing', text: 'Cover loose.' },
        { areaName: 'Detectors', text: 'All tested.' },
      ],
      meta: { areaComments: { patio: ['Swept.'] } },
    });
    const words = pdf.pages.flatMap(({ texts }) =>
      texts.filter(({ role }) => /^(H[234]|P|Caption)$/.test(role)),
    );
    const lines = words.map(({ text }) => text).filter((text) => !/ BST$/.test(text));
    expect(lines.slice(lines.indexOf('Meters & Keys'), lines.indexOf('Declaration'))).toEqual([
      ...['Meters & Keys', 'Detectors', '3 photographs', 'Photograph 1'],
      ...['CO alarm kitchen', 'Photograph 2', 'Smoke alarm landing', 'Photograph 3'],
      ...['Smoke alarm landing', 'Additional Comment', 'Cover loose.', 'Additional Comment', 'All tested.'],
      ...['External Areas', 'Patio', '1 photograph', 'Photograph 4', 'Patio', 'Additional Comment', 'Swept.'],
    ]);
    expect(words.filter(({ role }) => role === 'H4')).toHaveLength(2);
  });
});

const fact = (
  areaName: string,
  kind: FactInput['kind'],
  words: FactInput['fact'],
  photographIds: string[] = [],
): FactInput => ({
  ...{ id: randomUUID(), kind, areaName, fact: words, photographs: photographIds, recordedAt: NOW },
  areaType: areaNamed(areaName).type,
});

/** The cells of each table row: the texts on a line. */
const rowsOf = (pdf: PdfContent): string[][] =>
  pdf.pages.flatMap(({ texts }) => {
    const rows = new Map<number, string[]>();
    const cells = new Set(texts.filter(({ role }) => /^T[HD]$/.test(role)).map(({ y }) => y));
    for (const { text, y, role } of texts)
      if (/^(T[HD]|Link)$/.test(role) && cells.has(y)) rows.set(y, [...(rows.get(y) ?? []), text]);
    return [...rows.values()];
  });

describe('an area', () => {
  it('typed in lower case has a heading with capitals', async () => {
    const pdf = await draw({ photographs: shots('bedroom 2', 'en-suite 2', 'En Suite', 'front_garden') });
    const heads = ['Bedroom 2', 'En Suite 2', 'En Suite', 'External Areas', 'Front Garden'];
    expect(pdf.bookmarks).toEqual(['Contents', 'Summary', ...heads, 'Declaration', CHECK_PAGE]);
  });

  it('that was skipped has its note, also beside the details of its keys', async () => {
    const absent = 'Not available — reported by the inspector.';
    const meta = { skippedAreas: 'keys' };
    const report = await draw({
      photographs: shots('Hall'),
      meta: { ...meta, keyDetails: { handedTo: 'Jo' } },
    });
    expect(report.text).toContain(absent);
    expect(report.text).toMatch(/Handed to\s+Jo/);
    const blank = await draw({
      photographs: shots('Hall'),
      meta: { ...meta, keyDetails: { handedTo: ' ' } },
    });
    expect(blank.text).toContain(absent);
  });
});

describe('the summary', () => {
  it('counts a remark on an outdoor area where it was filed, though all are printed merged', async () => {
    const input = {
      photographs: shots('Rear Garden', 'Patio'),
      remarks: [
        { areaName: 'patio', text: 'Slab loose.' },
        { areaName: 'Shed', text: 'Locked.' },
        { areaName: 'PATIO', text: 'Swept.' },
      ],
      meta: { areaComments: { 'External Areas': ['Tidy.'] } },
    };
    const cells = rowsOf(await draw(input)).map((row) => [row[0], row.at(-1)]);
    expect(cells.filter(([area]) => /Garden|Patio|Shed|External/.test(area!))).toEqual([
      ['Rear Garden', 'Photographed'],
      ['Patio', '2 remarks'],
      ['Shed', '1 remark'],
      ['External Areas', '1 remark'],
    ]);
  });
});

describe('facts (contract section 6, rule 10)', () => {
  it('stand in tables at the head of Meters & Keys, observations at the head of their area, in the words of the chat', async () => {
    const pdf = await draw({
      photographs: shots('Kitchen', 'Smoke alarm landing', 'Gas Meter'),
      facts: [
        fact('gas meter', 'reading', { value: '0012.50', unit: 'm³', serial: 'G 4' }, ['photograph-3']),
        fact('Elec meter', 'reading', { value: 48213 }),
        fact('Keys', 'keys', { kind: 'Front door', count: 2 }),
        fact('Smoke alarm landing', 'alarm', { kind: 'Smoke', tested: false }, ['photograph-2']),
        fact('Kitchen', 'observation', { item: 'Hob', condition: 'poor', description: 'Two rings dead.' }, [
          'photograph-1',
        ]),
        fact('Kitchen', 'observation', { item: 'Floor', condition: 'good', cleanliness: 'clean' }),
        fact('Loft', 'observation', { item: 'Hatch', cleanliness: 'dusty' }),
      ],
      meta: { skippedAreas: 'electricity-meter|water-meter' },
    });
    const rows = rowsOf(pdf);
    const table = (...head: string[]) => {
      const at = rows.findLastIndex((row) => row.join() === head.join());
      const length = rows.slice(at + 1).findIndex((row) => row.at(-1) === 'Photographs');
      return rows.slice(at + 1, length < 0 ? undefined : at + 1 + length);
    };
    expect(table('Meter', 'Reading', 'Photographs')).toEqual([['Electricity Meter', '48213']]);
    expect(table('Keys', 'Count', 'Photographs')).toEqual([['Front door', '2']]);
    expect(table('Alarm', 'Tested', 'Photographs')[0]).toEqual(['Smoke', 'No', '2']);
    const kitchen = rows.findLastIndex((row) => row.join() === 'Hob,Poor,Two rings dead.,3');
    expect(rows.slice(kitchen - 1, kitchen + 2)).toEqual([
      ['Item', 'Condition', 'Cleanliness', 'Description', 'Photographs'],
      ['Hob', 'Poor', 'Two rings dead.', '3'],
      ['Floor', 'Good', 'Clean'],
    ]);
    expect(pdf.bookmarks).toEqual([
      ...[
        'Contents',
        'At a glance',
        'Summary',
        'Points to Note',
        'Meters & Keys',
        'Electricity Meter',
        'Gas Meter',
        'Water Meter',
      ],
      ...['Detectors', 'Kitchen', 'Loft', 'Glossary', 'Declaration', CHECK_PAGE],
    ]);
    // A reading does not take the note away, as photographs do.
    expect(pdf.text.split('Not available — reported by the inspector.')).toHaveLength(3);
  });

  const meter = { serial: 'E14-88213', location: 'Hall cupboard', register: 'Day' };
  it.each([
    ['all of its members', { ...meter, supplier: 'British Gas' }],
    ['serial number, location and register', meter],
    ['none of its members', {}],
  ])('have a reading without a photograph on one line beside %s, within the margins', async (_, words) => {
    const pdf = await draw({
      facts: [
        fact('Electricity Meter', 'reading', { value: '0048213.7', unit: 'kWh', ...words }),
        fact('Water Meter', 'reading', { value: '000123456.789', unit: 'cubic metres' }),
      ],
    });
    const { texts } = pdf.pages.findLast((page) => page.texts.some(({ text }) => text === 'Reading'))!;
    const table = texts.slice(texts.findIndex(({ text }) => text === 'Meter'));
    const cells = table.filter(({ role }) => /^(T[HD]|P)$/.test(role)).map(({ text }) => text);
    expect(cells).toEqual(expect.arrayContaining(['0048213.7 kWh', '000123456.789 cubic metres']));
    for (const word of Object.values(words)) expect(cells.join('\n')).toContain(word);
    const photographs = table.find(({ text }) => text === 'Photographs')!;
    expect(photographs.x).toBeLessThanOrEqual(PAGE.width - PAGE.right - 50);
  });

  it('in the tables of Meters & Keys leave no empty section of their outdoor area', async () => {
    const pdf = await draw({
      photographs: shots('Kitchen'),
      facts: [fact('Garage', 'alarm', { kind: 'Heat alarm', place: 'Ceiling' })],
    });
    expect(pdf.bookmarks).toEqual([
      ...['Contents', 'At a glance', 'Summary', 'Meters & Keys', 'Kitchen', 'Declaration', CHECK_PAGE],
    ]);
    expect(pdf.text).not.toContain('External Areas');
  });

  it('have neither a table nor a heading if there are none', async () => {
    const pdf = await draw({
      photographs: shots('Kitchen'),
      facts: [fact('Kitchen', 'observation', { item: 'Floor', condition: 'new' })],
    });
    expect(pdf.bookmarks).toEqual(['Contents', 'Summary', 'Kitchen', 'Glossary', 'Declaration', CHECK_PAGE]);
    expect(rowsOf(pdf).filter((row) => row.at(-1) === 'Photographs')).toHaveLength(1);
    const plain = await draw({ photographs: shots('Kitchen') });
    expect(rowsOf(plain).filter((row) => row.at(-1) === 'Photographs')).toEqual([]);
  });

  it('flow over pages by the thousand, with the head on each page and once in the tags', async () => {
    const long = 'Swollen. '.repeat(1_100);
    const pdf = await draw({
      photographs: shots('Kitchen'),
      facts: Array.from({ length: 3_000 }, (_, at) =>
        fact('Kitchen', 'observation', {
          item: `Item ${at}`,
          ...(at === 1_500 ? { description: long } : {}),
        }),
      ),
    });
    const items = pdf.pages.flatMap(({ texts }) => texts.filter(({ text }) => /^Item \d/.test(text)));
    expect(items.map(({ text }) => text)).toEqual(Array.from({ length: 3_000 }, (_, at) => `Item ${at}`));
    expect(pdf.text.match(/Swollen\./g)).toHaveLength(1_100);
    const pages = pdf.pages.filter(({ texts }) => texts.some(({ text }) => /^Item \d/.test(text)));
    const heads = pages.map(({ texts }) =>
      texts.filter(({ text }) => text === 'Cleanliness').map(({ role }) => role),
    );
    expect(heads).toEqual([['TH'], ...heads.slice(1).map(() => ['Artifact'])]);
  });

  it('print literally: controls, markup, blanks, an unbroken word', async () => {
    const value = `  0\u00071<b>%s{{x}}${'9'.repeat(400)}`;
    const pdf = await draw({
      photographs: shots('Kitchen'),
      facts: [
        fact('Gas meter', 'reading', { value }),
        fact('Kitchen', 'observation', { item: '\n'.repeat(499) + 'x', condition: 'good' }),
      ],
    });
    const digits = pdf.pages.flatMap(({ texts }) =>
      texts.filter(({ role }) => /^T[HD]$/.test(role)).map(({ text }) => text),
    );
    expect(digits.join('')).toContain(value.replace('\u0007', '\ufffd'));
    expect(digits).toContain('x');
  });
});
