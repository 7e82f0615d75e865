import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FactInput, ReportInput } from '../src/inspection/report/report-input.js';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import { reportJob } from './support/draw-report.js';
import { type PdfContent, readPdf } from './support/read-pdf.js';
import { casePictures } from './support/report-cases.js';
import { NOW, photographs, reportInput } from './support/report-input.js';

const { KEEP_REPORTS } = process.env;
const YEAR = 365 * 86_400_000;

type Said = Pick<FactInput, 'kind' | 'areaName' | 'fact'> & {
  of?: number[];
  areaType?: FactInput['areaType'];
};

const shots = (...areas: string[]) =>
  photographs(areas.map((areaName) => ({ areaName, rendition: 'landscape', width: 640, height: 480 })));
const facts = (...said: Said[]): FactInput[] =>
  said.map(({ of = [], areaType = 'room', ...rest }, index) => ({
    ...{ id: `fact-${index + 1}`, areaType, recordedAt: NOW, ...rest },
    photographs: of.map((place) => `photograph-${place}`),
  }));
const hob = (condition: string, description: string, of: number[]): Said => ({
  ...{ kind: 'observation', areaName: 'Kitchen', of },
  fact: { item: 'Hob', condition, description },
});
const service = { areaType: 'service' } as const;
const reading = (value: string, of: number[]): Said => ({
  ...{ kind: 'reading', areaName: 'Gas Meter', of, ...service },
  fact: { value, unit: 'm³' },
});
const keys = (count: number): Said => ({ kind: 'keys', areaName: 'Keys', ...service, fact: { kind: 'Front door', count } }); // prettier-ignore
const alarm = (tested: boolean): Said => ({
  ...{ kind: 'alarm', areaName: 'Detectors', ...service },
  fact: { kind: 'Smoke alarm', place: 'Landing', tested },
});

