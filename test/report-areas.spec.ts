import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { areaNamed } from '../src/inspection/areas/classify-area.js';
import type { FactInput, ReportInput } from '../src/inspection/report/report-input.js';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import { PAGE } from '../src/pdf/templates/look.js';
import { reportJob } from './support/draw-report.js';
import { type PdfContent, type PdfPageContent, type PdfText, readPdf } from './support/read-pdf.js';
import { casePictures } from './support/report-cases.js';
import { NOW, photographs, reportInput } from './support/report-input.js';

const renderer = new PdfRenderer();
const folder = mkdtempSync(join(tmpdir(), 'report-areas-'));
let pictures: Map<string, string>;
beforeAll(async () => (pictures = await casePictures(folder)));
afterAll(async () => {
  await renderer.close();
  rmSync(folder, { recursive: true, force: true });
});

const shots = (...areas: string[]) =>
  photographs(areas.map((areaName) => ({ areaName, rendition: 'landscape' })));

const fact = (
  areaName: string,
  kind: FactInput['kind'],
  words: FactInput['fact'],
  photographIds: string[] = [],
): FactInput => ({
  ...{ id: randomUUID(), kind, areaName, fact: words, photographs: photographIds, recordedAt: NOW },
  areaType: areaNamed(areaName).type,
});

async function draw(input: Partial<ReportInput>): Promise<PdfContent> {
  const details = { type: 'inspection', sessionId: 'areas' };
  const outputPath = join(folder, 'report.pdf');
  const contents = { details, now: NOW, reports: [reportInput(input)] };
  await renderer.render(reportJob({ contents, pictures, outputPath }));
  return readPdf(outputPath);
}

const pageWith = (pdf: PdfContent, text: string): PdfPageContent =>
  pdf.pages.findLast(({ texts }) => texts.some((one) => one.text === text))!;
const textOn = ({ texts }: PdfPageContent, text: string): PdfText => texts.find((one) => one.text === text)!;
const stampsIn = (pdf: PdfContent): string[] =>
  pdf.pages.flatMap(({ texts }) =>
    texts.filter(({ role, text }) => role === 'Caption' && / BST$/.test(text)).map(({ text }) => text),
  );

describe('the table of an area', () => {
  it('has the columns of contract section 6, rule 10, its items as heads of rows, and everything known of an item', async () => {
    const words = {
      ...{ item: 'Boiler', condition: 'good', description: 'Wall-hung, serviced.' },
      ...{ quantity: 1, make: 'Vale', model: 'Eco 24', serial: 'V-77', age: '6 years' },
      details: [
        { label: 'Pressure', value: '1.4 bar' },
        { label: 'Flue', value: 'clear' },
      ],
    };
    const pdf = await draw({ photographs: shots('Kitchen'), facts: [fact('Kitchen', 'observation', words)] });
    const page = pageWith(pdf, 'Boiler');
    const heads = ['Item', 'Condition', 'Cleanliness', 'Description', 'Photographs'].map((head) =>
      textOn(page, head),
    );
    const lefts = heads.map(({ x }) => Math.round(x));
    expect(lefts).toEqual([...lefts].sort((one, other) => one - other));
    const [item, condition, cleanliness, description, numbers] = lefts as [
      number,
      number,
      number,
      number,
      number,
    ];
    expect([condition - item, cleanliness - condition, description - cleanliness]).toEqual([96, 58, 58]);
    expect(numbers - description).toBeGreaterThan(225);
    expect(textOn(page, 'Boiler').role).toBe('TH');
    const printed = page.texts
      .map(({ text }) => text.trim())
      .join(' ')
      .replace(/\s+/g, ' ');
    for (const line of [
      'Wall-hung, serviced.',
      'Quantity 1 · Make Vale · Model Eco 24 · Serial number V-77 · Age 6 years',
      'Pressure: 1.4 bar',
      'Flue: clear',
    ])
      expect(printed).toContain(line);
  });

  it('quotes the check-in in the description of an item that is as before', async () => {
    const previous = reportInput({
      reportId: '0199a1f2-7c3e-7b1a-9d55-3f1c2b7a9e42',
      photographs: shots('Kitchen'),
      facts: [
        fact('Kitchen', 'observation', { item: 'Hob', condition: 'good', description: 'Four rings work.' }, [
          'photograph-1',
        ]),
      ],
    });
    const pdf = await draw({
      photographs: shots('Kitchen'),
      facts: [
        fact('Kitchen', 'observation', { item: 'Hob', asBefore: true }),
        fact('Kitchen', 'observation', { item: 'Oven', asBefore: true }),
      ],
      previous,
      meta: { previousReport: previous.reportId },
    });
    const texts = pageWith(pdf, 'Hob')
      .texts.map(({ text }) => text)
      .join(' ');
    expect(texts).toContain('As at check-in: “Four rings work.”');
    expect(texts.replace(/\s+/g, ' ').replace('check- in', 'check-in')).toContain(
      'Photograph 1 of the check-in.',
    );
    expect(texts).toContain('As at check-in.');
    expect(texts).toContain('Good');
  });

  it("is followed by the flow's sentence, once in each room and nowhere else", async () => {
    const sentence = 'All items good and clean unless otherwise stated.';
    const pdf = await draw({
      photographs: shots('Kitchen', 'Hall', 'Patio', 'Gas Meter'),
      facts: [fact('Kitchen', 'observation', { item: 'Hob', condition: 'good' })],
      settings: { layout: 'standard', defaultSentence: sentence },
    });
    expect(pdf.text.split(sentence)).toHaveLength(3);
    const page = pageWith(pdf, 'Hob');
    const after = textOn(page, sentence);
    expect(after.y).toBeGreaterThan(textOn(page, 'Hob').y);
    expect(after.y).toBeLessThan(page.pictures.find(({ y }) => y > textOn(page, 'Hob').y)!.y);
  });
});

