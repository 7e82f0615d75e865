import type {
  DocumentDefinition,
  PhotographVector,
  SetText,
  StructureElement,
  ThumbnailVector,
} from '../../templates/definition.js';
import { PALETTE } from '../../templates/look.js';
import { printedAccent } from '../../templates/printed-accent.js';
import type { PdfDocument } from '../file/pdf-document.js';
import { type LaidOutPage, type LayoutNode, type Outline, RendererBase } from '../file/pdfmake-parts.js';
import { withoutOverrides } from '../text/characters.js';
import type { FontLibrary } from '../text/font-library.js';
import { segmentText } from '../text/segment-text.js';
import { drawBlank, drawRuns } from './draw-runs.js';
import { drawMark, EdgePainter } from './edge-painter.js';
import { annotateLink } from './link-annotation.js';
import { OpenSection } from './open-section.js';
import { PhotographPainter } from './photograph-painter.js';
import type { PlacedLine } from './placed-line.js';
import { textFont } from './set-lines.js';
import type { StructureTree } from './structure-tree.js';
import { tagGround, TAG_LETTERS } from './tag-ground.js';
import { drawLinkedNumbers, drawTaggedRuns, type TaggedText } from './tagged-runs.js';

/** Progress, which is sent while pages are drawn, at most a few times a second. */
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

/** Distance of the baseline from the middle of a line, as a share of its size. */
const BASELINE = 0.32;

/**
 * Draws laid-out pages: lines with their links, bookmarks and marked content, photographs with their captions, everything
 * else as artifacts, the footer of each page and, after the cover, the running head.
 */
export class PageRenderer extends RendererBase {
  private readonly drawn = new WeakSet<PlacedLine>();
  private readonly outlines = new Map<string, Outline>();
  private readonly photographs: PhotographPainter;
  private readonly edges: EdgePainter;
  private section!: OpenSection;
  private accent: string = PALETTE.accent;

  constructor(private readonly target: Target) {
    super(target.document);
    this.photographs = new PhotographPainter(target.document, target.library, target.structure);
    this.edges = new EdgePainter(target.document, target.library);
  }

  /** The page of every photograph, in print order. */
  readonly photographPages: number[] = [];

  /** Places, from 1, of the photographs that print a placeholder. */
  get missing(): readonly number[] {
    return this.photographs.missing;
  }

