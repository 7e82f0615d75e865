import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONDITIONS } from '../src/api/inspection-terms.js';
import { CONDITION_GRADES } from '../src/inspection/facts/grades.js';
import type { EditionInput, FactInput, ReportInput } from '../src/inspection/report/report-input.js';
import { footOf } from '../src/pdf/renderer/page/fill-page.js';
import { PAGE } from '../src/pdf/templates/look.js';
import { emptyFeet, hasPicture, laidOut, linesOn, mean, pagesOfReport, rulesOn } from './support/laid-out.js';
import { caseNames, casePictures, readCase, WHOLE_HOUSE } from './support/report-cases.js';
import { NOW, photographs, reportInput } from './support/report-input.js';

/** Breaks of pages. The reports are laid out only, not drawn. */
const folder = mkdtempSync(join(tmpdir(), 'report-breaks-'));
let pictures: Map<string, string>;
beforeAll(async () => (pictures = await casePictures(folder)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pagesOf = (parts: Partial<ReportInput>) => pagesOfReport(parts, pictures);

/** Cases too short to fill their pages. */
const smallest = ['one-photograph', 'two-portraits', 'three-of-three-shapes', 'clock-change'];

describe.each(caseNames.map((name) => [name, readCase(name)] as const))(
  'the pages of the case %s',
  (name, contents) => {
    it('are filled, and none has three lines or fewer', () => {
      const pages = laidOut(contents, pictures);
      const most = name === WHOLE_HOUSE ? 0.05 : smallest.includes(name) ? 1 : 0.08;
      expect(mean(emptyFeet(pages))).toBeLessThanOrEqual(most);
      // A box to write in counts by its rules.
      for (const page of pages)
        expect(hasPicture(page) || linesOn(page).length + rulesOn(page) > 3).toBe(true);
    });
  },
);

const observed = (item: string, description: string): FactInput => ({
  ...{ id: randomUUID(), kind: 'observation', areaName: 'Kitchen', areaType: 'room' },
  ...{ fact: { item, condition: 'good', description }, photographs: [], recordedAt: NOW },
});

describe('a table', () => {
  const lengths = Array.from({ length: 24 }, (_, at) => 30 + at);
  it.each(lengths)('of %i rows has its last two rows on one page', (length) => {
    const facts = Array.from({ length }, (_, at) =>
      observed(
        `Item ${at + 1}.`,
        at % 3 === 0 ? 'Worn, with marks at the edge and a chip. '.repeat(3) : 'Sound.',
      ),
    );
    const pages = pagesOf({
      photographs: photographs([{ areaName: 'Kitchen', rendition: 'landscape' }]),
      facts,
    });
    const pageOf = (item: string) => pages.findIndex((page) => linesOn(page).includes(item));
    expect(pageOf(`Item ${length}.`)).toBeGreaterThan(0);
    expect(pageOf(`Item ${length}.`)).toBe(pageOf(`Item ${length - 1}.`));
  });

  it('breaks only a row that is very high over pages, and loses none of its words', () => {
    const words = Array.from({ length: 1_400 }, (_, at) => `w${at}.`);
    const facts = [
      ...['Door', 'Walls'].map((item) => observed(item, 'White gloss, sound. '.repeat(12))),
      observed('Floor', words.join(' ')),
      ...['Ceiling', 'Windows'].map((item) => observed(item, 'White emulsion, sound. '.repeat(12))),
    ];
    const pages = pagesOf({ facts });
    const texts = pages.map((page) => linesOn(page).join(' '));
    expect(texts.join(' ').match(/w\d+\./g)).toEqual(words);
    const split = (word: string) => texts.filter((text) => text.includes(word)).length;
    expect([split('gloss'), split('emulsion')]).toEqual([1, 1]);
  });
});

describe('a heading over a table with a high first row', () => {
  const words = 'White gloss, sound but for one chip. '.repeat(20);
  const lengths = Array.from({ length: 34 }, (_, at) => 2 + at);
  const facts = (length: number, outcome: object) => [
    ...Array.from({ length }, (_, at) => observed(`Item ${at + 1}.`, 'Sound.')),
    {
      ...observed('', ''),
      fact: { item: 'Door.', condition: 'poor', description: words, ...outcome },
    },
  ];
  /** The lines under the last such heading on its page, itself included. */
  const linesUnder = (pages: ReturnType<typeof pagesOf>, heading: string): string[] => {
    const lines = pages.map(linesOn).findLast((each) => each.includes(heading)) ?? [];
    return lines.slice(lines.indexOf(heading));
  };

  it.each(lengths)('(after %i rows) stands on the page of that row: Actions', (length) => {
    const pages = pagesOf({ facts: facts(length, { note: words.repeat(2) }) });
    expect(linesUnder(pages, 'Actions')).toContain('Door.');
  });

  it.each(lengths)('(after %i areas) stands on the page of that row: Points to Note', (length) => {
    const areas = Array.from({ length }, (_, at) => ({ areaName: `Room ${at}`, rendition: 'landscape' }));
    const pages = pagesOf({ photographs: photographs(areas), facts: facts(1, {}) });
    expect(linesUnder(pages, 'Points to Note')).toContain('Door.');
  });

  it.each(lengths)('(after %i rows) stands on the page of that row: an area of a comparison', (length) => {
    const door = { item: 'Door.', condition: 'poor', description: words.slice(0, 380) };
    const [before, after] = ['Scratched. ', ''].map((more, at) =>
      reportInput({
        reportId: `report-${at}`,
        photographs: photographs(
          Array.from({ length: 2 }, () => ({ areaName: 'Kitchen', rendition: 'landscape' })),
        ),
        facts: [
          ...Array.from({ length }, (_, item) => observed(`Item ${item}.`, `${more}Sound.`)),
          { ...observed('', ''), areaName: 'Study', fact: { ...door, description: more + door.description } },
        ],
      }),
    );
    const details = { type: 'comparison', ...{ before: 'report-0', after: 'report-1' } };
    const pages = laidOut({ details, now: NOW, reports: [before!, after!] }, pictures);
    expect(linesUnder(pages, 'Study')).toContain('Door.');
  });
});

/** The templates whose reports the parties sign. */
const SIGNED = ['inspection', 'comparison'];

describe('signatures', () => {
  const signedCases = caseNames.filter((name) => SIGNED.includes(readCase(name).details.type));
  it.each(signedCases)('of the case %s stand on one page with the statement that they sign', (name) => {
    const pages = laidOut(readCase(name), pictures).map((page) => linesOn(page).join(' '));
    const signed = pages.filter((text) => /\bDate\b/.test(text) && text.includes('By signing'));
    expect(signed).toHaveLength(1);
    expect(pages.filter((text) => text.includes('By signing, each party confirms'))).toEqual(signed);
  });
});

describe('the box of changes of an edition', () => {
  const text = (words: number, of: string) => Array.from({ length: words }, () => `${of}.`).join(' ');
  it.each([8, 17, 20, 60, 150])('with %i changes fills its pages, and has each of them', (count) => {
    const corrected = Array.from({ length: count }, (_, at): EditionInput['corrected'][number] => {
      const state = (of: string) => ({
        ...({ area: 'Kitchen', areaType: 'room', withdrawn: false } as const),
        text: text(at % 5 === 0 ? 150 : 3, of),
      });
      const [before, after] = [state('old'), state(`new${at}`)];
      return { kind: 'remark', id: `remark-${at}`, reason: 'Heard wrongly.', before, after };
    });
    const pages = pagesOf({
      photographs: photographs([{ areaName: 'Kitchen', rendition: 'landscape' }]),
      edition: {
        ...{ number: 2, replaces: { reportId: 'first', createdAt: NOW }, reason: 'Heard wrongly.' },
        ...{ numbered: ['photograph-1'], metaBefore: {}, corrected },
      },
    });
    expect(linesOn(pages[0]!).join(' ')).toContain('Changed in this edition');
    for (const page of pages.slice(0, -1)) expect(footOf(page)).toBeLessThan(0.2 * PAGE.height);
    const words =
      pages
        .flatMap(linesOn)
        .join(' ')
        .match(/new\d+/g) ?? [];
    expect(new Set(words).size).toBe(count);
  });
});

describe('after a table of any length', () => {
  const lengths = Array.from({ length: 40 }, (_, at) => 1 + at);
  const pagesAfter = (length: number, areas: readonly string[]) =>
    pagesOf({
      photographs: photographs(areas.map((areaName) => ({ areaName, rendition: 'landscape' }))),
      facts: [...CONDITIONS, ...Array.from({ length }, () => 'good')].map((condition, at) => {
        const { fact, ...other } = observed(`Item ${at + 1}.`, 'Seen.');
        return { ...other, fact: { ...fact, condition } };
      }),
      meta: { areaComments: { Study: ['Scuff on the wall beside the radiator.'] } },
      settings: { layout: 'standard', defaultSentence: 'Sound unless stated.' },
    });

  it.each(lengths)('(%i rows) a default sentence has the photographs under it on its page', (length) => {
    const page = pagesAfter(length, ['Kitchen', 'Study', 'Study']).findLast((each) =>
      linesOn(each).includes('Sound unless stated.'),
    );
    const shown = page!.items.filter(({ item }) => 'photograph' in item);
    expect(shown.length).toBeGreaterThanOrEqual(2);
  });

  it.each(lengths)('(%i rows) the glossary stands on one page', (length) => {
    const pages = pagesAfter(length, ['Study', 'Study']).map((each) => linesOn(each).join(' '));
    const meanings = [CONDITION_GRADES.new, CONDITION_GRADES.damaged].map(({ definition }) =>
      pages.findIndex((page) => page.includes(definition)),
    );
    expect(meanings[0]).toBeGreaterThan(0);
    expect(meanings[1]).toBe(meanings[0]);
  });
});

describe('a remark', () => {
  const lengths = Array.from({ length: 40 }, (_, at) => 10 + at);
  it.each(lengths)('of %i lines leaves no single line of it at the foot or head of a page', (length) => {
    const text = Array.from({ length }, (_, at) => `Line ${at + 1}.`).join('\n');
    const pages = pagesOf({ remarks: [{ areaName: 'Kitchen', text }] });
    const counts = pages.map((page) => linesOn(page).filter((line) => line.startsWith('Line ')).length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(length);
    expect(counts).not.toContain(1);
  });
});

describe('columns with a text of 60 short lines', () => {
  const text = Array.from({ length: 60 }, (_, at) => `Line ${at + 1}.`).join('\n');
  const countOn = (pages: ReturnType<typeof pagesOf>, words: RegExp) =>
    pages.flatMap(linesOn).filter((line) => words.test(line)).length;

  it('print the caption of one of two photographs in full', () => {
    const [one, other] = [{ caption: text }, { caption: 'Beside it.' }].map((part) => ({
      ...{ areaName: 'Kitchen', rendition: 'landscape' },
      ...part,
    }));
    const pages = pagesOf({ photographs: photographs([one!, other!]) });
    expect([countOn(pages, /^Line \d+\.$/), countOn(pages, /^Beside it\.$/)]).toEqual([60, 1]);
  });

  it('print the reading on the card of a meter in full', () => {
    const pages = pagesOf({
      photographs: photographs([{ areaName: 'Gas Meter', rendition: 'landscape' }]),
      facts: [
        {
          ...observed('', ''),
          ...{ kind: 'reading', areaName: 'Gas Meter' },
          fact: { value: '7\n'.repeat(60) },
        },
      ],
    });
    // At a glance has it too.
    expect(countOn(pages, /^7$/)).toBe(2 * 60);
  });

  it('print the remarks of both compared reports in full', () => {
    const [before, after] = [text, 'Beside it.'].map((remark, at) =>
      reportInput({ reportId: `report-${at}`, remarks: [{ areaName: 'Kitchen', text: remark }] }),
    );
    const details = { type: 'comparison', ...{ before: 'report-0', after: 'report-1' } };
    const pages = laidOut({ details, now: NOW, reports: [before!, after!] }, pictures);
    expect([countOn(pages, /^Line \d+\.$/), countOn(pages, /^Beside it\.$/)]).toEqual([60, 1]);
  });
});

describe('a caption of several lines', () => {
  const areas = ['Electricity Meter', 'Gas Meter', 'Water Meter'];
  const captioned = (count: number, lines: number, areaOf: (at: number) => string) =>
    photographs(
      Array.from({ length: count }, (_, at) => ({
        ...{ areaName: areaOf(at), rendition: 'landscape' },
        caption: Array.from({ length: lines }, (_, line) => `Line ${line + 1} of ${at + 1}.`).join('\n'),
      })),
    );
  const captionsOn = (page: ReturnType<typeof pagesOf>[number]) =>
    new Set(linesOn(page).flatMap((line) => /^Line \d+ of (\d+)\.$/.exec(line)?.[1] ?? []));
  const picturesOn = ({ items }: ReturnType<typeof pagesOf>[number]) =>
    new Set(
      items.flatMap(({ item }) => {
        const spot = item.photograph as { label?: string } | undefined;
        return spot?.label?.match(/\d+/)?.[0] ?? [];
      }),
    );

  it.each([2, 3, 5, 7, 9, 12, 16, 20, 24, 28, 31])('(%i) is on the page of its picture', (lines) => {
    const pages = pagesOf({ photographs: captioned(14, lines, () => 'Kitchen') });
    for (const page of pages) expect(captionsOn(page)).toEqual(picturesOn(page));
  });

  it.each([1, 2, 3, 5, 7, 9])('(%i) begins on the page of the card of its meter', (lines) => {
    const shown = captioned(15, lines, (at) => areas[Math.floor(at / 5)]!);
    const facts = shown.map(({ id, areaName }, at): FactInput => ({
      ...{ ...observed('', ''), kind: 'reading', areaName, photographs: [id] },
      fact: { value: `00${at}` },
    }));
    const pages = pagesOf({ photographs: shown, facts });
    for (const page of pages)
      for (const picture of picturesOn(page)) expect(linesOn(page)).toContain(`Line 1 of ${picture}.`);
  });

  it('is on the page of its picture in a comparison', () => {
    const shown = captioned(12, 5, () => 'Kitchen');
    const sides = [1, 2].map((side) => reportInput({ reportId: `report-${side}`, photographs: shown }));
    const details = { type: 'comparison', ...{ before: 'report-1', after: 'report-2' } };
    const pages = laidOut({ details, now: NOW, reports: sides }, pictures);
    for (const page of pages) expect(captionsOn(page)).toEqual(picturesOn(page));
  });
});
