import type { InspectionReport } from '../../../inspection/report/inspection-report.js';
import { type Block, child, type StructureElement } from '../definition.js';
import { BODY, CONTENT_WIDTH, LABEL, PALETTE, VALUE } from '../look.js';
import { type Bookmark, heading, paragraph } from '../parts.js';

const FOUND = 'This report records the property as found at the inspection.';
const FOUND_BY_TENANT =
  'This report records the property as the tenant found and photographed it in a guided self inspection.';
const DECLARATION =
  'Each photograph is shown in full with its own date and time (UK time). By signing, each party confirms that they ' +
  'have read the report. Any disagreement should be noted in writing and attached to it.';
const LINE_WIDTH = 300;
const DATE_LINE = 340;
const BLOCK_HEIGHT = 236;

/**
 * Builds the declaration and the signature lines (contract section 6, rule 4): the clerk's with the inspector's name, one for
 * each tenant or a blank one, and the agent's if a company is named.
 */
export function declarationSection(
  { declaration, cover: { guided } }: InspectionReport,
  own: Bookmark,
  root: StructureElement,
): Block[] {
  const parent = child(root, 'Sect');
  const { clerk, tenants, agent, withdrawn } = declaration;
  return [
    heading({ bookmark: own, parent, keep: BLOCK_HEIGHT }),
    paragraph(parent, `${guided ? FOUND_BY_TENANT : FOUND} ${DECLARATION}`, BODY),
    ...(withdrawn === undefined ? [] : [paragraph(parent, withdrawnNote(withdrawn), BODY)]),
    ...signature('Clerk', clerk, parent),
    ...(tenants.length === 0 ? [undefined] : tenants).flatMap((name) => signature('Tenant', name, parent)),
    ...(agent === undefined ? [] : signature('Agent', agent, parent)),
  ];
}

const withdrawnNote = (count: number): string =>
  count === 1
    ? '1 photograph was withdrawn. It is stored but not printed.'
    : `${count} photographs were withdrawn. They are stored but not printed.`;

function signature(role: string, name: string | undefined, parent: StructureElement): Block[] {
  const line = { type: 'rect', y: 0, h: 0.7, color: PALETTE.ink } as const;
  const lines = [
    { ...line, x: 0, w: LINE_WIDTH },
    { ...line, x: DATE_LINE, w: CONTENT_WIDTH - DATE_LINE },
  ];
  const lead = { value: `${role} signature`, style: LABEL, width: DATE_LINE };
  return [
    { canvas: lines, margin: [0, 44, 0, 3], keep: 90 },
    paragraph(parent, 'Date', LABEL, [0, 0, 0, 0], { lead }),
    ...(name === undefined
      ? []
      : [paragraph(parent, name, VALUE, [0, 0, 0, 0], { oneLine: { upTo: 40, smallest: 7 } })]),
  ];
}