describe('the differences page of a comparison', () => {
  const renderer = new PdfRenderer();
  const folder = mkdtempSync(join(tmpdir(), 'comparison-differences-'));
  let pictures: Map<string, string>;
  beforeAll(async () => (pictures = await casePictures(join(folder, 'pictures'))));
  afterAll(async () => {
    await renderer.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function draw(name: string, one: Partial<ReportInput>, other: Partial<ReportInput>) {
    const meta = { address: 'Flat 4, 27 Marlborough Road, London' };
    const before = reportInput({ ...one, meta: { ...meta, reportType: 'checkin', ...(one.meta as object) } });
    const after = reportInput({
      ...{ ...other, reportId: '019b8cd0-10aa-7c44-8a01-77d0c95e12f3', now: NOW + YEAR },
      meta: { ...meta, reportType: 'checkout', ...(other.meta as object) },
    });
    const details = { type: 'comparison', before: before.reportId, after: after.reportId };
    const outputPath = join(folder, `${name}.pdf`);
    const contents = { details, now: NOW, reports: [before, after] };
    await renderer.render(reportJob({ contents, pictures, outputPath }));
    if (KEEP_REPORTS) copyFileSync(outputPath, join(KEEP_REPORTS, `${name}.pdf`));
    const page = execFileSync('pdftotext', ['-layout', '-f', '2', '-l', '2', outputPath, '-'], { encoding: 'utf8' }); // prettier-ignore
    return { pdf: readPdf(outputPath), page };
  }

  /** The texts of the page's rows by column; a row begins with its area. */
  function rowsOf({ pages }: PdfContent): string[][] {
    const { texts } = pages[1]!;
    const heads = ['Area', 'Check-in', 'Check-out', 'Landlord/agent', 'Tenant'].map(
      (head) => texts.find(({ role, text }) => role === 'TH' && text === head)!.x,
    );
    const cells = texts.filter(({ role }) => role === 'TD' || role === 'P');
    const head = Math.max(...texts.filter(({ role }) => role === 'TH').map(({ y }) => y));
    const starts = cells.filter(({ role, x, y }) => role === 'TD' && x === heads[0] && y > head);
    return starts.map(({ y }, row) => {
      const inRow = cells.filter((cell) => cell.y > y - 1 && cell.y < (starts[row + 1]?.y ?? Infinity) - 1);
      return heads.map((left, column) =>
        inRow
          .filter(({ x }) => x > left - 1 && x < (heads[column + 1] ?? Infinity) - 1)
          .map(({ text }) => text)
          .join(' ')
          .replace(/ +/g, ' '),
      );
    });
  }

  it('follows the cover, and states if nothing differs', async () => {
    const same = {
      photographs: shots('Gas Meter', 'Kitchen', 'Kitchen'),
      facts: facts(reading('4021', [1]), hob('good', 'Clean.', [2]), keys(2), alarm(true)),
      remarks: [{ areaName: 'Kitchen', text: 'Hob clean.' }],
    };
    const { pdf, page } = await draw('equal', same, same);
    expect(pdf.bookmarks.slice(0, 2)).toEqual(['What Differs', 'Contents']);
    expect(page).toContain('What Differs');
    expect(page).toContain('The two reports have the same areas and agree on items');
    expect(page).not.toMatch(/Hob|4021|Landlord/);
  });

  it('quotes both reports with their own numbers, and leaves space for the view of both parties', async () => {
    const { pdf, page } = await draw(
      'differing',
      {
        photographs: shots('Gas Meter', 'Kitchen', 'Kitchen', 'Kitchen', 'Bathroom'),
        facts: facts(reading('4021', [1]), hob('good', 'Clean.', [2, 3]), hob('fair', 'Ring loose.', []), keys(4), alarm(true)), // prettier-ignore
        remarks: [{ areaName: 'Kitchen', text: 'Window painted shut.' }],
      },
      {
        photographs: shots('Gas Meter', 'Kitchen', 'Loft', 'Loft'),
        facts: facts(reading('5133', [1]), hob('fair', 'Ring loose.', []), hob('poor', 'Two rings do not light.', [2]), keys(3), alarm(false)), // prettier-ignore
        meta: { skippedAreas: 'water-meter' },
      },
    );
    expect(page).toMatch(/Area +Check-in +Check-out +Landlord\/agent +Tenant/);
    expect(rowsOf(pdf)).toEqual([
      ['Gas Meter Reading', '4021 m³ Photograph 1', '5133 m³ Photograph 1', '', ''],
      ['Water Meter', 'Not in this report', 'Reported absent', '', ''],
      ['Keys Front door', '4', '3', '', ''],
      ['Detectors Smoke alarm', 'Landing, tested: Yes', 'Landing, tested: No', '', ''],
      ['Kitchen Hob', 'Good. Clean. Photographs 2, 3', 'Poor. Two rings do not light. Photograph 2', '', ''],
      ['Kitchen Photographs without counterpart', '3, 4', '—', '', ''],
      ['Kitchen Remarks', 'Window painted shut.', '—', '', ''],
      ['Bathroom', '1 photograph', 'Not in this report', '', ''],
      ['Loft', 'Not in this report', '2 photographs', '', ''],
    ]);
    expect(page).not.toMatch(/damage|fault|blame|liab|charge/i);
  });

  it('continues over pages with the same head, and states how many differences follow after a thousand', async () => {
    const many = (word: string) => ({
      photographs: shots('Kitchen'),
      facts: facts(
        ...Array.from({ length: 1_200 }, (_, index): Said => ({
          ...{ kind: 'observation', areaName: 'Kitchen' },
          fact: { item: `Item ${index + 1}`, description: word },
        })),
      ),
      remarks: Array.from({ length: 40 }, (_, index) => ({
        areaName: 'Kitchen',
        text: `${word} remark of some length, number ${index}`,
      })),
    });
    const { pdf } = await draw('large', many('Whole.'), many('Cracked.'));
    const contents = pdf.pages.findIndex(({ lines }) => lines.includes('Contents'));
    expect(contents).toBeGreaterThan(40);
    const pages = pdf.pages.slice(1, contents);
    for (const { texts } of pages.slice(0, -1))
      expect(texts.filter(({ text }) => text === 'Landlord/agent')).toHaveLength(1);
    const text = pages.map(({ lines }) => lines.join('\n')).join('\n');
    expect(text.match(/Whole\. {2}Cracked\./g)).toHaveLength(1_000);
    expect(text).toContain('201 more are listed under their areas.');
  });
});