  draw(
    pages: readonly LaidOutPage[],
    definition: DocumentDefinition,
    onPage: (at: DrawingProgress) => void,
  ): void {
    const { look } = definition;
    this.section = new OpenSection(this.target.nodesById);
    if (look.colour !== undefined) this.accent = printedAccent(look.colour);
    pages.forEach((page, index) => {
      const { items, pageSize } = page;
      const continued = this.section.continuedOn(page);
      this.target.document.addPage({ size: [pageSize.width, pageSize.height] });
      if (index === 0) this.edges.drawBand(this.accent);
      for (const { type, item } of items) {
        if (type === 'line') this.drawLine(item);
        else if (type === 'image') this.drawPicture(item);
        else this.drawVector(item);
      }
      if (index > 0) this.edges.drawHead(definition.head, continued);
      this.edges.drawFooter(definition.footer(index + 1, pages.length));
      if (definition.mark !== undefined) drawMark(this.target.document, this.target.library, definition.mark);
      while (this.photographPages.length < this.photographs.placed) this.photographPages.push(index + 1);
      // A page that is drawn is released: its items would otherwise be held beside the structure tree, which grows page by page.
      items.length = 0;
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
    if (first && node) this.announce(node, x, y);
    // The head of a table is in the tree once; pdfmake draws its lines again on each further page.
    const again = this.drawn.has(placed);
    this.drawn.add(placed);
    const open = (element: StructureElement, last = false): string =>
      again ? '/Artifact BMC' : structure.begin(element, last);
    const left = x + (set.lead?.width ?? 0);
    const blank = `\n${drawBlank(document, this.target.library, left, baseline, size)}`;
    let operators = set.tag === undefined ? '' : `${tagGround(set.tag, placed, x, y)}\n`;
    if (first && set.lead?.element)
      operators += `${open(set.lead.element)}${this.lead(set, x, baseline)}\nEMC\n`;
    const continues = !again && (first ? structure.hasBegun(set.element) : line.begins === true);
    operators += open(set.element);
    if (first && set.lead && set.lead.value !== '' && !set.lead.element)
      operators += `${this.lead(set, x, baseline)}${blank}`;
    else if (continues) operators += blank;
    const text = {
      runs: line.runs,
      x: startOf(placed, x),
      baseline,
      size,
      color: this.worn(set.tag === 'solid' ? TAG_LETTERS : set.style.color),
    };
    operators += again
      ? `\n${drawRuns(document, text.runs, text.x, baseline, size, text.color)}`
      : `\n${this.taggedText(placed, text, y)}`;
    if (first && set.trail)
      operators += `\nEMC\n${open(set.element, true)}${blank}\n${this.trail(set, x + placed.width, baseline)}`;
    document.addContent(`${operators}\nEMC`);
    if (set.link && !('numbers' in set.link)) this.link(placed, set.link, x, y);
  }

  private taggedText({ set }: PlacedLine, text: TaggedText, y: number): string {
    const { document, structure } = this.target;
    const { link, element, style } = set;
    if (!link || !('numbers' in link)) return drawTaggedRuns(document, structure, element, text);
    return drawLinkedNumbers(document, structure, element, text, ({ digits, element: own, left, right }) => {
      const place = { left, top: y, right, bottom: y + text.size * style.lineHeight };
      annotateLink(document, structure, own, place, {
        block: `${link.numbers}${digits}`,
        description: `Photograph ${digits}`,
      });
    });
  }

  private lead({ lead }: SetText, x: number, baseline: number): string {
    return lead ? `\n${this.shortText(lead, x, baseline, 'left')}` : '';
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
    return drawRuns(this.target.document, runs, start, baseline, style.size, this.worn(style.color));
  }

  /** Replaces the service's accent colour by the brand's. */
  private worn(color: string): string {
    return color === PALETTE.accent ? this.accent : color;
  }

  /** Adds the link target and bookmark of a block at its first line. */
  private announce(node: LayoutNode, x: number, y: number): void {
    const { document } = this.target;
    const { id, outline, outlineText, outlineParentId, outlineExpanded } = node;
    if (id !== undefined) document.addNamedDestination(id, 'XYZ', x, y - 8, null);
    this.section.begin(node);
    if (outline !== true) return;
    const parent = this.outlines.get(outlineParentId as string) ?? document.outline;
    const item = parent.addItem(withoutOverrides(outlineText as string), {
      expanded: outlineExpanded === true,
    });
    if (id !== undefined) this.outlines.set(id, item);
  }

  private link(placed: PlacedLine, to: { url: string } | { block: string }, x: number, y: number): void {
    const { document, structure } = this.target;
    const { line, size, set, width } = placed;
    const start = beginOf(placed, x);
    const left = 'block' in to ? x : start;
    const right = 'block' in to ? x + width : start + (line.width * size) / 1000;
    const place = { left, top: y, right, bottom: y + size * set.style.lineHeight };
    annotateLink(document, structure, set.element, place, { ...to, description: set.value });
  }

  private drawPicture(item: Record<string, unknown>): void {
    const { document, structure } = this.target;
    const element = item.element as StructureElement;
    const [x, y, width, height] = [item.x, item.y, item._width, item._height] as [
      number,
      number,
      number,
      number,
    ];
    structure.place(element, x, y, width, height);
    document.addContent(structure.begin(element));
    this.renderImage(item);
    document.addContent('EMC');
  }

  private drawVector(item: Record<string, unknown>): void {
    if ('photograph' in item) {
      this.photographs.draw(item as unknown as PhotographVector);
      return;
    }
    if ('thumbnail' in item) {
      this.photographs.drawThumbnail(item as unknown as ThumbnailVector);
      return;
    }
    this.target.document.addContent('/Artifact BMC');
    this.renderVector(item.color === PALETTE.accent ? { ...item, color: this.accent } : item);
    this.target.document.addContent('EMC');
  }
}

/** Returns where the visible part of a line begins: at its label, column or margin or, `byDirection`, at the right edge. */
function beginOf({ set, line, size, width }: PlacedLine, x: number): number {
  if (!line.rightToLeft || !set.byDirection) return x + (set.lead?.width ?? 0);
  return x + width - (set.trail?.width ?? 0) - (line.width * size) / 1000;
}

/** Returns where the glyphs of a line begin: the blanks at the end of a right-to-left line extend to the left. */
function startOf(placed: PlacedLine, x: number): number {
  const { line, size } = placed;
  if (!line.rightToLeft) return beginOf(placed, x);
  const drawn = line.runs.reduce((sum, run) => sum + run.width, 0);
  return beginOf(placed, x) - ((drawn - line.width) * size) / 1000;
}
