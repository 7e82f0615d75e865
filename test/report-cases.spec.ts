import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import { TEMPLATES, templateNamed } from '../src/pdf/templates.js';
import { PAGE } from '../src/pdf/templates/look.js';
import { CHECK_PAGE, reportJob } from './support/draw-report.js';
import { type PdfContent, type PdfPageContent, type PdfText, readPdf } from './support/read-pdf.js';
import { caseNames, casePictures, CASES, readCase } from './support/report-cases.js';

/**
 * Stored reports, each with the expected positions of its parts. After a deliberate change of the layout: draw them
 * with `KEEP_REPORTS=dir`, look at every page, then update the expectations with `UPDATE_CASES=1`.
 */
const { UPDATE_CASES, KEEP_REPORTS } = process.env;

/** The expectations of a case. None is a coordinate: those are checked against each other. */
interface Expected {
  pages: number;
  fileName: string;
  footer: { left: string; right: string };
  /** Heading and page, in order. */
  headings: [text: string, page: number][];
  /** Caption, page, side of the page, and the heading above it. */
  photographs: [caption: string, page: number, side: 'left' | 'right' | 'middle', area: string][];
  placeholders: number;
}

const renderer = new PdfRenderer();
const folder = mkdtempSync(join(tmpdir(), 'report-cases-'));
afterAll(async () => {
  await renderer.close();
  rmSync(folder, { recursive: true, force: true });
});

async function draw(name: string): Promise<{ pdf: PdfContent; found: Expected }> {
  const contents = readCase(name);
  const { fileName } = templateNamed(contents.details.type).build(contents);
  const outputPath = join(folder, `${name}.pdf`);
  const pictures = await casePictures(join(folder, 'pictures'));
  const outcome = await renderer.render(reportJob({ contents, pictures, outputPath }));
  if (KEEP_REPORTS) copyFileSync(outputPath, join(KEEP_REPORTS, `${name}.pdf`));
  const pdf = readPdf(outputPath);
  return { pdf, found: { ...read(pdf), fileName, placeholders: outcome.undrawn.length } };
}

const MIDDLE = PAGE.width / 2;
const isHeading = ({ role }: PdfText): boolean => role === 'H2' || role === 'H3';
const isCaption = ({ role, text }: PdfText): boolean =>
  /^(Caption|Link)$/.test(role) && text.startsWith('Photograph ');
const isStamp = ({ role, text }: PdfText): boolean => role === 'Caption' && / (BST|GMT)$/.test(text);
/** A heading's first text; its note stands at the right end of the same line. */
const headingsOf = ({ texts }: PdfPageContent): PdfText[] =>
  texts.filter((text) => isHeading(text) && text.x < PAGE.left + 1);
const footerOf = ({ lines }: PdfPageContent): string[] => (lines.at(-1) ?? '').split('  ');

function read(pdf: PdfContent): Omit<Expected, 'fileName' | 'placeholders'> {
  const [left = '', , right = ''] = footerOf(pdf.pages[0]!);
  let area = '';
  const photographs: Expected['photographs'] = [];
  pdf.pages.forEach((page, index) => {
    for (const [at, text] of page.texts.entries()) {
      if (isHeading(text) && text.x < PAGE.left + 1) area = text.text;
      if (!isCaption(text)) continue;
      const stamp = page.texts.slice(at).find(isStamp)!;
      const side = text.x > MIDDLE - 20 ? 'right' : frameRight(stamp) > MIDDLE + 20 ? 'middle' : 'left';
      photographs.push([`${text.text}  ${stamp.text}`, index + 1, side, area]);
    }
  });
  return {
    pages: pdf.pages.length,
    footer: { left, right },
    headings: pdf.pages.flatMap((page, index) =>
      headingsOf(page).map(({ text }): [string, number] => [text, index + 1]),
    ),
    photographs,
  };
}

/** A stamp ends at the right edge of its frame. */
const frameRight = ({ x }: PdfText): number => x + 60;

/** Returns true if the first content under a heading is the head of a table. */
function beginsWithTable({ texts }: PdfPageContent, heading: string): boolean {
  const at = texts.findIndex((text) => isHeading(text) && text.text === heading);
  return texts.slice(at + 1).find(({ role }) => !/^(H\d|Artifact)$/.test(role))?.role === 'TH';
}

it('has a case of each template', () => {
  const drawn = new Set(caseNames.map((name) => readCase(name).details.type));
  expect(TEMPLATES.map(({ id }) => id).filter((id) => !drawn.has(id))).toEqual([]);
});

