import type { DocumentDefinition, SetText } from '../../templates/definition.js';
import { HIGHEST_ROW, PAGE } from '../../templates/look.js';
import { TABLE_LAYOUTS } from '../../templates/table-layouts.js';
import type { PdfDocument } from '../file/pdf-document.js';
import {
  type LaidOutPage,
  LayoutBuilderBase,
  type LayoutNode,
  tableLayouts,
  type TableNode,
  type TableProcessor,
} from '../file/pdfmake-parts.js';
import type { FontLibrary } from '../text/font-library.js';
import { fillPage, spreadCover } from './fill-page.js';
import { LeanTable } from './lean-table.js';
import { lineItem } from './placed-line.js';
import { rowsTogether } from './rows-together.js';
import { SetLines } from './set-lines.js';

type Node = Record<string, unknown> & {
  set?: SetText;
  keep?: number;
  id?: string;
  pageBreak?: 'before' | undefined;
  onCover?: number;
  _margin?: Margin | null;
  stack?: Node[];
  _minHeight?: number;
};
type Margin = [left: number, top: number, right: number, bottom: number];

/** Returns the pages of a definition, and its blocks by id. The document is used for measuring and not drawn into. */
export function layOut(
  definition: DocumentDefinition,
  document: PdfDocument,
  library: FontLibrary,
): {
  pages: readonly LaidOutPage[];
  nodesById: ReadonlyMap<string, LayoutNode>;
} {
  const margins = {
    left: PAGE.left,
    top: PAGE.top,
    right: PAGE.right,
    bottom: PAGE.bottom,
  };
  const layout = new Layout(
    library,
    { width: PAGE.width, height: PAGE.height, orientation: 'portrait' },
    margins,
  );
  layout.registerTableLayouts(tableLayouts);
  layout.registerTableLayouts(TABLE_LAYOUTS);
  const pages = layout.layoutDocument([...definition.content], document, {}, {});
  if (pages[0]) spreadCover(pages[0]);
  pages.forEach((page, index) => fillPage(page, index + 1 === pages.length));
  return { pages, nodesById: layout.nodesById };
}

/**
 * pdfmake's layout with the service's own type setter, which wraps a node with `set` while it is placed. So any text is laid
 * out in linear time and breaks over pages line by line, at least two lines to a page. `keep` moves a block to the next page
 * if this one has too little space left. A row of a table breaks over pages only if it is very high; its last two rows, and
 * its head and first row, stand together. No page is left empty.
 */
class Layout extends LayoutBuilderBase {
  readonly nodesById = new Map<string, LayoutNode>();
  private readonly settings = new Map<Node, SetLines>();

  constructor(
    private readonly library: FontLibrary,
    pageSize: object,
    pageMargins: object,
  ) {
    super(pageSize, pageMargins, {});
  }

  override tryLayoutDocument(...parameters: unknown[]): unknown {
    const { docMeasure } = this;
    const measureLeaf = docMeasure.measureLeaf.bind(docMeasure);
    docMeasure.measureLeaf = (node) => (node.set ? measured(node) : measureLeaf(node));
    return super.tryLayoutDocument(...parameters);
  }

  override processNode(node: Node, isVerticalAlignmentAllowed = false): void {
    if (node.onCover !== undefined && this.writer.context().page === 0) this.standOnCover(node, node.onCover);
    else if (node.pageBreak === 'before') this.breakPage(node);
    else if (node.keep !== undefined && node.keep > this.writer.context().availableHeight)
      this.writer.moveToNextPage();
    if (node.keep !== undefined) this.dropDistance(node);
    this.linearNodeList.length = 0;
    const below = this.writer.context().snapshots.length === 0 ? takeBottom(node) : 0;
    super.processNode(node, isVerticalAlignmentAllowed);
    // pdfmake would begin a new page for a distance that does not fit on this one.
    if (below > 0) this.writer.context().moveDown(Math.min(below, this.writer.context().availableHeight));
  }

  override processLeaf(node: Node): void {
    const { set } = node;
    if (!set) return super.processLeaf(node);
    const { writer } = this;
    const { availableWidth } = writer.context();
    const lines = this.linesOf(node, set, availableWidth);
    this.settings.delete(node);
    if (node.id !== undefined) this.nodesById.set(node.id, node as unknown as LayoutNode);
    while (lines.left(1) > 0) {
      const { availableHeight, y, pageMargins } = writer.context();
      if (linesTogether(lines) * lines.lineHeight > availableHeight && y > pageMargins.top)
        writer.moveToNextPage();
      const isFirst = lines.first;
      const placed = { set, size: lines.size, first: isFirst, line: lines.take()!, width: availableWidth };
      const line = lineItem(placed, node as unknown as LayoutNode);
      const position = writer.addLine(line);
      if (node.id !== undefined) (node.positions as object[]).push(position);
      settleHeight(writer.context());
    }
  }