describe('a photographed meter', () => {
  it('prints as a card, several on a page: the photograph at the left, everything known of it at the right', async () => {
    const reading = (area: string, value: string, place: number) =>
      fact(area, 'reading', {
        ...{ value, unit: 'kWh', serial: `S-${place}`, location: 'Hall cupboard' },
        ...{ supplier: 'Northern', register: 'Day' },
      }, [`photograph-${place}`]); // prettier-ignore
    const pdf = await draw({
      photographs: shots('Electricity Meter', 'Gas Meter', 'Water Meter'),
      facts: [
        reading('Electricity Meter', '0048213.7', 1),
        reading('Gas Meter', '2291', 2),
        reading('Water Meter', '733', 3),
      ],
      remarks: [{ areaName: 'Gas Meter', text: 'Key on the ledge.' }],
    });
    const pages = pdf.pages.filter(({ texts }) => texts.some(({ text }) => /^Photograph \d$/.test(text)));
    const page = pageWith(pdf, '2291 kWh');
    expect(pages.length).toBeLessThanOrEqual(2);
    const cards = pages
      .flatMap(({ pictures: drawn, texts }) => drawn.map((picture) => ({ picture, texts })))
      .map(({ picture, texts }) => {
        const beside = texts.filter(
          ({ x, y, role }) =>
            role !== 'Artifact' &&
            x > picture.x + picture.width &&
            y > picture.y - 1 &&
            y < picture.y + picture.height + 16,
        );
        return beside.map(({ text }) => text);
      });
    expect(picturesAtLeft(page)).toBe(true);
    expect(cards[1]).toEqual(
      expect.arrayContaining([
        ...['2291 kWh', '24 Oct 2026, 10:01 BST', 'Serial number', 'S-2', 'Location', 'Hall cupboard'],
        ...['Supplier', 'Northern', 'Register', 'Day', 'Additional Comment', 'Key on the ledge.'],
      ]),
    );
    expect(page.content).toMatch(/\/F\d+ 22 Tf/);
    expect(stampsIn(pdf)).toHaveLength(3);
    expect(pdf.text).not.toContain('Meter  Reading');
  });

  it('without a reading stands across the page with its time, and with a short remark beside that', async () => {
    const bare = await draw({ photographs: shots('Gas Meter', 'Kitchen') });
    expect(bare.text).toContain('Photograph 1  24 Oct 2026, 10:00 BST');
    expect(picturesAtLeft(pageWith(bare, 'Gas Meter'))).toBe(false);
    const noted = await draw({
      photographs: shots('Gas Meter'),
      remarks: [{ areaName: 'Gas Meter', text: 'Key on the ledge.' }],
    });
    expect(picturesAtLeft(pageWith(noted, 'Key on the ledge.'))).toBe(true);
  });

  it('has no remark on its card that was recorded under another name', async () => {
    const pdf = await draw({
      photographs: shots('Electricity Meter', 'Electricity meter garage'),
      facts: [
        fact('Electricity Meter', 'reading', { value: '0001' }, ['photograph-1']),
        fact('Electricity meter garage', 'reading', { value: '0002' }, ['photograph-2']),
      ],
      remarks: [{ areaName: 'Electricity Meter', text: 'Seal broken.' }],
    });
    const { x } = textOn(pageWith(pdf, 'Seal broken.'), 'Seal broken.');
    expect(x).toBe(PAGE.left);
  });

  const picturesAtLeft = ({ pictures: drawn }: PdfPageContent): boolean =>
    drawn.every(({ x, width }) => x + width <= PAGE.left + 225);

  it('prints each further photograph with its time, its long remark in full below, and a reading without one in a table', async () => {
    const remark = 'Behind the door. '.repeat(60).trim();
    const pdf = await draw({
      photographs: shots('Gas Meter', 'Gas Meter', 'Gas Meter', 'Gas Meter'),
      facts: [
        fact('Gas Meter', 'reading', { value: '2291', register: 'Night' }, ['photograph-2']),
        fact('Water Meter', 'reading', { value: '9'.repeat(400) }),
        fact('Gas Meter', 'reading', { value: 'x'.repeat(300) }),
      ],
      remarks: [{ areaName: 'Gas Meter', text: remark }],
    });
    expect(stampsIn(pdf)).toHaveLength(4);
    const captions = pdf.pages.flatMap(({ texts }) =>
      texts.filter(({ text }) => /^Photograph \d$/.test(text)).map(({ text }) => text),
    );
    expect(captions).toEqual([1, 2, 3, 4].map((number) => `Photograph ${number}`));
    expect(pdf.text.match(/Behind/g)).toHaveLength(60);
    expect(pdf.text.match(/Additional Comment/g)).toHaveLength(1);
    expect(pdf.text.replace(/\s/g, '')).toContain('9'.repeat(20));
    const texts = pdf.pages.flatMap((page) => page.texts.map(({ text }) => text)).join('');
    expect(texts.match(/9/g)!.length).toBeGreaterThanOrEqual(400);
    expect(texts.match(/x{5,}/g)!.join('').length).toBeGreaterThanOrEqual(300);
  });
});

