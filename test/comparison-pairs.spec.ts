import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { PAGE } from '../src/pdf/templates/look.js';
import { RenderFixture } from './fixtures/renders.js';
import { type PdfPageContent, readPdf } from './support/read-pdf.js';
import { samplePhotograph } from './support/sample-photographs.js';

const MIDDLE = PAGE.width / 2;

/** Returns the view of a photograph a year later: darker, from half a step aside. */
async function later(name: string): Promise<Buffer> {
  const { width, height } = await sharp(samplePhotograph(name)).metadata();
  const [left, top] = [Math.round(width * 0.03), Math.round(height * 0.02)];
  return sharp(samplePhotograph(name))
    .extract({ left, top, width: width - 2 * left, height: height - 2 * top })
    .modulate({ brightness: 0.85 })
    .jpeg()
    .toBuffer();
}

const asItWas = (name: string): Promise<Buffer> => sharp(samplePhotograph(name)).jpeg().toBuffer();

describe('the photographs of a comparison', () => {
  const room = new RenderFixture();
  const folder = mkdtempSync(join(tmpdir(), 'comparison-pairs-'));
  beforeAll(() => room.start());
  afterAll(async () => {
    await room.close();
    rmSync(folder, { recursive: true });
  });

  /** Makes a report of one area with its photographs in order, all rotated by `turn` degrees. */
  async function report(reportType: string, pictures: readonly Buffer[], turn?: number): Promise<string> {
    const sessionId = room.session();
    const { body } = await room.client.send('POST', '/api/v1/inspection/capture', {
      ...{ flowId: room.flowId, sessionId, area: 'Living Room' },
      photographs: pictures.map((picture) => ({ data: picture.toString('base64') })),
    });
    for (const { id } of turn === undefined ? [] : (body.recorded as { id: string }[]))
      await room.client.admin('POST', `inspection/photographs/${id}/corrections`, { turn });
    return (await room.render({ sessionId, meta: { reportType } })).body.file.id as string;
  }

  /** The pairs: both captions of each row, or the text of the empty place and the position of its frame. */
  async function rowsOf(before: string, after: string): Promise<[left: string, right: string][]> {
    const source = { type: 'comparison', before, after };
    const made = await room.client.admin('POST', 'pdf/render', { templateId: 'comparison', source });
    expect(made.status).toBe(200);
    const path = join(folder, `${made.body.file.id}.pdf`);
    writeFileSync(path, Buffer.from(await (await fetch(made.body.file.url as string)).arrayBuffer()));
    return readPdf(path).pages.flatMap(rowsOn);
  }

  function rowsOn({ texts, pictures }: PdfPageContent): [string, string][] {
    const captions = texts.filter(({ role, text }) => role === 'Caption' && text.startsWith('Photograph '));
    const empty = texts.filter(({ text }) => text.startsWith('No counterpart'));
    const heights = [...new Set(captions.map(({ y }) => y))];
    return heights.map((height) => {
      const row = pictures.filter(({ y, height: h }) => y + h <= height && y + h > height - 40);
      const top = Math.min(...row.map(({ y }) => y));
      const side = (isHere: (x: number) => boolean): string =>
        [
          ...captions.filter(({ x, y }) => y === height && isHere(x)),
          ...empty.filter(({ x, y }) => y > top && y < height && isHere(x)),
        ]
          .map(({ text }) => text)
          .join('; ');
      return [side((x) => x < MIDDLE - 20), side((x) => x > MIDDLE - 20)];
    });
  }

  it('stand beside those of the same view, in any order, and an empty place is labelled', async () => {
    const views = ['living-room-1', 'kitchen-1', 'hallway', 'bathroom'];
    const before = await report('checkin', await Promise.all(views.map(asItWas)));
    const after = await report(
      'checkout',
      await Promise.all(['bathroom', 'hallway', 'kitchen-1'].map(later)),
    );
    expect(await rowsOf(before, after)).toEqual([
      ['Photograph 2, check-in', 'Photograph 3, check-out'],
      ['Photograph 3, check-in', 'Photograph 2, check-out'],
      ['Photograph 4, check-in', 'Photograph 1, check-out'],
      ['Photograph 1, check-in', 'No counterpart in the check-out'],
    ]);
    expect(await rowsOf(after, before)).toEqual([
      ['Photograph 1, check-out', 'Photograph 4, check-in'],
      ['Photograph 2, check-out', 'Photograph 3, check-in'],
      ['Photograph 3, check-out', 'Photograph 2, check-in'],
      ['No counterpart in the check-out', 'Photograph 1, check-in'],
    ]);
  });

  it('that were rotated since have no likeness, and are paired by position', async () => {
    const before = await report('checkin', [await asItWas('hallway'), await asItWas('bathroom')]);
    const after = await report('checkout', [await later('bathroom'), await later('hallway')], 180);
    expect(await rowsOf(before, after)).toEqual([
      ['Photograph 1, check-in', 'Photograph 1, check-out'],
      ['Photograph 2, check-in', 'Photograph 2, check-out'],
    ]);
  });
});
