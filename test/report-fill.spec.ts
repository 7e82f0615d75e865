import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ReportInput } from '../src/inspection/report/report-input.js';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import { CONTENT_WIDTH, PAGE } from '../src/pdf/templates/look.js';
import { reportJob } from './support/draw-report.js';
import { emptyFeet, laidOut, mean } from './support/laid-out.js';
import { type PdfContent, readPdf } from './support/read-pdf.js';
import { casePictures } from './support/report-cases.js';
import { NOW, photographs, reportInput } from './support/report-input.js';

type Size = readonly [width: number, height: number];
const L: Size = [1280, 960];
const P: Size = [960, 1280];
const W: Size = [1280, 720];

/** Areas and the sizes of their photographs. */
type Property = readonly (readonly [area: string, sizes: readonly Size[]])[];
const many = (count: number): Size[] =>
  Array.from({ length: count }, (_, index) => [L, L, P, L, W][index % 5]!);

/** The inspection that `npm run demo` plays. */
const DEMO: Property = [
  ['Hallway', [P]], ['Kitchen', [L, L]], ['Living room', [L, L]], ['Bedroom 1', [L, L]], ['Bathroom', [L]],
  ['Rear garden', [L]], ['Electric meter', [P]], ['Gas meter', [L]], ['Keys', [L]], ['Smoke alarm', [L]],
]; // prettier-ignore
const FLAT: Property = [
  ['Hallway', many(3)], ['Kitchen', many(5)], ['Living room', many(4)], ['Bedroom', many(4)], ['Bathroom', many(3)],
  ['Balcony', many(2)], ['Electric meter', [P]], ['Water meter', [L, L]], ['Keys', many(3)], ['Smoke alarm', [L]],
]; // prettier-ignore
const HOUSE: Property = [
  ...['Hallway', 'Kitchen', 'Dining room', 'Living room', 'Study', 'Utility', 'Landing', 'Bedroom 1', 'Bedroom 2', 'Bedroom 3', 'Bathroom', 'Loft', 'WC']
    .map((room, index) => [room, many(3 + ((index * 5) % 9))] as const),
  ['Rear garden', many(5)], ['Garage', many(3)], ['Electric meter', [P, P]], ['Gas meter', [L]],
  ['Water meter', [L]], ['Keys', many(2)], ['Smoke alarm', many(3)],
]; // prettier-ignore
const REMARKS = {
  Kitchen: ['Worktop scratched, left of the sink.'],
  'Living room': ['Scuff beside the radiator.'],
};