describe('keys and alarms', () => {
  it('print how many were returned and the result in words, and a name once', async () => {
    const pdf = await draw({
      photographs: shots('Kitchen'),
      facts: [
        fact('Keys', 'keys', { kind: 'Front door', count: 3, returned: 2 }),
        fact('Smoke alarm', 'alarm', { kind: 'Smoke alarm', tested: true, result: 'Sounded at once' }),
      ],
    });
    const lines = pdf.pages.flatMap((page) => page.lines);
    expect(lines).toEqual(expect.arrayContaining(['Keys  Count  Returned  Photographs', 'Front door  3  2']));
    expect(lines).toContain('Smoke alarm  Yes  Sounded at once');
    expect(pdf.text).not.toMatch(/Smoke alarm\s+Smoke alarm/i);
  });
});

describe('the layout compact', () => {
  it('sets photographs that no observation cites three a row, the others two, in order', async () => {
    const input = {
      photographs: shots(...Array.from({ length: 9 }, () => 'Hall')),
      facts: [
        fact('Hall', 'observation', { item: 'Door', condition: 'poor' }, ['photograph-4', 'photograph-5']),
      ],
    } as const;
    const compact = await draw({ ...input, settings: { layout: 'compact' } });
    const rows = (pdf: PdfContent) =>
      pdf.pages.flatMap(({ texts }) => {
        const found = new Map<number, number>();
        for (const { text, y } of texts)
          if (/^Photograph \d/.test(text)) found.set(y, (found.get(y) ?? 0) + 1);
        return [...found.values()];
      });
    expect(rows(compact)).toEqual([3, 2, 3, 1]);
    expect(rows(await draw(input))).toEqual([2, 2, 2, 2, 1]);
    const captions = compact.pages.flatMap(({ texts }) =>
      texts.filter(({ text }) => /^Photograph \d/.test(text)).map(({ text }) => text),
    );
    expect(captions).toEqual(Array.from({ length: 9 }, (_, at) => `Photograph ${at + 1}`));
    const page = compact.pages.find(({ texts }) => texts.some(({ text }) => text === 'Photograph 1'))!;
    const ends = page.texts.filter(({ role, text }) => role === 'Caption' && / BST$/.test(text));
    for (const { x } of ends) expect(x).toBeLessThan(PAGE.width - PAGE.right - 40);
  });
});

describe('bad input', () => {
  it('of ten thousand observations in one area, one of them very long, and odd names, loses nothing', async () => {
    const odd = ['<b>x</b>', 'ＦＵＬＬ width', '__proto__', '—', ' '.repeat(3) + 'x', 'قفل', 'a'.repeat(500)];
    const facts = Array.from({ length: 10_000 }, (_, at) =>
      fact(
        'Kitchen',
        'observation',
        {
          item: at < odd.length ? odd[at]! : `Item ${at}`,
          condition: 'good',
          ...(at === 5_000 ? { description: 'Swollen. '.repeat(1_111).slice(0, 10_000) } : {}),
        },
        at % 100 === 0 ? ['photograph-1'] : [],
      ),
    );
    const pdf = await draw({ photographs: shots('Kitchen'), facts });
    const items = pdf.pages.flatMap(({ texts }) =>
      texts.filter(({ role, text }) => role === 'TH' && /^Item \d/.test(text)).map(({ text }) => text),
    );
    expect(items).toEqual(Array.from({ length: 9_993 }, (_, at) => `Item ${at + 7}`));
    expect(pdf.text.match(/Swollen\./g)).toHaveLength(1_111);
    expect(pdf.text).toContain('<b>x</b>');
    expect(pdf.text.match(/Photograph 1\b/g)).toHaveLength(1);
  });
});
