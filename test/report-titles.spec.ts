import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EditionInput, FactInput, ReportInput } from '../src/inspection/report/report-input.js';
import { laidOut, linesOn, pagesOfReport, titleAtFoot } from './support/laid-out.js';
import { casePictures } from './support/report-cases.js';
import { NOW, photographs, reportInput } from './support/report-input.js';

/** Titles stand on the page of what follows them. The reports are laid out only, not drawn. */
const folder = mkdtempSync(join(tmpdir(), 'report-titles-'));
let pictures: Map<string, string>;
beforeAll(async () => (pictures = await casePictures(folder)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pagesOf = (parts: Partial<ReportInput>) => pagesOfReport(parts, pictures);

const observed = (item: string, description: string): FactInput => ({
  ...{ id: randomUUID(), kind: 'observation', areaName: 'Kitchen', areaType: 'room' },
  ...{ fact: { item, condition: 'good', description }, photographs: [], recordedAt: NOW },
});

describe('no page ends with a title', () => {
  const lengths = Array.from({ length: 40 }, (_, at) => 1 + at);
  const sentence = 'Scuffed beside the door, to the left of the window. ';
  const kitchen = photographs([{ areaName: 'Kitchen', rendition: 'landscape' }]);
  const rooms = (count: number) =>
    photographs(Array.from({ length: count }, (_, at) => ({ areaName: `Room ${at}`, rendition: 'wide' })));
  const keys = (count: number): FactInput[] =>
    Array.from({ length: count }, (_, at) => ({
      ...{ ...observed('', ''), kind: 'keys', areaName: 'Keys', areaType: 'service' },
      fact: { kind: `Door ${at}`, count: 1 },
    }));
  const titlesAtFeet = (pages: ReturnType<typeof pagesOf>) =>
    pages.flatMap((page) => titleAtFoot(page) ?? []);

  it.each(lengths)('(%i areas) before guidance alone', (length) => {
    const pages = pagesOf({
      photographs: rooms(length),
      settings: { layout: 'standard', guidance: sentence.repeat(4) },
    });
    expect(titlesAtFeet(pages)).toEqual([]);
  });

  it.each(lengths)('(%i areas) before two documents with long notes', (length) => {
    const documents = ['Lease', 'Inventory'].map((kind) => ({ kind, note: sentence.repeat(5) }));
    expect(titlesAtFeet(pagesOf({ photographs: rooms(length), meta: { documents } }))).toEqual([]);
  });

  it.each(lengths)('(%i areas) before two readings with long words', (length) => {
    const facts = ['Gas Meter', 'Water Meter'].map((areaName): FactInput => ({
      ...{ ...observed('', ''), kind: 'reading', areaName, areaType: 'service' },
      fact: { value: '1', location: sentence.repeat(3), supplier: sentence.repeat(2) },
    }));
    expect(titlesAtFeet(pagesOf({ photographs: rooms(length), facts }))).toEqual([]);
  });

  it.each(lengths)('(%i keys) before the one external area, with a long remark', (length) => {
    const pages = pagesOf({
      photographs: photographs([{ areaName: 'Garden', rendition: 'landscape' }]),
      facts: keys(length),
      remarks: [{ areaName: 'Garden', text: sentence.repeat(10) }],
    });
    expect(titlesAtFeet(pages)).toEqual([]);
  });

  it.each(lengths)('(%i keys) before a remark of three lines', (length) => {
    const remarks = Array.from({ length: 12 }, () => ({ areaName: 'Kitchen', text: sentence.repeat(5) }));
    expect(titlesAtFeet(pagesOf({ facts: keys(length), remarks }))).toEqual([]);
  });

  it.each(lengths)('(%i tenants) before a long change of an edition', (length) => {
    const state = (text: string) => ({ area: 'Kitchen', areaType: 'room', withdrawn: false, text }) as const;
    const edition: EditionInput = {
      ...{ number: 2, replaces: { reportId: 'first', createdAt: NOW }, reason: 'Heard wrongly.' },
      ...{ numbered: ['photograph-1'], metaBefore: {} },
      corrected: [
        {
          ...{ kind: 'remark', id: 'remark-1', reason: 'Heard wrongly.' },
          ...{ before: state('Clean.'), after: state(sentence.repeat(7)) },
        },
      ],
    };
    const tenant = Array.from({ length }, (_, at) => `Tenant ${at}`).join('\n');
    expect(titlesAtFeet(pagesOf({ photographs: kitchen, meta: { tenant }, edition }))).toEqual([]);
  });

  it.each(lengths)('(%i changes) before a long list of what one of two reports mentions', (length) => {
    const sides = ['Scratched.', 'Sound.'].map((words, side) =>
      reportInput({
        reportId: `report-${side}`,
        photographs: kitchen,
        facts: [
          ...Array.from({ length }, (_, at) => observed(`Item ${at}.`, words)),
          ...Array.from({ length: 60 }, (_, at) => observed(`Only in report ${side}, item ${at}.`, words)),
        ],
      }),
    );
    const details = { type: 'comparison', ...{ before: 'report-0', after: 'report-1' } };
    expect(titlesAtFeet(laidOut({ details, now: NOW, reports: sides }, pictures))).toEqual([]);
  });

  const compared = (parts: (side: number) => Partial<ReportInput>) => {
    const sides = [0, 1].map((side) => reportInput({ reportId: `report-${side}`, ...parts(side) }));
    const details = { type: 'comparison', ...{ before: 'report-0', after: 'report-1' } };
    const pages = laidOut({ details, now: NOW, reports: sides }, pictures).map(linesOn);
    /** The lines under the last such title on its page. */
    return (title: string) => {
      const lines = pages.findLast((each) => each.includes(title))!;
      return lines.slice(lines.indexOf(title)).join(' ');
    };
  };

  it.each(lengths)('(%i changes) before the remarks alone of an area in a comparison', (length) => {
    const under = compared((side) => ({
      photographs: kitchen,
      facts: Array.from({ length }, (_, at) => observed(`Item ${at}.`, ['Scratched.', 'Sound.'][side]!)),
      remarks: ['Study', 'Garden'].map((areaName) => ({ areaName, text: `Noted. ${sentence.repeat(10)}` })),
    }));
    expect(under('Study')).toContain('Noted.');
    expect(under('External Areas')).toContain('Noted.');
  });

  it.each(lengths)('(%i rooms) before the key details alone of a comparison', (length) => {
    const keyDetails = { numberOfKeys: 'Three.', takenFrom: sentence.repeat(6) };
    const under = compared(() => ({ photographs: rooms(length), meta: { keyDetails } }));
    expect(under('Keys')).toContain('Three.');
  });
});
