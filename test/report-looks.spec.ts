import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { colorOperands } from '../src/pdf/renderer/page/draw-runs.js';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import { PALETTE } from '../src/pdf/templates/look.js';
import { printedAccent } from '../src/pdf/templates/printed-accent.js';
import { reportJob } from './support/draw-report.js';
import { type PdfContent, readPdf } from './support/read-pdf.js';
import { casePictures, readCase } from './support/report-cases.js';

const renderer = new PdfRenderer();
const folder = mkdtempSync(join(tmpdir(), 'report-looks-'));
afterAll(async () => {
  await renderer.close();
  rmSync(folder, { recursive: true, force: true });
});

async function draw(name: string, look: object): Promise<PdfContent> {
  const outputPath = join(folder, 'report.pdf');
  const pictures = await casePictures(join(folder, 'pictures'));
  await renderer.render(reportJob({ contents: { ...readCase(name), ...look }, pictures, outputPath }));
  return readPdf(outputPath);
}

const operatorsOf = ({ pages }: PdfContent): string => pages.map(({ content }) => content).join('\f');
/** Checks words and rules: pdfkit writes the colour of the latter in its own way. */
const paints = (pdf: PdfContent, colour: string): boolean =>
  [`${colorOperands(colour)} rg`, `${exactly(colour)} scn`].some((fill) => operatorsOf(pdf).includes(fill));
const exactly = (colour: string): string =>
  [1, 3, 5].map((at) => String(Number.parseInt(colour.slice(at, at + 2), 16) / 255)).join(' ');
const withoutColours = (pdf: PdfContent): string =>
  operatorsOf(pdf).replaceAll(/[\d.]+ [\d.]+ [\d.]+ (?=rg|scn)/g, '');

describe('a report', () => {
  it.each(['check-in-full', 'comparison'])(
    "has the colour of its flow's brand in the places of the service's own: %s",
    async (name) => {
      const own = await draw(name, {});
      const branded = await draw(name, { look: { layout: 1, colour: '#7a1f3d' } });
      expect([paints(own, PALETTE.accent), paints(own, '#7a1f3d')]).toEqual([true, false]);
      expect([paints(branded, PALETTE.accent), paints(branded, '#7a1f3d')]).toEqual([false, true]);
      expect(withoutColours(branded)).toBe(withoutColours(own));
      expect([branded.roles, branded.text]).toEqual([own.roles, own.text]);
    },
  );

  it('darkens a colour that would be unreadable as text on paper, and no other', async () => {
    const pale = await draw('one-photograph', { look: { layout: 1, colour: '#ffe14d' } });
    expect([paints(pale, '#ffe14d'), paints(pale, printedAccent('#ffe14d'))]).toEqual([false, true]);
  });
});
