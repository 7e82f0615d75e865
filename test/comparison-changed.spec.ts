import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FactInput, ReportInput } from '../src/inspection/report/report-input.js';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import type { NamedPair } from '../src/pdf/templates/comparison/comparison-report.js';
import { reportJob } from './support/draw-report.js';
import { type PdfContent, readPdf } from './support/read-pdf.js';
import { casePictures } from './support/report-cases.js';
import { NOW, photographs, reportInput } from './support/report-input.js';

const YEAR = 365 * 86_400_000;

type Recorded = Pick<FactInput, 'kind' | 'areaName' | 'fact'> & {
  shown?: number[];
  areaType?: FactInput['areaType'];
};

const shots = (...areas: string[]) =>
  photographs(areas.map((areaName) => ({ areaName, rendition: 'landscape', width: 640, height: 480 })));
const facts = (...recorded: Recorded[]): FactInput[] =>
  recorded.map(({ shown = [], areaType = 'room', ...rest }, index) => ({
    ...{ id: `fact-${index + 1}`, areaType, recordedAt: NOW, ...rest },
    photographs: shown.map((place) => `photograph-${place}`),
  }));
const item = (name: string, fact: FactInput['fact'], shown: number[] = []): Recorded => ({
  ...{ kind: 'observation', areaName: 'Kitchen', shown },
  fact: { item: name, ...fact },
});