  override processTable(node: TableNode): void {
    const { headerRows, body, widths } = node.table;
    const { writer } = this;
    const table = new LeanTable(node);
    table.beginTable(writer);
    const together = rowsTogether(body, headerRows, (row) => this.rowHeight(node, table, row));
    if (headerRows === 0) {
      // pdfmake prints nothing of an unbreakable row that is higher than a page.
      node.table.dontBreakRows = body.every((_, row) => together.stands(row));
      return super.processTable(node);
    }
    this.nestedLevel += 1;
    const hasRows = headerRows < body.length;
    let joinedTo = hasRows && together.stands(headerRows) ? together.endOf(headerRows) : headerRows - 1;
    table.rowsWithoutPageBreak = joinedTo + 1;
    let isOpen = false;
    for (const [row, cells] of body.entries()) {
      table.dontBreakRows = row >= headerRows && together.stands(row);
      if (row > joinedTo) {
        joinedTo = together.endOf(row);
        isOpen = joinedTo > row;
        if (isOpen) writer.beginUnbreakableBlock();
      }
      table.beginRow(row, writer);
      const { pageBreaks } = this.processRow({
        marginX: node._margin ? [node._margin[0], node._margin[2]] : [0, 0],
        ...{
          dontBreakRows: table.dontBreakRows,
          rowsWithoutPageBreak: table.rowsWithoutPageBreak,
        },
        ...{
          cells,
          widths,
          gaps: node._offsets.offsets,
          tableBody: body,
          tableNode: node,
          rowIndex: row,
        },
      });
      table.endRow(row, writer, pageBreaks);
      if (isOpen && row === joinedTo) writer.commitUnbreakableBlock();
    }
    table.endTable(writer);
    this.nestedLevel -= 1;
    if (this.nestedLevel === 0) writer.context().resetMarginXTopParent();
  }

  /** Returns the height of a row, or Infinity if it is very high. */
  private rowHeight(node: TableNode, { layout }: TableProcessor, row: number): number {
    const { body, widths } = node.table;
    const { offsets: gaps } = node._offsets;
    const cells = body[row]!.map((cell, column) => {
      if (cell._span === true) return 0;
      let width = widths[column]!._calcWidth;
      for (let next = column + 1; next < column + ((cell.colSpan as number | undefined) ?? 1); next++)
        width += widths[next]!._calcWidth + gaps[next]!;
      return this.heightOf(cell, width);
    });
    const around =
      layout.paddingTop(row, node) + layout.paddingBottom(row, node) + layout.hLineWidth(row + 1, node);
    return Math.max(...cells) + around;
  }

  private heightOf(node: Node, width: number): number {
    const [left, top, right, bottom] = node._margin ?? [0, 0, 0, 0];
    const inner = width - left - right;
    const height = (): number => {
      if (node.stack) return node.stack.reduce((sum, each) => sum + this.heightOf(each, inner), 0);
      if (!node.set) return node._minHeight ?? Infinity;
      const lines = this.linesOf(node, node.set, inner);
      const most = Math.ceil(HIGHEST_ROW / lines.lineHeight);
      const count = lines.left(most);
      return count === most ? Infinity : count * lines.lineHeight;
    };
    return height() + top + bottom;
  }

  /** Returns the lines of a node, of which some may have been wrapped already to measure it. */
  private linesOf(node: Node, set: SetText, width: number): SetLines {
    const lines = this.settings.get(node) ?? new SetLines(this.library, set, width);
    this.settings.set(node, lines);
    return lines;
  }

  /** Leaves a node on the first page if it fits there. */
  private standOnCover(node: Node, needed: number): void {
    delete node.pageBreak;
    if (needed > this.writer.context().availableHeight) this.writer.moveToNextPage();
  }

  /** Moves to the next page unless this one is empty. */
  private breakPage(node: Node): void {
    delete node.pageBreak;
    if (this.writer.context().getCurrentPage().items.length > 0) this.writer.moveToNextPage();
  }

  /** Removes the upper margin of a block that begins a page. */
  private dropDistance(node: Node): void {
    const { y, pageMargins } = this.writer.context();
    const { _margin: margin } = node;
    if (margin && y <= pageMargins.top) node._margin = [margin[0], 0, margin[2], margin[3]];
  }
}

/**
 * Returns the number of lines that stand on one page with the next one: two at the beginning of a text and at its end, and
 * all of a text of three.
 */
function linesTogether(lines: SetLines): number {
  if (!lines.first) return lines.left(3) === 2 ? 2 : 1;
  const count = lines.left(4);
  return count === 4 ? 2 : count;
}

/** Removes a rounding error from a page that is full: pdfmake would begin another one. */
function settleHeight(context: { availableHeight: number }): void {
  if (context.availableHeight < 0 && context.availableHeight > -0.001) context.availableHeight = 0;
}

/** Removes the lower margin of a block and returns it. */
function takeBottom(node: Node): number {
  const { _margin: margin } = node;
  if (!margin) return 0;
  node._margin = [margin[0], margin[1], margin[2], 0];
  return margin[3];
}

function measured(node: Record<string, unknown>): unknown {
  node._minWidth = 0;
  node._maxWidth = 0;
  return node;
}