describe('the pages of a report', () => {
  const renderer = new PdfRenderer();
  let folder: string;
  let pictures: Map<string, string>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'report-fill-'));
    pictures = await casePictures(folder);
    for (const [name, width, height] of [['tiny', 64, 48], ['big', 1280, 960], ['strip', 1500, 500], ['upright', 960, 1280]] as const) {
      const path = join(folder, `${name}.jpg`);
      await sharp({ create: { width, height, channels: 3, background: '#6a8a9a' } }).jpeg().toFile(path);
      pictures.set(name, path);
    } // prettier-ignore
  });
  afterAll(async () => {
    await renderer.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const shot = (areaName: string, [width, height]: Size, rendition = 'big', caption?: string) => ({
    ...{ areaName, width, height, rendition },
    ...(caption === undefined ? {} : { caption }),
  });

  it.each([
    ['the demo', DEMO],
    ['a flat', FLAT],
    ['a house', HOUSE],
  ])('of %s are filled: their feet are empty by 8 % at most on average', (_, property) => {
    const shots = property.flatMap(([area, sizes]) => sizes.map((size) => shot(area, size)));
    const meta = { address: '14 Acacia Avenue', reportType: 'checkin', areaComments: REMARKS };
    const reports = [reportInput({ meta, photographs: photographs(shots) })];
    const contents = { details: { type: 'inspection', sessionId: 'fill' }, now: NOW, reports };
    const feet = emptyFeet(laidOut(contents, pictures));
    expect(Math.min(...feet)).toBeGreaterThan(-0.001);
    expect(mean(feet)).toBeLessThan(0.08);
  });

  async function draw(
    shots: ReturnType<typeof shot>[],
    more: Partial<ReportInput> = {},
  ): Promise<PdfContent> {
    const outputPath = join(folder, 'drawn.pdf');
    const reports = [reportInput({ photographs: photographs(shots), ...more })];
    const contents = { details: { type: 'inspection', sessionId: 'fill' }, now: NOW, reports };
    await renderer.render(reportJob({ contents, pictures, outputPath }));
    return readPdf(outputPath);
  }
  const placed = (pdf: PdfContent) => pdf.pages.flatMap((page) => page.pictures);

  it('enlarge no picture beyond 150 dots per inch', async () => {
    const [tiny, beside, alone] = placed(
      await draw([shot('Hall', [64, 48], 'tiny'), shot('Hall', L), shot('Loft', [64, 48], 'tiny')]),
    );
    expect([tiny!.width, tiny!.height]).toEqual([30.72, 23.04]);
    expect([alone!.width, alone!.height]).toEqual([30.72, 23.04]);
    expect(beside!.width).toBeGreaterThan(200);
  });

  it('give a panorama and the last photograph of an odd number the full width', async () => {
    const pdf = await draw([
      shot('Hall', L),
      shot('Hall', [1500, 500], 'strip'),
      shot('Hall', L),
      shot('Hall', L),
    ]);
    const [left, strip, one, other] = placed(pdf);
    expect(strip!.width).toBeCloseTo(CONTENT_WIDTH, 0);
    expect(left!.width).toBeGreaterThan(one!.width);
    expect(left!.x + left!.width / 2).toBeCloseTo(PAGE.width / 2, 0);
    expect(one!.y).toBe(other!.y);
  });

  it.each([
    ['the last is upright', [L, L, P], [0]],
    ['one in the middle can stand alone', [P, P, L, P, P], [2]],
    ['only those can that would part a pair', [P, L, P], [2]],
    ['several can', [L, P, L, L, L], [4]],
    ['a panorama parts them', [L, P, P, [1500, 500] as Size, P, P, L], [0, 3, 6]],
    ['they are even', [P, L, L, P], []],
  ])('let a square photograph stand alone, in order, where %s', async (_, sizes, alone) => {
    const shapes = new Map([[P, 'upright'], [L, 'big']]); // prettier-ignore
    const pdf = await draw(sizes.map((size) => shot('Hall', size, shapes.get(size) ?? 'strip')));
    const tops = pdf.pages.flatMap(({ texts }, page) =>
      texts.filter(({ role, text }) => role === 'Caption' && text.startsWith('Photograph ')).map(({ text, y }) => ({ text, row: `${page} ${y}` })),
    ); // prettier-ignore
    expect(tops.map(({ text }) => text)).toEqual(sizes.map((_size, at) => `Photograph ${at + 1}`));
    const stands = (at: number) => tops.filter(({ row }) => row === tops[at]!.row).length === 1;
    expect(sizes.flatMap((_size, at) => (stands(at) ? [at] : []))).toEqual(alone);
  });

  it('let an upright photograph that stands alone grow with the space on its page', async () => {
    const [alone] = placed(await draw([shot('Hall', P, 'upright')]));
    expect(alone!.height).toBeGreaterThan(245);
  });

  it('have each caption under its own picture', async () => {
    const captions = ['Crack above the window', 'Scratched worktop', 'Label of the boiler'];
    const pdf = await draw(captions.map((caption) => shot('Hall', L, 'big', caption)));
    const page = pdf.pages.find(({ pictures: own }) => own.length > 0)!;
    captions.forEach((caption, index) => {
      const picture = page.pictures[index]!;
      const text = page.texts.find((one) => one.text === caption)!;
      expect(text.role).toBe('Caption');
      expect(text.y).toBeGreaterThan(picture.y + picture.height);
      expect(text.y).toBeLessThan(picture.y + picture.height + 45);
      const column = index === 1 ? PAGE.width / 2 : PAGE.left;
      expect(Math.abs(text.x - column)).toBeLessThan(10);
    });
  });
});
