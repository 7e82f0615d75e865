import type { Block, PlainVector, StructureElement } from './definition.js';
import { child } from './definition.js';
import { BODY, LABEL, NOTE, VALUE } from './look.js';
import { heading, paragraph } from './parts.js';

const TITLE = 'How to check this report';

const SEALED =
  'This report is sealed. Whoever changes one byte of it breaks the seal, with any tool. Signatures and comments that ' +
  'are added later stand beside what was sealed and leave it as it is. Anybody can check that, without an account and ' +
  'without giving the file to anybody.';

const STEPS = [
  '1. Ask whoever made this report for the fingerprint of their key, on another way than the report came: by ' +
    'telephone, or on their own web site. It is the one below, digit by digit.',
  '2. Open the page /verify of the service that made the report and choose this file. It is read in the browser and ' +
    'sent nowhere. On a page /verify of somebody else, give it the fingerprint that you were told.',
  '3. The page says “Unaltered” only where the seal is by a key that it was told to trust and fits the file, and ' +
    'tells who signed or commented later, and of each photograph whether it is the recorded one.',
];

const WARNING =
  'A fingerprint that stands in a file proves nothing by itself, and neither does its QR code: whoever changes a file ' +
  'can print another. What counts is the one that the maker tells you.';

const CODE_SIZE = 132;

/** Black squares of a QR code: rows of equal length, true is black. */
export type CodeSquares = readonly (readonly boolean[])[];

/** The last page: how a reader checks the report, with the fingerprint of the key that seals it, in digits and as a QR code. */
export function checkPage(fingerprint: string, squares: CodeSquares, root: StructureElement): Block[] {
  const parent = child(root, 'Sect');
  return [
    heading({ bookmark: { id: 'check', title: TITLE }, parent, keep: 0, pageBreak: true }),
    paragraph(parent, SEALED, BODY, [0, 0, 0, 10]),
    ...STEPS.map((step) => paragraph(parent, step, BODY, [0, 0, 0, 8])),
    paragraph(parent, 'Fingerprint of the key (SHA-256)', LABEL, [0, 14, 0, 0]),
    paragraph(parent, fingerprint, VALUE, [0, 0, 0, 12], { oneLine: { upTo: 64, smallest: 8 } }),
    { canvas: bars(squares), margin: [0, 0, 0, 12] },
    paragraph(parent, WARNING, NOTE),
  ];
}

/** Squares that touch in a row are one bar; it reaches a little into the next row, so that no seam shows. */
function bars(squares: CodeSquares): PlainVector[] {
  const size = CODE_SIZE / squares.length;
  return squares.flatMap((row, y) => {
    const starts = row.flatMap((isBlack, x) => (isBlack && row[x - 1] !== true ? [x] : []));
    return starts.map((x) => {
      const end = row.findIndex((isBlack, at) => at > x && !isBlack);
      const w = ((end < 0 ? row.length : end) - x) * size;
      return { type: 'rect', x: x * size, y: y * size, w, h: size + 0.05, color: '#000000' } as const;
    });
  });
}
