import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameIn, readable } from '../scripts/verify/pdf/values.mjs';
import { areaNamed } from '../src/inspection/areas/classify-area.js';
import type { FactInput, ReportInput } from '../src/inspection/report/report-input.js';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import { reportJob } from './support/draw-report.js';
import { type PdfContent, readPdf } from './support/read-pdf.js';
import { type PdfStructure, readStructure } from './support/read-structure.js';
import { casePictures } from './support/report-cases.js';
import { NOW, photographs, reportInput } from './support/report-input.js';

const renderer = new PdfRenderer();
const folder = mkdtempSync(join(tmpdir(), 'report-links-'));
let pictures: Map<string, string>;
beforeAll(async () => (pictures = await casePictures(folder)));
afterAll(async () => {
  await renderer.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Drawn {
  readonly pdf: PdfContent;
  readonly structure: PdfStructure;
  readonly links: readonly FoundLink[];
}

/** A link within the document, with the place to which it leads. Pages are counted from 0, points from the top. */
interface FoundLink {
  readonly page: number;
  readonly left: number;
  readonly top: number;
  readonly words: string;
  readonly toPage: number;
  readonly toTop: number;
}

async function draw(input: Partial<ReportInput>): Promise<Drawn> {
  const contents = {
    details: { type: 'inspection', sessionId: 'links' },
    now: NOW,
    reports: [reportInput(input)],
  };
  const outputPath = join(folder, 'report.pdf');
  await renderer.render(reportJob({ contents, pictures, outputPath }));
  const [pdf, structure] = [readPdf(outputPath), readStructure(outputPath)];
  return { pdf, structure, links: linksOf(structure) };
}

function linksOf({ file, catalogue }: PdfStructure): FoundLink[] {
  const pageOf = new Map(file.pages.map(({ ref }, page) => [(ref as { num: number }).num, page]));
  const heights = file.pages.map(({ dict }) => (file.list(dict.get('MediaBox'))[3] as number) ?? 0);
  const names = file.dict(file.dict(catalogue.get('Names'))?.get('Dests'));
  const places = new Map<string, readonly unknown[]>();
  const walk = (node: ReadonlyMap<string, unknown>): void => {
    const list = file.list(node.get('Names'));
    for (let at = 0; at + 1 < list.length; at += 2)
      places.set(readable(file.follow(list[at])) ?? '', file.list(list[at + 1]));
    for (const kid of file.list(node.get('Kids'))) walk(file.dict(kid)!);
  };
  walk(names!);
  return file.pages.flatMap(({ dict }, page) =>
    file.list(dict.get('Annots')).flatMap((annotation) => {
      const link = file.dict(annotation)!;
      const dest = link.get('Dest');
      if (nameIn(link.get('Subtype')) !== 'Link' || dest === undefined) return [];
      const place = places.get(readable(file.follow(dest)) ?? '');
      if (!place) throw new Error(`a link leads nowhere: ${readable(file.follow(dest))}`);
      const [target, , , y] = place as [{ num: number }, unknown, unknown, number];
      const toPage = pageOf.get(target.num)!;
      const [left, , , top] = file.list(link.get('Rect')) as number[];
      return {
        ...{ page, left: left!, top: heights[page]! - top! },
        words: readable(file.follow(link.get('Contents'))) ?? '',
        ...{ toPage, toTop: heights[toPage]! - y },
      };
    }),
  );
}

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

/** Returns the number of the photograph whose caption is the first below a place. */
function photographAt({ pdf }: Drawn, page: number, top: number): string | undefined {
  const captions = pdf.pages[page]!.texts.filter(({ text, y }) => /^Photograph \d+/.test(text) && y > top);
  return captions.sort((one, other) => one.y - other.y)[0]?.text;
}

describe('the number of a photograph in a table', () => {
  let report: Drawn;
  beforeAll(async () => {
    report = await draw({
      photographs: shots('Hall', 'Hall', 'Kitchen', 'Kitchen', 'Kitchen', 'Keys'),
      facts: [
        fact('Kitchen', 'observation', { item: 'Hob', condition: 'poor' }, ['photograph-3', 'photograph-5']),
        fact('Kitchen', 'observation', { item: 'Worktop, left' }, ['photograph-5']),
        fact('Keys', 'keys', { kind: 'Front door' }, ['photograph-6']),
      ],
    });
  });

  it('links to that photograph, each number of a list to its own', () => {
    const cited = report.links.filter(({ words }) => /^Photograph \d+$/.test(words));
    expect(cited.map(({ words }) => words)).toEqual(expect.arrayContaining(['Photograph 4', 'Photograph 6']));
    expect(cited.some(({ words }) => words === 'Photograph 1')).toBe(true);
    const rows = new Map<string, number>();
    for (const { words, toPage, toTop, page, top } of cited) {
      const { pictures: drawn } = report.pdf.pages[toPage]!;
      expect(drawn.some(({ y }) => y >= toTop)).toBe(true);
      const captions = report.pdf.pages[toPage]!.texts.map(({ text }) => text);
      expect(captions).toContain(words);
      expect(photographAt(report, toPage, toTop)).toBeDefined();
      rows.set(`${page} ${top}`, (rows.get(`${page} ${top}`) ?? 0) + 1);
    }
    expect([...rows.values()]).toContain(2);
  });

  it('is linked in its caption, with the items that it shows, back to the first row that cites it', () => {
    const captions = report.pdf.pages.flatMap(({ texts }) =>
      texts.filter(({ role, text }) => /^(Link|Caption)$/.test(role) && /^(Photograph| ·)/.test(text)),
    );
    expect(captions.map(({ text }) => text)).toEqual([
      ...['Photograph 1', ' · Front door', 'Photograph 2', 'Photograph 3', 'Photograph 4', ' · Hob'],
      ...['Photograph 5', 'Photograph 6', ' · Hob, Worktop, left'],
    ]);
    const back = report.links.filter(({ words }) => / in its table$/.test(words));
    expect(back.map(({ words }) => /\d+/.exec(words)?.[0])).toEqual(['1', '4', '6']);
    const rowAt = ({ toPage, toTop }: FoundLink) =>
      report.pdf.pages[toPage]!.texts.filter(({ role, y }) => role === 'TH' && y > toTop)[0]?.text;
    expect(back.map(rowAt)).toEqual(['Front door', 'Hob', 'Hob']);
    const whole = report.structure.all.filter(({ role }) => role === 'Caption').map(({ text }) => text);
    expect(whole[3]).toBe('Photograph 4 · Hob 24 Oct 2026, 10:02 BST');
  });

  it('stands in a Link of its own within its cell, whose text stays whole', () => {
    const cells = report.structure.all.filter(({ role, text }) => role === 'TD' && text === '4, 6');
    expect(cells.length).toBeGreaterThan(0);
    for (const { kids } of cells)
      expect(kids.map(({ role, text, annotations }) => [role, text, annotations])).toEqual([
        ['Link', '4', 1],
        ['Link', '6', 1],
      ]);
  });
});

describe('a grade', () => {
  it('is in a tag that shows in black and white: outlined, and filled under white letters for the gravest', async () => {
    const words = ['good', 'fair', 'poor', 'damaged'];
    const { pdf } = await draw({
      photographs: shots('Kitchen'),
      facts: words.map((condition) =>
        fact('Kitchen', 'observation', { item: `The ${condition} one`, condition }),
      ),
    });
    const page = pdf.pages.find(({ texts }) => texts.some(({ text }) => text === 'The good one'))!;
    for (const condition of words) {
      const word = `${condition.charAt(0).toUpperCase()}${condition.slice(1)}`;
      const row = page.texts.find(({ text }) => text === `The ${condition} one`)!;
      const grade = page.texts.find(({ text, y }) => text === word && y === row.y)!;
      expect([word, grade.role]).toEqual([word, 'TD']);
      const tag = [
        ...page.content.matchAll(/([\d. ]+ (?:RG 0\.7 w|rg)) ([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re (f|S)/g),
      ]
        .map(([, colour, x, y, width, height, paint]) => ({
          ...{ colour: colour!, paint },
          ...{ x: Number(x), y: Number(y), width: Number(width), height: Number(height) },
        }))
        .find(
          ({ x, y, width, height }) =>
            x < grade.x && x + width > grade.x && y < grade.y && y + height > grade.y,
        )!;
      expect([word, tag.paint]).toEqual([word, /Poor|Damaged/.test(word) ? 'f' : 'S']);
      expect(tag.x).toBeGreaterThan(grade.x - 8);
      if (tag.paint === 'f') expect(luminance(tag.colour)).toBeLessThan(0.35);
    }
  });
});

/** The lightness of a colour in a grey print. */
const luminance = (operands: string): number => {
  const [red = 0, green = 0, blue = 0] = operands.split(' ').map(Number);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
};
