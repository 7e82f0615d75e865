import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEWEST_LOOK } from '../src/inspection/report/report-look.js';
import { FileSink } from '../src/pdf/renderer/file/file-sink.js';
import { PdfDocument, type PictureFiles } from '../src/pdf/renderer/file/pdf-document.js';
import type { LaidOutPage } from '../src/pdf/renderer/file/pdfmake-parts.js';
import { layOut } from '../src/pdf/renderer/page/layout.js';
import type { PlacedLine } from '../src/pdf/renderer/page/placed-line.js';
import { FontLibrary } from '../src/pdf/renderer/text/font-library.js';
import { templateNamed } from '../src/pdf/templates.js';
import { PAGE } from '../src/pdf/templates/look.js';
import { linesOn, pagesOfReport } from './support/laid-out.js';
import { casePictures } from './support/report-cases.js';
import { FIRST_INSTANT, NOW, photographs, reportInput } from './support/report-input.js';

/** Pseudo-random numbers, the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const WORDS = ['Flat', '4', 'Marlborough', 'Road', 'St. John’s', 'Upper', 'Slaughter', 'London', 'NW8 0PT'];
const COVERS = 510;

/** An address of any shape (lines, one long line, one long word), and other values, short and long. */
function coverMeta(index: number): Record<string, unknown> {
  const below = numbers(index * 7919 + 17);
  const words = (count: number) => Array.from({ length: count }, () => WORDS[below(WORDS.length)]).join(' ');
  const shapes = [
    () => Array.from({ length: 1 + below(12) }, () => words(1 + below(5))).join('\n'),
    () => words(1 + below(60)),
    () => 'x'.repeat(1 + below(900)),
    () => words(200 + below(400)),
  ];
  const maybe = (value: () => unknown) => (below(4) === 0 ? undefined : value());
  return {
    address: index % 17 === 0 ? undefined : shapes[index % shapes.length]!(),
    company: maybe(() => words(1 + below(below(5) === 0 ? 300 : 6))),
    assessor: maybe(() => words(1 + below(4))),
    tenant: maybe(() => words(1 + below(below(5) === 0 ? 90 : 6))),
    reportType: ['checkin', 'checkout', 'interim', undefined][below(4)],
    guided: below(2) === 0,
    geo: maybe(() => ({ latitude: 51.501364, longitude: -0.14189 })),
    logo: maybe(() => 'logo'),
  };
}

/** Returns the bottom of an item in points from the top of the page. */
function bottomOf(type: string, item: Record<string, unknown>): number {
  const [y, h] = [(item.y ?? item.y2 ?? 0) as number, (item.h ?? item._height ?? 0) as number];
  const { set, size } = (item.placed ?? { set: null, size: 0 }) as {
    set: PlacedLine['set'] | null;
    size: number;
  };
  return type === 'line' && set ? y + size * set.style.lineHeight : y + h;
}

