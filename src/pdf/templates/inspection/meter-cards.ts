import type {
  ReportFact,
  ReportPhotograph,
  RoomSection,
} from '../../../inspection/report/inspection-report.js';
import { labelledValues } from '../cover-parts.js';
import type { Block, StructureElement } from '../definition.js';
import { printedWord } from '../fact-words.js';
import { CAPTION_STAMP, METER_READING } from '../look.js';
import { paragraph } from '../parts.js';
import { CAPTION_HEIGHT, captionKeep, elementsOf, photographSpot } from '../photograph-grid.js';
import type { GridPhotograph } from '../photograph-rows.js';

const WIDTH = 224;
/** The height of a card's frame, and the height to which that of an upright picture may grow. */
const HEIGHT = 168;
const MOST_UPRIGHT = 250;
/** Letters of the words of readings that fit beside a photograph, and letters on a line of them. */
const MOST_LETTERS = 240;
const MOST_READINGS = 2;
const LINE_LETTERS = 46;
const LABEL_WIDTH = 84;

/** Readings by the number of the photograph beside which they stand. */
export type ReadingsBeside = ReadonlyMap<number, readonly ReportFact[]>;

/**
 * Returns the readings of a photographed meter by photograph: each beside the first that it cites or, if it cites none, beside
 * the first of its name. Long ones stay in the table.
 */
export function readingsBeside({ photographs, facts }: RoomSection): ReadingsBeside {
  const beside = new Map<number, ReportFact[]>();
  for (const fact of facts) {
    if (fact.kind !== 'reading') continue;
    const cited = photographs.find(({ number }) => fact.photographs.includes(number));
    const named = photographs.find(({ filedUnder }) => filedUnder === fact.filedUnder);
    const photograph = cited ?? (fact.photographs.length === 0 ? named : undefined);
    const there = (photograph && beside.get(photograph.number)) ?? [];
    if (photograph && there.length < MOST_READINGS && lettersOf([...there, fact]) <= MOST_LETTERS)
      beside.set(photograph.number, [...there, fact]);
  }
  return beside;
}

const MEMBERS = [
  ['Serial number', 'serial'],
  ['Location', 'location'],
  ['Supplier', 'supplier'],
  ['Register', 'register'],
] as const;

const lettersOf = (facts: readonly ReportFact[]): number =>
  facts.reduce(
    (sum, { words }) =>
      sum + Object.values(words).reduce<number>((all, word) => all + JSON.stringify(word).length, 0),
    0,
  );

interface Card {
  readonly photograph: GridPhotograph;
  readonly readings: readonly ReportFact[];
  /** Blocks under the readings, and their estimated lines. */
  readonly below: (parent: StructureElement) => readonly Block[];
  readonly belowLines: number;
}

/** Prints a photograph of a meter with its readings, its time and `below` at its right. */
export function meterCard(
  { photograph, readings, below, belowLines }: Card,
  parent: StructureElement,
): Block[] {
  const elements = elementsOf(photograph, parent);
  const upright = photograph.height > photograph.width;
  const lines = readings.reduce((sum, reading) => sum + 2 + labelled(reading).length, belowLines + 1);
  const stretch = upright && lines * 17 < HEIGHT ? MOST_UPRIGHT - HEIGHT : 0;
  const spot = { ...photographSpot({ ...photograph, stamp: '' }, elements), frameHeight: HEIGHT, stretch };
  const frame = { type: 'rect', x: 0, y: 0, w: WIDTH, h: HEIGHT + CAPTION_HEIGHT, photograph: spot } as const;
  const [first, ...others] = readings.map((reading) => readingBlocks(reading, parent));
  const stamp: Block = {
    text: '',
    set: { value: photograph.stamp, style: CAPTION_STAMP, element: elements.caption },
    margin: [0, 0, 0, 6],
  };
  const words = [
    ...(first ? [first[0]!] : []),
    stamp,
    ...(first ?? []).slice(1),
    ...others.flat(),
    ...below(parent),
  ];
  const caption = photograph.caption ?? '';
  return [
    {
      table: {
        headerRows: 0,
        widths: [WIDTH, '*'],
        body: [[{ canvas: [frame] }, { stack: words }]],
      },
      layout: 'sides',
      margin: [0, 0, 0, caption === '' ? 8 : 1],
      keep: Math.max(cardHeight(photograph), lines * 17 + captionKeep(caption)),
    },
    ...(caption === ''
      ? []
      : [
          {
            text: '',
            set: { value: caption, style: CAPTION_STAMP, element: elements.caption },
            margin: [0, 0, 0, 8],
          } as const,
        ]),
  ];
}

/** Returns the height of the card of a photograph without many words, and of the caption that stays with it. */
export const cardHeight = ({ caption = '' }: Pick<GridPhotograph, 'caption'>): number =>
  HEIGHT + CAPTION_HEIGHT + captionKeep(caption);

/** Returns true if a remark is short enough to stand on a card with these readings. */
export const fitsBeside = (text: string, readings: readonly ReportFact[]): boolean =>
  text.length + lettersOf(readings) <= MOST_LETTERS && text.split(/[\n\r\u2028\u2029]/).length <= 4;

export const linesBeside = (text: string): number => 1 + Math.ceil(text.length / LINE_LETTERS);

function readingBlocks(reading: ReportFact, parent: StructureElement): Block[] {
  const { words } = reading;
  const value = [printedWord(words, 'value'), printedWord(words, 'unit')].filter(Boolean).join(' ');
  const oneLine = { oneLine: { upTo: 40, smallest: 11 } };
  const rows = labelled(reading);
  return [
    paragraph(parent, value, METER_READING, [0, 0, 0, 0], oneLine),
    ...(rows.length === 0 ? [] : labelledValues(parent, rows, LABEL_WIDTH)),
  ];
}

const labelled = ({ words }: ReportFact) =>
  MEMBERS.flatMap(([label, member]) => {
    const value = printedWord(words, member);
    return value === '' ? [] : [{ label, value }];
  });

/** Groups consecutive photographs for which a value is equal. */
export function runsBy(
  photographs: readonly ReportPhotograph[],
  valueOf: (photograph: ReportPhotograph) => unknown,
): ReportPhotograph[][] {
  const runs: ReportPhotograph[][] = [];
  for (const photograph of photographs) {
    const run = runs.at(-1);
    if (run && valueOf(run[0]!) === valueOf(photograph)) run.push(photograph);
    else runs.push([photograph]);
  }
  return runs;
}

/** Groups consecutive photographs of one name. */
export const runsOf = (photographs: readonly ReportPhotograph[]): ReportPhotograph[][] =>
  runsBy(photographs, ({ filedUnder }) => filedUnder);
