import type { DocumentDefinition, SetText, TextStyle } from '../../templates/definition.js';
import { PAGE } from '../../templates/look.js';
import { TABLE_LAYOUTS } from '../../templates/table-layouts.js';
import type { PdfDocument } from '../file/pdf-document.js';
import {
  type LaidOutPage,
  LayoutBuilderBase,
  type LayoutNode,
  Line,
  type PdfMakeLine,
  tableLayouts,
} from '../file/pdfmake-parts.js';
import { drawnText } from '../text/characters.js';
import type { FontLibrary } from '../text/font-library.js';
import { segmentText, type TextFont } from '../text/segment-text.js';
import { type SetLine, wrapText } from '../text/wrap-text.js';
import { fillPage, spreadCover } from './fill-page.js';

interface Setting {
  readonly lines: Iterator<SetLine, void>;
  readonly size: number;
  first: boolean;
}

type Node = Record<string, unknown> & {
  set?: SetText;
  keep?: number;
  id?: string;
  pageBreak?: 'before' | undefined;
  onCover?: number;
  _margin?: Margin | null;
};
type Margin = [left: number, top: number, right: number, bottom: number];

/** Returns the pages of a definition, and its blocks by id. The document is used for measuring and not drawn into. */
export function layOut(
  definition: DocumentDefinition,
  document: PdfDocument,
  library: FontLibrary,
): { pages: readonly LaidOutPage[]; nodesById: ReadonlyMap<string, LayoutNode> } {
  const margins = { left: PAGE.left, top: PAGE.top, right: PAGE.right, bottom: PAGE.bottom };
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
 * out in linear time and breaks over pages line by line. `keep` moves a block to the next page if this one has too little
 * space left. No page is left empty.
 */
export class Layout extends LayoutBuilderBase {
  readonly nodesById = new Map<string, LayoutNode>();
  private readonly settings = new Map<Node, Setting>();

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
    const below = this.writer.context().snapshots.length === 0 ? takeBottom(node) : 0;
    super.processNode(node, isVerticalAlignmentAllowed);
    // pdfmake would begin a new page for a distance that does not fit on this one.
    if (below > 0) this.writer.context().moveDown(Math.min(below, this.writer.context().availableHeight));
  }

  override buildNextLine(node: Node): PdfMakeLine | null {
    const { set } = node;
    if (!set) return super.buildNextLine(node);
    const available = this.writer.context().availableWidth;
    const setting = this.settings.get(node) ?? this.begin(node, set, available);
    const next = setting.lines.next();
    if (next.done) {
      this.settings.delete(node);
      return null;
    }
    const line = placedLine(node, set, setting, next.value, available);
    setting.first = false;
    return line;
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

  private begin(node: Node, set: SetText, available: number): Setting {
    if (node.id !== undefined) this.nodesById.set(node.id, node as unknown as LayoutNode);
    const width = available - (set.lead?.width ?? 0) - (set.trail?.width ?? 0);
    const font = textFont(this.library, set.style);
    const size = fittingSize(set, font, width);
    const setting = { lines: wrapText(set.value, font, (width * 1000) / size), size, first: true };
    this.settings.set(node, setting);
    return setting;
  }
}

export const textFont = (library: FontLibrary, style: TextStyle): TextFont => ({
  library,
  weight: style.weight,
  kern: style.kern === true,
});

/** Returns the style's size, or a smaller one with which a short value stays on one line. */
function fittingSize({ value, style, oneLine }: SetText, font: TextFont, width: number): number {
  if (oneLine === undefined || value.length > 2 * oneLine.upTo) return style.size;
  if ([...value].length > oneLine.upTo || /[\n\r]/.test(value)) return style.size;
  const natural = segmentText(drawnText(value), font).reduce((sum, run) => sum + run.width, 0) / 1000;
  return Math.max(oneLine.smallest, Math.min(style.size, width / (natural + 0.01)));
}

function placedLine(
  node: Node,
  set: SetText,
  setting: Setting,
  line: SetLine,
  available: number,
): PdfMakeLine {
  const { size, first } = setting;
  const width = (line.width * size) / 1000;
  const placed = new Line(available);
  placed.addInline({
    text: '',
    width: set.style.alignment === 'right' ? width : available,
    height: size * set.style.lineHeight,
    font: { ascender: 0 },
    fontSize: size,
    alignment: set.style.alignment ?? 'left',
  });
  placed.placed = { set, line, size, first, width: available, node };
  return placed;
}

/** Removes the lower margin of a block and returns it. */
function takeBottom(node: Node): number {
  const { _margin: margin } = node;
  if (!margin) return 0;
  node._margin = [margin[0], margin[1], margin[2], 0];
  return margin[3];
}

function measured(node: Record<string, unknown>): unknown {
  node._inlines = [];
  node._minWidth = 0;
  node._maxWidth = 0;
  return node;
}
