import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportInput } from '../src/inspection/report/report-input.js';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import { PAGE } from '../src/pdf/templates/look.js';
import { reportJob } from './support/draw-report.js';
import { type PdfContent, type PdfText, readPdf } from './support/read-pdf.js';
import { casePictures } from './support/report-cases.js';
import { NOW, photographs, reportInput } from './support/report-input.js';

const DAY = 86_400_000;

describe('each page after the cover', () => {
  const renderer = new PdfRenderer();
  let folder: string;
  let pictures: Map<string, string>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'report-heads-'));
    pictures = await casePictures(folder);
  });
  afterAll(async () => {
    await renderer.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const of = (areaName: string, count: number) =>
    Array.from({ length: count }, () => ({ areaName, rendition: 'landscape', width: 640, height: 480 }));

  async function draw(reports: ReportInput[]): Promise<PdfContent> {
    const details =
      reports.length === 1
        ? { type: 'inspection', sessionId: 'heads' }
        : { type: 'comparison', before: reports[0]!.reportId, after: reports[1]!.reportId };
    const outputPath = join(folder, 'heads.pdf');
    await renderer.render(reportJob({ contents: { details, now: NOW, reports }, pictures, outputPath }));
    return readPdf(outputPath);
  }

  const headOf = ({ texts }: { texts: readonly PdfText[] }): PdfText[] =>
    texts.filter(({ y }) => y === PAGE.headBaseline);
  const headings = ({ texts }: { texts: readonly PdfText[] }) =>
    texts.filter(({ role }) => role === 'H2' || role === 'H3').map(({ text }) => text);

  const ADDRESS = 'Flat 4\n27 Marlborough Road';
  const shots = [
    ...of('Gas Meter', 1),
    ...of('Water Meter', 12),
    ...of('Kitchen', 20),
    ...of('Patio', 12),
    ...of('Garage', 2),
  ];

  it('names its report, and on a continued section its area, as an artifact', async () => {
    const meta = { address: ADDRESS, areaComments: { Kitchen: ['Clean. '.repeat(900)] } };
    const pdf = await draw([reportInput({ meta, photographs: photographs(shots) })]);
    expect(headOf(pdf.pages[0]!)).toEqual([]);
    const continued: string[] = [];
    let within: string[] = [];
    for (const page of pdf.pages.slice(1)) {
      const [address, area, ...rest] = headOf(page);
      expect([address!.text, address!.x, rest]).toEqual(['Flat 4 27 Marlborough Road', PAGE.left, []]);
      expect(headOf(page).map(({ role }) => role)).toEqual(headOf(page).map(() => 'Artifact'));
      if (area) continued.push(area.text);
      const top = Math.min(...page.texts.filter(({ role }) => role !== 'Artifact').map(({ y }) => y));
      const first = page.texts.find(({ y, role }) => y === top && /^H[23]$/.test(role));
      // A page that a chapter begins needs no area: its heading stands right below.
      if (first?.role === 'H2') expect(area).toBeUndefined();
      else expect(within.some((name) => area!.text.includes(name))).toBe(true);
      within = headings(page).length > 0 ? headings(page) : within;
    }
    expect(continued).toContain('Kitchen, continued');
    expect(continued).toContain('Meters & Keys · Water Meter, continued');
    expect(continued).toContain('External Areas · Patio, continued');
    // The running heads are not tagged as headings.
    const all = pdf.pages.flatMap(headings);
    expect(all.filter((text) => text === 'Kitchen')).toHaveLength(1);
    expect(pdf.bookmarks.filter((text) => text === 'Kitchen')).toHaveLength(1);
  });

  it('names External Areas, not its last room, over the remarks that were merged behind all of them', async () => {
    const remarks = Array.from({ length: 60 }, (_, at) => `Slab ${at} is loose.`);
    const one = reportInput({
      meta: { areaComments: { Patio: remarks } },
      photographs: photographs([...of('Patio', 2), ...of('Garden', 4)]),
    });
    const before = reportInput({ photographs: photographs(of('Garden', 1)) });
    for (const reports of [[one], [{ ...before, reportId: '0199a1f2-7c3e-7b1a-9d55-3f1c2b7a9e41' }, one]]) {
      const { pages } = await draw(reports);
      const within = pages.filter(({ texts }) => texts.some(({ text }) => /^Slab \d+ is loose/.test(text)));
      const goneOn = within.filter(({ texts }) => !headings({ texts }).includes('External Areas')).slice(1);
      expect(goneOn.length).toBeGreaterThan(1);
      for (const page of goneOn) expect(headOf(page).at(-1)!.text).toBe('External Areas, continued');
    }
  });

  it('has the title if there is no address, and truncates anything longer than its line', async () => {
    const untitled = await draw([reportInput({ meta: { reportType: 'interim' } })]);
    expect(headOf(untitled.pages[1]!).map(({ text }) => text)).toEqual(['Interim Inspection Report']);
    const address = 'Marlborough Road '.repeat(400);
    const areaName = `The ${'very '.repeat(50)}long kitchen`;
    const long = await draw([reportInput({ meta: { address }, photographs: photographs(of(areaName, 20)) })]);
    const heads = long.pages.slice(1).map((page) => headOf(page).map(({ text }) => text));
    const last = heads.filter((texts) => texts.length > 2).at(-1)!;
    expect(last[0]).toMatch(/^Marlborough Road Marl/);
    expect(last.filter((text) => text === '…')).toHaveLength(2);
    for (const page of long.pages.slice(1))
      for (const { x } of headOf(page)) expect(x).toBeLessThan(PAGE.width - PAGE.right);
  });

  it.each([
    ['Arabic', 'شارع الحمراء ١٢، بيروت'],
    ['Hebrew', 'רחוב הרצל 12, תל אביב'],
  ])('aligns an address in %s with the right edge, and the area with the left', async (_, address) => {
    const report = (text: string) =>
      reportInput({ meta: { address: text }, photographs: photographs(of('Kitchen', 20)) });
    const short = await draw([report(address)]);
    const heads = short.pages.slice(1).map(headOf);
    const continued = heads.filter((head) => head.some(({ text }) => text === 'Kitchen, continued'));
    expect(continued.length).toBeGreaterThan(0);
    for (const head of continued) {
      expect(head.find(({ text }) => text === 'Kitchen, continued')!.x).toBe(PAGE.left);
      for (const { text, x } of head.filter((one) => one.text !== 'Kitchen, continued'))
        expect([text, x > PAGE.width / 2]).toEqual([text, true]);
    }
    // A truncated address ends on the left.
    const [first] = (await draw([report(`${address} `.repeat(40))])).pages.slice(1).map(headOf);
    const dots = first!.find(({ text }) => text === '…')!;
    const others = first!.filter(({ text }) => text !== '…' && text !== 'Kitchen, continued');
    for (const { x } of others) expect(x).toBeGreaterThan(dots.x);
  });

  it('has the dates of the inspection, like the cover and both sides of a comparison', async () => {
    const two = photographs(of('Kitchen', 2));
    const summer = [{ ...two[0]!, capturedAt: Date.UTC(2026, 9, 24, 22, 59) }, { ...two[1]!, capturedAt: Date.UTC(2026, 9, 24, 23, 1) }]; // prettier-ignore
    const after = reportInput({ photographs: summer });
    const one = await draw([after]);
    expect(one.pages[0]!.lines).toContain('Inspection date  24 Oct 2026 – 25 Oct 2026');
    expect(one.pages[0]!.lines).toContain('Report date  26 Oct 2026');
    const before = reportInput({
      reportId: '0199a1f2-7c3e-7b1a-9d55-3f1c2b7a9e41',
      now: NOW - 300 * DAY,
      photographs: two.map((photograph) => ({ ...photograph, capturedAt: NOW - 302 * DAY })),
    });
    const { pages, text } = await draw([before, after]);
    expect(pages[0]!.lines).toContain('28 Dec 2025  24 Oct 2026 – 25 Oct 2026');
    expect(text).toContain('First inspection  28 Dec 2025  Second inspection  24 Oct 2026 – 25 Oct 2026');
  });
});
