import { type Block, child, type PlainVector, type StructureElement } from './definition.js';
import { BODY, LABEL, NOTE, VALUE } from './look.js';
import { heading, paragraph } from './parts.js';

const TITLE = 'How to check this report';

const SEALED =
  'This report is sealed. Any change to it, even of a single byte, breaks the seal. Signatures and comments that are ' +
  'added later leave the sealed part unchanged. Anyone can check this, without an account and without sending the file ' +
  'to anyone.';

const STEPS = [
  '1. Ask the maker of this report for the fingerprint of their key, by a different route from the report: by ' +
    'telephone, or on their own website. It must match the one below, digit by digit.',
  '2. Open the page /verify of the service that made the report and choose this file. Your browser checks it and sends ' +
    'it nowhere. On the page /verify of another service, enter the fingerprint that the maker gave you.',
  '3. The page says “Unaltered” only if the seal matches the file and was made with a key that the page trusts. It also ' +
    'shows who signed or commented later, and whether each photograph is the recorded one.',
];

const WARNING =
  'A fingerprint printed in a file proves nothing by itself, and neither does its QR code: anyone who changes the file ' +
  'can print another. Only the fingerprint that the maker gives you counts.';

const CODE_SIZE = 132;

/** The squares of a QR code: rows of equal length, true for black. */
export type CodeSquares = readonly (readonly boolean[])[];

/** Builds the last page, which explains how to check the report, with the seal key's fingerprint in digits and as a QR code. */
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

/** Joins adjacent squares of a row into bars, which overlap the next row a little, so that no seam shows. */
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