describe.each(caseNames)('the report of the case %s', (name) => {
  let pdf: PdfContent;
  let found: Expected;
  beforeAll(async () => ({ pdf, found } = await draw(name)));

  it('has its headings, photographs and pages in the expected places', () => {
    const path = join(CASES, name, 'expected.json');
    if (UPDATE_CASES) writeFileSync(path, `${JSON.stringify(found, undefined, 1)}\n`);
    expect(found).toEqual(JSON.parse(readFileSync(path, 'utf8')));
  });

  it('has the footer on every page, with its number', () => {
    pdf.pages.forEach((page, index) => {
      const { left, right } = found.footer;
      expect(footerOf(page)).toEqual([left, `Page ${index + 1} of ${pdf.pages.length}`, right]);
    });
  });

  it('lists every heading in the contents with its true page', () => {
    const listed = new Set(pdf.bookmarks);
    for (const [heading, page] of found.headings.filter(
      ([text]) => text !== 'Contents' && text !== CHECK_PAGE && listed.has(text),
    ))
      expect(pdf.text).toContain(`${heading}  ${page}\n`);
  });

  it('stays within the margins', () => {
    for (const { texts, pictures } of pdf.pages) {
      for (const { x, y, role, text } of texts) {
        expect([text, x]).toEqual([text, expect.any(Number)]);
        expect(x).toBeGreaterThanOrEqual(PAGE.left - 0.5);
        expect(x).toBeLessThan(PAGE.width - PAGE.right);
        if (role !== 'Artifact') expect(y).toBeLessThan(PAGE.height - PAGE.bottom + 2);
      }
      for (const { x, y, width, height } of pictures) {
        expect(x).toBeGreaterThanOrEqual(PAGE.left - 0.5);
        expect(x + width).toBeLessThanOrEqual(PAGE.width - PAGE.right + 0.5);
        expect(y).toBeGreaterThanOrEqual(PAGE.top - 0.5);
        expect(y + height).toBeLessThanOrEqual(PAGE.height - PAGE.bottom + 0.5);
      }
    }
  });

  it('never ends a page with a heading: something of its section stands under it', () => {
    for (const page of pdf.pages) {
      for (const heading of headingsOf(page)) {
        const below = page.texts.filter(({ y, role }) => y > heading.y + 4 && role !== 'Artifact');
        expect([heading.text, below.length]).not.toEqual([heading.text, 0]);
      }
    }
    for (const [heading, page] of found.headings) {
      const first = found.photographs.find(([, , , area]) => area === heading);
      if (first && !beginsWithTable(pdf.pages[page - 1]!, heading))
        expect([heading, first[1]]).toEqual([heading, page]);
    }
  });

  it('prints each picture above its own caption, and no two pictures over each other', () => {
    const logo = found.headings.length > 0 && pdf.pages[0]!.pictures.length > 0 ? 1 : 0;
    const count = pdf.pages.reduce((sum, { pictures }) => sum + pictures.length, 0) - logo;
    expect(count + found.placeholders).toBe(found.photographs.length);
    for (const { texts, pictures } of pdf.pages.slice(1)) {
      const captions = texts.filter(isCaption);
      for (const picture of pictures) {
        const bottom = picture.y + picture.height;
        const own = captions.filter(({ x, y }) => y > bottom && x <= picture.x + 0.5);
        const nearest = own.sort((one, other) => one.y - other.y || other.x - one.x)[0]!;
        // A picture lower than its frame is centred in it.
        expect(nearest.y - bottom).toBeLessThan(120);
        const overlapping = pictures.filter(
          (other) =>
            other !== picture &&
            other.x < picture.x + picture.width && picture.x < other.x + other.width &&
            other.y < bottom && picture.y < other.y + other.height,
        ); // prettier-ignore
        expect(overlapping).toEqual([]);
      }
    }
  });

  it('aligns the two photographs of a row: one baseline, two columns', () => {
    for (const { texts } of pdf.pages) {
      const captions = texts.filter(isCaption);
      for (const right of captions.filter(({ x }) => x > MIDDLE - 20)) {
        expect(right.x).toBeCloseTo(MIDDLE + 7.64, 1);
        const left = captions.filter(({ x, y }) => x < MIDDLE - 20 && Math.abs(y - right.y) < 20);
        for (const { x, y } of left) expect([x, y]).toEqual([PAGE.left, right.y]);
      }
    }
  });
});
