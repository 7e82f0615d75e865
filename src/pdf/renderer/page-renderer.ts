import type {
  DocumentDefinition,
  PhotographVector,
  SetText,
  StructureElement,
} from '../templates/definition.js';
import { FooterPainter } from './footer-painter.js';
import { type PlacedLine, textFont } from './layout.js';
import type { PdfDocument } from './pdf-document.js';
import { type LaidOutPage, type LayoutNode, type Outline, RendererBase } from './pdfmake-parts.js';
import { PhotographPainter } from './photograph-painter.js';
import type { StructureTree } from './structure-tree.js';
import { withoutOverrides } from './text/characters.js';
import { drawRuns } from './text/draw-runs.js';
import type { FontLibrary } from './text/font-library.js';
import { segmentText } from './text/segment-text.js';

/** What a drawing reports while it goes on. */
export interface DrawingProgress {
  readonly page: number;
  readonly pages: number;
  readonly photographs: number;
}

interface Target {
  readonly document: PdfDocument;
  readonly library: FontLibrary;
  readonly structure: StructureTree;
  readonly nodesById: ReadonlyMap<string, LayoutNode>;
}

/** The vertical place of the baseline in a line, as a share of the size above half of the line's leading. */
const BASELINE = 0.32;

/**
 * Draws the pages that the layout made: lines with their links, bookmarks and marked content, photographs with their
 * captions, everything else as artifact, and the footer of each page.
 */
export class PageRenderer extends RendererBase {
  private readonly outlines = new Map<string, Outline>();
  private readonly photographs: PhotographPainter;
  private readonly footers: FooterPainter;

  constructor(private readonly target: Target) {
    super(target.document);
    this.photographs = new PhotographPainter(target.document, target.library, target.structure);
    this.footers = new FooterPainter(target.document, target.library);
  }

  /** The page of every photograph, in print order. */
  readonly photographPages: number[] = [];

  /** Numbers of the photographs that print a placeholder. */
  get missing(): readonly number[] {
    return this.photographs.missing;
  }

  draw(
    pages: readonly LaidOutPage[],
    definition: DocumentDefinition,
    onPage: (at: DrawingProgress) => void,
  ): void {
    pages.forEach(({ items, pageSize }, index) => {
      this.target.document.addPage({ size: [pageSize.width, pageSize.height] });
      for (const { type, item } of items) {
        if (type === 'line') this.drawLine(item);
        else if (type === 'image') this.drawPicture(item);
        else this.drawVector(item);
      }
      this.footers.draw(definition.footer(index + 1, pages.length));
      while (this.photographPages.length < this.photographs.placed) this.photographPages.push(index + 1);
      onPage({ page: index + 1, pages: pages.length, photographs: this.photographs.placed });
    });
  }

  private drawLine(item: Record<string, unknown>): void {
    const placed = item.placed as PlacedLine | undefined;
    if (!placed) return;
    const [x, y] = [item.x as number, item.y as number];
    const { set, line, size, first, node } = placed;
    const { document, structure } = this.target;
    const baseline = y + (size * set.style.lineHeight) / 2 + size * BASELINE;
    if (first) this.announce(node, x, y);
    let operators = structure.begin(set.element);
    if (first && set.lead) operators += `\n${this.shortText(set.lead, x, baseline, 'left')}`;
    operators += `\n${drawRuns(document, line.runs, x + (set.lead?.width ?? 0), baseline, size, set.style.color)}`;
    if (first && set.trail) operators += `\n${this.trail(set, x + placed.width, baseline)}`;
    document.addContent(`${operators}\nEMC`);
    if (set.link) this.link(set, x, y, placed);
  }

  private trail(set: SetText, right: number, baseline: number): string {
    const { trail } = set;
    if (!trail) return '';
    const value = 'value' in trail ? trail.value : this.pageNumberOf(trail.pageOf);
    return this.shortText({ value, style: trail.style }, right, baseline, 'right');
  }

  private pageNumberOf(id: string): string {
    return String(this.target.nodesById.get(id)?.positions[0]?.pageNumber ?? '');
  }

  private shortText(
    { value, style }: { value: string; style: SetText['style'] },
    x: number,
    baseline: number,
    side: 'left' | 'right',
  ): string {
    const runs = segmentText(value, textFont(this.target.library, style));
    const width = runs.reduce((sum, run) => sum + run.width, 0) * (style.size / 1000);
    const start = side === 'left' ? x : x - width;
    return drawRuns(this.target.document, runs, start, baseline, style.size, style.color);
  }

  /** The link target and bookmark of a block, at its first line. */
  private announce(node: LayoutNode, x: number, y: number): void {
    const { document } = this.target;
    const { id, outline, outlineText, outlineParentId, outlineExpanded } = node;
    if (id !== undefined) document.addNamedDestination(id, 'XYZ', x, y - 8, null);
    if (outline !== true) return;
    const parent = this.outlines.get(outlineParentId as string) ?? document.outline;
    const item = parent.addItem(withoutOverrides(outlineText as string), {
      expanded: outlineExpanded === true,
    });
    if (id !== undefined) this.outlines.set(id, item);
  }

  private link(
    { link, element, lead }: SetText,
    x: number,
    y: number,
    { line, size, set, width }: PlacedLine,
  ): void {
    const { document, structure } = this.target;
    const { page } = document;
    const left = x + (lead?.width ?? 0);
    const right = 'block' in (link ?? {}) ? x + width : left + (line.width * size) / 1000;
    const [top, bottom] = [page.height - y, page.height - y - size * set.style.lineHeight];
    const annotation = document.ref({ Type: 'Annot', Subtype: 'Link', Border: [0, 0, 0], F: 4 });
    annotation.data.Rect = [left, bottom, right, top];
    annotation.data.Contents = new String(set.value.slice(0, 200));
    if (link && 'url' in link) annotation.data.A = { S: 'URI', URI: new String(link.url) };
    else if (link) annotation.data.Dest = new String(link.block);
    annotation.data.StructParent = structure.link(element, annotation);
    annotation.end();
    page.annotations.push(annotation);
  }

  private drawPicture(item: Record<string, unknown>): void {
    const { document, structure } = this.target;
    document.addContent(structure.begin(item.element as StructureElement));
    this.renderImage(item);
    document.addContent('EMC');
  }

  private drawVector(item: Record<string, unknown>): void {
    if ('photograph' in item) {
      this.photographs.draw(item as unknown as PhotographVector);
      return;
    }
    this.target.document.addContent('/Artifact BMC');
    this.renderVector(item);
    this.target.document.addContent('EMC');
  }
}
