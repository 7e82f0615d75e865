import { type LayoutWriter, TableProcessorBase } from '../file/pdfmake-parts.js';

/**
 * pdfmake's table, without spans over rows and borders of single cells: a rule is one line over the width of the table, and a row
 * that is laid out is released, so that a long table does not hold its cells beside its lines.
 */
export class LeanTable extends TableProcessorBase {
  override drawHorizontalLine(
    line: number,
    writer: LayoutWriter,
    y?: number | null,
    moveDown = true,
    page?: number | null,
  ): void {
    const { layout, tableNode, rowSpanData } = this;
    const lineWidth = layout.hLineWidth(line, tableNode);
    if (!lineWidth) return;
    const { hLineColor: color } = layout;
    const at = (y ?? 0) + lineWidth / 2;
    writer.addVector(
      {
        ...{ type: 'line', x1: 0, x2: rowSpanData.at(-1)!.left, y1: at, y2: at, lineWidth },
        lineColor: typeof color === 'function' ? color(line, tableNode) : color,
      },
      false,
      typeof y === 'number',
      null,
      page,
    );
    if (moveDown) writer.context().moveDown(lineWidth);
  }

  override endRow(row: number, writer: LayoutWriter, pageBreaks: readonly object[]): void {
    super.endRow(row, writer, pageBreaks);
    this.tableNode.table.body[row] = [];
  }
}
