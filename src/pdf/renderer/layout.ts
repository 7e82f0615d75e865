import type { SetText, TextStyle } from '../templates/definition.js';
import { LayoutBuilderBase, type LayoutNode, Line, type PdfMakeLine } from './pdfmake-parts.js';
import type { FontLibrary } from './text/font-library.js';
import { drawnText } from './text/characters.js';
import { segmentText, type TextFont } from './text/segment-text.js';
import { type SetLine, wrapText } from './text/wrap-text.js';

/** A line of a `SetText` on its page; `first` says that the lead and trail stand on it. */
export interface PlacedLine {
  readonly set: SetText;
  readonly line: SetLine;
  readonly size: number;
  readonly first: boolean;
  readonly width: number;
  readonly node: LayoutNode;
}

interface Setting {
  readonly lines: Iterator<SetLine, void>;
  readonly size: number;
  first: boolean;
}

type Node = Record<string, unknown> & { set?: SetText; keep?: number; id?: string };

/**
 * pdfmake's layout with our own lines: a node with `set` is wrapped by our type setter while it is placed, so that any
 * text is linear to lay out and breaks over pages line by line; `keep` moves a block to the next page when too little
 * of this one is left.
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
    if (node.keep !== undefined) this.keepTogether(node, node.keep);
    super.processNode(node, isVerticalAlignmentAllowed);
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

  /** A block that begins a page needs no distance from what is above it. */
  private keepTogether(node: Node, keep: number): void {
    if (keep > this.writer.context().availableHeight) this.writer.moveToNextPage();
    const { y, pageMargins } = this.writer.context();
    const margin = node._margin as [number, number, number, number] | null;
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

/** The style's size, or smaller so that a short value stays on one line. */
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

function measured(node: Record<string, unknown>): unknown {
  node._inlines = [];
  node._minWidth = 0;
  node._maxWidth = 0;
  return node;
}