describe('the cover', () => {
  const library = new FontLibrary();
  let folder: string;
  let pictures: PictureFiles;
  let document: PdfDocument;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'report-covers-'));
    pictures = await casePictures(folder);
    const info = { title: 'Covers', keywords: '', language: 'en-GB', createdAt: NOW };
    document = PdfDocument.create(new FileSink(join(folder, 'covers.pdf')), pictures, info);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function pagesOf(type: 'inspection' | 'comparison', meta: object): readonly LaidOutPage[] {
    const details =
      type === 'inspection' ? { type, sessionId: 'covers' } : { type, before: 'one', after: 'other' };
    const reports = [reportInput({ meta, reportId: 'one' }), reportInput({ meta, reportId: 'other' })];
    const contents = { details, now: NOW, reports: type === 'inspection' ? reports.slice(0, 1) : reports };
    const definition = templateNamed(type).build(contents).document({ withLogo: true });
    return layOut(definition, document, library).pages;
  }

  const linesOf = ({ items }: LaidOutPage): PlacedLine[] =>
    items.flatMap(({ type, item }) => (type === 'line' ? [item.placed as PlacedLine] : []));
  const isHeading = ({ node }: PlacedLine): boolean => node?.outline === true;
  /** The first page with a heading: the contents may stand under the cover's values. */
  const holdsContents = (page: LaidOutPage): boolean =>
    ['Contents', 'Changed'].includes(linesOf(page).find(isHeading)?.set.value ?? '');

  it.each(['inspection', 'comparison'] as const)(
    'never leaves an empty page before the contents, whatever its values: %s',
    (type) => {
      let overflowing = 0;
      for (let index = 0; index < (type === 'inspection' ? COVERS : COVERS / 6); index++) {
        const meta = coverMeta(index);
        const pages = pagesOf(type, meta);
        const contents = pages.findIndex(holdsContents);
        if (contents > 1) overflowing++;
        const values = new Set(
          pages
            .slice(0, contents + 1)
            .flatMap(linesOf)
            .map(({ set }) => set.value),
        );
        for (const name of ['address', 'company', 'assessor', 'tenant'])
          if (meta[name] !== undefined)
            expect([index, values.has(meta[name] as string)]).toEqual([index, true]);
        for (const [number, page] of pages.entries()) {
          expect([index, number, linesOf(page).length > 0]).toEqual([index, number, true]);
          const ends = page.items.map(({ type, item }) => bottomOf(type, item));
          expect(Math.max(...ends)).toBeLessThanOrEqual(PAGE.height - PAGE.bottom + 0.5);
        }
      }
      // Some of them need more than a page.
      expect(overflowing).toBeGreaterThan(5);
    },
  );

  it.each([
    ['three lines', 'Flat 4, The Old Brewery\n27 Marlborough Road\nLondon NW8 0PT'],
    ['four lines', 'Flat 4\n27 Marlborough Road\nSt. John’s Wood\nLondon NW8 0PT'],
    ['five lines', 'Flat 4\nThe Old Brewery\n27 Marlborough Road\nSt. John’s Wood\nLondon NW8 0PT'],
    ['140 characters', 'Flat 4, Marlborough Road, '.repeat(6).slice(0, 140)],
  ])(
    'of an address of %s with every other value is one page, followed directly by the second',
    (_, address) => {
      const meta = {
        ...{ address, company: 'Hartwell Lets', assessor: 'Helena Fairweather', tenant: 'Tomasz Wiśniewski' },
        ...{ reportType: 'checkin', guided: true, logo: 'logo' },
        geo: { latitude: 51.501364, longitude: -0.14189 },
      };
      for (const type of ['inspection', 'comparison'] as const) {
        const [cover, next] = pagesOf(type, meta);
        const leads = linesOf(cover!).map(({ set }) => set.lead?.value ?? set.value);
        expect([type, leads.includes('Report reference')]).toEqual([type, true]);
        expect([type, isHeading(linesOf(next!)[0]!)]).toEqual([type, true]);
      }
    },
  );

  const ofRooms = (rooms: readonly string[]): readonly LaidOutPage[] => {
    const meta = { address: '1 High Street', assessor: 'Helena Fairweather', reportType: 'checkin' };
    const shots = photographs(rooms.map((areaName) => ({ areaName, rendition: 'landscape' })));
    const contents = {
      ...{ details: { type: 'inspection', ...{ sessionId: 'covers' } }, now: NOW },
      reports: [reportInput({ meta, photographs: shots })],
    };
    return layOut(templateNamed('inspection').build(contents).document({ withLogo: true }), document, library)
      .pages;
  };
  const headingsOn = (page: LaidOutPage | undefined): string[] =>
    linesOf(page!)
      .filter(isHeading)
      .map(({ set }) => set.value);
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Room ${index + 1}`);

  it.each([
    [1, ['Contents', 'Summary']],
    [12, ['Contents']],
    [60, []],
  ])(
    'contains the contents and then the summary if each fits as a whole, but no room: %d rooms',
    (count, on) => {
      const pages = ofRooms(numbered(count));
      expect(headingsOn(pages[0])).toEqual(on);
      const next = ['Contents', 'Summary', 'Room 1'].find((heading) => !on.includes(heading));
      expect(headingsOn(pages[1])[0]).toBe(next);
    },
  );

  it.each([6, 7, 8, 9])('never has a part of a summary with two days in each of %i rows', (rooms) => {
    const shots = photographs(
      Array.from({ length: 2 * rooms }, (_, at) => ({
        areaName: `Room ${1 + (at % rooms)}`,
        capturedAt: FIRST_INSTANT + at * 60_000 + (at < rooms ? 0 : 86_400_000),
      })),
    );
    const pages = pagesOfReport({ photographs: shots, meta: { address: '1 High Street' } }, pictures);
    expect(pages.map(linesOn).filter((lines) => lines.includes('Status'))).toHaveLength(1);
  });

  it('has the details of the inspection at its foot if nothing follows on it, and the title above the middle', () => {
    const [cover] = ofRooms(numbered(60));
    const lines = cover!.items.filter(({ type }) => type === 'line');
    const foot = Math.max(...lines.map(({ type, item }) => bottomOf(type, item)));
    expect(PAGE.height - PAGE.bottom - foot).toBeLessThan(8);
    const title = lines.find(({ item }) => (item.placed as PlacedLine).set.value === '1 High Street')!;
    expect(title.item.y).toBeLessThan(PAGE.height / 2);
  });

  it('and any report add no page for the space below the last block', () => {
    const room = PAGE.height - PAGE.top - PAGE.bottom;
    for (let h = room - 14; h < room; h += 1) {
      const bar = { type: 'rect', x: 0, y: 0, w: 44, h, color: '#000000' } as const;
      const info = { title: '', keywords: '', language: 'en-GB', createdAt: NOW };
      const footer = () => ({ left: '', centre: '', right: '' });
      const content = [{ canvas: [bar], margin: [0, 0, 0, 12] }] as const;
      const pages = layOut(
        { content, head: '', footer, look: NEWEST_LOOK, structure: { role: 'Document', children: [] }, info },
        document,
        library,
      ).pages;
      expect([h, pages.length]).toEqual([h, 1]);
    }
  });
});