describe('the changes in a comparison', () => {
  const renderer = new PdfRenderer();
  const folder = mkdtempSync(join(tmpdir(), 'comparison-changed-'));
  let pictures: Map<string, string>;
  beforeAll(async () => (pictures = await casePictures(join(folder, 'pictures'))));
  afterAll(async () => {
    await renderer.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function draw(one: Partial<ReportInput>, other: Partial<ReportInput>, pairs?: NamedPair[]) {
    const meta = { address: 'Flat 4, 27 Marlborough Road, London' };
    const before = reportInput({ ...one, meta: { ...meta, reportType: 'checkin', ...(one.meta as object) } });
    const after = reportInput({
      ...{ ...other, reportId: '019b8cd0-10aa-7c44-8a01-77d0c95e12f3', now: NOW + YEAR },
      meta: { ...meta, reportType: 'checkout', ...(other.meta as object) },
    });
    const sides = { before: before.reportId, after: after.reportId };
    const details = { type: 'comparison', ...sides, ...(pairs ? { pairs } : {}) };
    const outputPath = join(folder, 'comparison.pdf');
    const contents = { details, now: NOW, reports: [before, after] };
    const { reportWarnings } = await renderer.render(reportJob({ contents, pictures, outputPath }));
    return { pdf: readPdf(outputPath), warnings: reportWarnings };
  }

  const pagesBefore = ({ pages }: PdfContent, heading: string) =>
    pages.slice(1, pages.findIndex(({ lines }) => lines.includes(heading)) + 1);
  const textOf = (pages: PdfContent['pages']) => pages.map(({ lines }) => lines.join('\n')).join('\n');

  it('follow the cover, and it states if there are none', async () => {
    const same = {
      photographs: shots('Kitchen', 'Kitchen'),
      facts: facts(item('Hob', { condition: 'good', description: 'Clean.' }, [1])),
      remarks: [{ areaName: 'Kitchen', text: 'Hob clean.' }],
    };
    const { pdf } = await draw(same, same);
    expect(pdf.bookmarks.slice(0, 2)).toEqual(['Changed', 'Contents']);
    expect(pdf.pages[1]!.lines).toContain('Changed');
    expect(pdf.pages[1]!.lines.join('\n')).toContain(
      'The two reports have the same areas and agree on items',
    );
    expect(pdf.text).not.toMatch(/not mentioned|Photographs without counterpart|Only at/);
    const alone = await draw(same, { ...same, photographs: shots('Kitchen', 'Kitchen', 'Loft') });
    expect(alone.pdf.text).toContain('Nothing that both reports describe differs.');
  });

  it('are found under the names that the caller pairs; a wrong pair gives a warning', async () => {
    const [before, after] = [
      { facts: facts(item('Hob', { condition: 'good' })) },
      { facts: facts(item('Cooking plate', { condition: 'damaged' })) },
    ];
    const apart = await draw(before, after);
    expect(apart.pdf.text).toContain('Hob (Good)');
    expect(apart.pdf.text).toContain('Cooking plate (Damaged)');
    const paired = await draw(before, after, [
      { before: 'hob', after: 'Cooking-plate' },
      { before: 'Sink', after: 'Basin' },
    ]);
    const page = textOf(pagesBefore(paired.pdf, 'Contents'));
    expect(page).toMatch(/^Hob$/m);
    expect(page).toContain('Good → Damaged');
    expect(page).toContain('Cooking plate at check-out');
    expect(paired.warnings.map(({ code, path }) => [code, path])).toEqual([
      ['pair_not_found', 'source.pairs[1].before'],
      ['pair_not_found', 'source.pairs[1].after'],
    ]);
  });

  it('print one photograph of each side once more, which counts and is listed as evidence once', async () => {
    const one = item('Hob', { condition: 'good' }, [2]);
    const other = item('Hob', { condition: 'poor' }, [1]);
    const { pdf } = await draw(
      { photographs: shots('Kitchen', 'Kitchen'), facts: facts(one) },
      { photographs: shots('Kitchen'), facts: facts(other) },
    );
    const objects = pdf.dictionaries.match(/\/Subtype \/Image/g)!;
    const drawn = pdf.pages.flatMap(({ content }) => content.match(/\/I\d+ Do/g) ?? []);
    expect(objects).toHaveLength(1);
    expect(drawn).toHaveLength(5);
    expect(pdf.alternatives.filter((text) => text.startsWith('Check-in: Photograph 2,'))).toHaveLength(2);
  });

  it('say the type of both reports, and their order where both are of one type', async () => {
    const labels = async (...types: [string, string]) => {
      const [one, other] = types.map((reportType) => ({ meta: { reportType } })) as [object, object];
      const { pdf } = await draw(one, other);
      return [pdf.pages[0]!.lines.find((line) => line.startsWith('Comparison')), pdf.pages[2]!.lines.at(-1)];
    };
    expect(await labels('interim', 'checkout')).toEqual([
      'Comparison of Interim and Check-Out',
      expect.stringContaining('Interim 24 Oct 2026 · Check-out 24 Oct 2026'),
    ]);
    expect(await labels('checkin', 'visit')).toEqual([
      'Comparison of Check-In and Inspection',
      expect.stringContaining('Check-in 24 Oct 2026 · Inspection 24 Oct 2026'),
    ]);
    const [title, foot] = await labels('interim', 'interim');
    expect(title).toBe('Comparison of Two Interim Inspection Reports');
    expect(foot).toMatch(
      /^First interim 24 Oct 2026 · 2B7A9E40 {2}Page .* {2}Second interim 24 Oct 2026 · C95E12F3$/,
    );
  });

  it('has the days of longer inspections in the footer, beside the page’s number', async () => {
    const over = (days: number) =>
      photographs([
        { areaName: 'Hall', rendition: null },
        { areaName: 'Hall', rendition: null, capturedAt: Date.UTC(2026, 9, 24 + days, 9) },
      ]);
    const foot = async (one: number, other: number) =>
      (await draw({ photographs: over(one) }, { photographs: over(other) })).pdf.pages[1]!.lines.at(-1);
    expect(await foot(2, 0)).toMatch(/^Check-in 24–26 Oct 2026 · Check-out 24 Oct 2026 {2}Page/);
    expect(await foot(9, 70)).toMatch(
      /^Check-in 24 Oct – 2 Nov 2026 · 2B7A9E40 {2}Page .* {2}Check-out 24 Oct 2026 – 2 Jan 2027 · C95E12F3$/,
    );
  });

  it('of ten thousand things on either side are drawn in time, a thousand of them listed', async () => {
    const many = (condition: string) => ({
      photographs: shots('Kitchen'),
      facts: facts(
        ...Array.from({ length: 10_000 }, (_, index) =>
          item(
            `Item ${index + 1}`,
            index % 4 === 0 ? { condition } : { condition: 'good', description: 'As ever.' },
            [1],
          ),
        ),
      ),
    });
    const { pdf } = await draw(many('good'), many('poor'));
    expect(textOf(pagesBefore(pdf, 'Contents')).match(/Good → Poor/g)).toHaveLength(1_000);
    expect(pdf.text).toContain('1500 more changes are listed under their areas.');
    expect(pdf.text.match(/Good → Poor/g)).toHaveLength(3_500);
    expect(pdf.text.match(/ever\.\)/g)!.length).toBeGreaterThan(7_000);
  });
});
