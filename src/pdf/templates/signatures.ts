import type { Declaration } from '../../inspection/report/inspection-report.js';
import type { Block, PlainVector, StructureElement } from './definition.js';
import { BODY, CONTENT_WIDTH, LABEL, PALETTE, VALUE } from './look.js';
import { paragraph } from './parts.js';

/** The people who sign a report. */
export type Signatories = Pick<Declaration, 'clerk' | 'tenants' | 'agent'>;

const COMMENTS = "Tenant's comments";
const COMMENT_LINES = 6;
const COMMENT_LINE_HEIGHT = 20;
/** Distances between the frame of the box and its rules, left and right together. */
const INSET = 13;
const BOX_HEIGHT = 36 + COMMENT_LINES * COMMENT_LINE_HEIGHT;
const LINE_WIDTH = 300;
const DATE_LINE = 340;
/** Height of the statement above the lines, of two lines. */
const STATEMENT_HEIGHT = 50;
/** Space to sign, and the height of a line with its label and name. */
const ROOM_TO_SIGN = 38;
const SIGNATURE_HEIGHT = ROOM_TO_SIGN + 34;
/** Signatures that stay on one page with their statement. */
const MOST_TOGETHER = 6;

/** Points that must follow a heading above the comments and signatures: those of a paragraph. */
export const SIGNATURES_KEEP = 60;

/**
 * Builds the ruled box `Tenant's comments`, the statement that is signed, and the signature lines (contract section 6, rule 4):
 * the clerk's, one for each tenant or a blank one, and the agent's if a company is named. The lines follow the statement, so
 * that they never stand alone on a page.
 */
export function signatures(
  { clerk, tenants, agent }: Signatories,
  statement: string,
  parent: StructureElement,
): Block[] {
  const lines: readonly (readonly [role: string, name: string | undefined])[] = [
    ['Clerk', clerk],
    ...(tenants.length === 0 ? [undefined] : tenants).map((name) => ['Tenant', name] as const),
    ...(agent === undefined ? [] : [['Agent', agent] as const]),
  ];
  const together = lines.length <= MOST_TOGETHER ? lines.length : 1;
  return [
    commentsBox(parent),
    {
      ...paragraph(parent, statement, BODY, [0, 16, 0, 0]),
      keep: STATEMENT_HEIGHT + together * SIGNATURE_HEIGHT,
    },
    ...lines.flatMap(([role, name]) => signature(role, name, { parent, keep: SIGNATURE_HEIGHT })),
  ];
}

function commentsBox(parent: StructureElement): Block {
  const rules = Array.from({ length: COMMENT_LINES }, (_, line): PlainVector => ({
    ...{ type: 'rect', x: 0, y: (line + 1) * COMMENT_LINE_HEIGHT, w: CONTENT_WIDTH - INSET, h: 0.5 },
    color: PALETTE.hairline,
  }));
  const inside: Block = { stack: [paragraph(parent, COMMENTS, LABEL), { canvas: rules }] };
  return {
    table: { headerRows: 0, widths: ['*'], body: [[inside]] },
    layout: 'box',
    margin: [0, 14, 0, 0],
    keep: BOX_HEIGHT,
  };
}

function signature(
  role: string,
  name: string | undefined,
  { parent, keep }: { parent: StructureElement; keep: number },
): Block[] {
  const line = { type: 'rect', y: 0, h: 0.7, color: PALETTE.ink } as const;
  const lines = [
    { ...line, x: 0, w: LINE_WIDTH },
    { ...line, x: DATE_LINE, w: CONTENT_WIDTH - DATE_LINE },
  ];
  const lead = { value: `${role} signature`, style: LABEL, width: DATE_LINE };
  return [
    { canvas: lines, margin: [0, ROOM_TO_SIGN, 0, 3], keep },
    paragraph(parent, 'Date', LABEL, [0, 0, 0, 0], { lead }),
    ...(name === undefined
      ? []
      : [paragraph(parent, name, VALUE, [0, 0, 0, 0], { oneLine: { upTo: 40, smallest: 7 } })]),
  ];
}
