import type { StructureElement } from '../../templates/definition.js';
import type { PdfDocument } from '../file/pdf-document.js';
import type { PdfPage, PdfReference } from '../file/pdfmake-parts.js';
import type { GlyphRun } from '../text/segment-text.js';
import { utf16 } from './draw-runs.js';

type Content =
  | { readonly words: StructureElement }
  | { readonly page: PdfPage; readonly mark: number; readonly last: boolean }
  | { readonly annotation: PdfReference };
/** Left, bottom, right and top, in points from the lower left corner of the page. */
type Box = readonly [number, number, number, number];

/**
 * The structure tree of a tagged document: the elements in reading order, with their marked content on pages. `begin` opens a
 * piece of content and `EMC` closes it. Content outside the tree (rules, fills, footers) is an artifact.
 */
export class StructureTree {
  private readonly contents = new Map<StructureElement, Content[]>();
  private readonly boxes = new Map<StructureElement, Box>();
  private readonly pages = new Map<PdfPage, StructureElement[]>();
  private readonly annotations: { readonly key: number; readonly element: StructureElement }[] = [];
  private nextKey = 0;

  constructor(
    private readonly document: PdfDocument,
    private readonly root: StructureElement,
  ) {}

  /** Returns true once content of an element was opened. */
  hasBegun(element: StructureElement): boolean {
    return this.contents.has(element);
  }

  /**
   * Returns the operator that opens content of an element on the current page. Content that is `last` is read after the rest
   * of the element, wherever it is drawn.
   */
  begin(element: StructureElement, last = false): string {
    const { page } = this.document;
    let marks = this.pages.get(page);
    if (!marks) {
      marks = [];
      this.pages.set(page, marks);
      page.dictionary.data.StructParents = this.nextKey++;
      page.dictionary.data.Tabs = 'S';
    }
    const mark = marks.length;
    marks.push(element);
    this.contentOf(element).push({ page, mark, last });
    return `/${element.role} <</MCID ${mark}>> BDC`;
  }

  /**
   * Returns the operator that opens words within an element: a `Span` among the element's content, with their language, and
   * with the characters that they represent if the glyphs do not show them. No content of the element may be open, because
   * some readers do not support nested marked content.
   */
  beginWords(element: StructureElement, { language, actual }: Pick<GlyphRun, 'language' | 'actual'>): string {
    const opened = this.beginWithin(element, { role: 'Span', children: [], ...(language && { language }) });
    return actual === undefined ? opened : opened.replace('>>', ` /ActualText ${utf16(actual)}>>`);
  }

  /** Returns the operator that opens words within an element, as content of another that stands among its own. */
  beginWithin(element: StructureElement, words: StructureElement): string {
    this.contentOf(element).push({ words });
    return this.begin(words);
  }

  /** Sets the position of a figure on the current page, in points from the upper left corner. */
  place(element: StructureElement, x: number, y: number, width: number, height: number): void {
    const bottom = this.document.page.height - y - height;
    this.boxes.set(element, [x, bottom, x + width, bottom + height]);
  }

  /** Adds a link annotation to its element and returns the annotation's `StructParent`. */
  link(element: StructureElement, annotation: PdfReference): number {
    const key = this.nextKey++;
    this.contentOf(element).push({ annotation });
    this.annotations.push({ key, element });
    return key;
  }

  /** Writes the tree and declares the document marked. Called once, after every page has been drawn. */
  write(): void {
    const { document } = this;
    const references = new Map<StructureElement, PdfReference>();
    const tree = document.ref({ Type: 'StructTreeRoot' });
    const top = this.writeElement(this.root, tree, references);
    tree.data.K = top ? [top] : [];
    tree.data.ParentTree = this.writeParentTree(references);
    tree.data.ParentTreeNextKey = this.nextKey;
    // pdfkit itself ends these two with the document.
    document._root.data.StructTreeRoot = tree;
    document._root.data.MarkInfo = document.ref({ Marked: true });
  }

  private writeElement(
    element: StructureElement,
    parent: PdfReference,
    references: Map<StructureElement, PdfReference>,
  ): PdfReference | null {
    if (!this.hasContent(element)) return null;
    const reference = this.document.ref({ S: element.role, P: parent });
    references.set(element, reference);
    const own = inReadingOrder(this.contents.get(element) ?? []);
    const first = own.find((content) => 'page' in content);
    if (first && 'page' in first) reference.data.Pg = first.page.dictionary;
    if (element.alternative !== undefined) reference.data.Alt = new String(element.alternative);
    if (element.role === 'TH')
      reference.data.A = {
        ...{ O: 'Table', Scope: element.scope ?? 'Column' },
        ...(element.columns === undefined ? {} : { ColSpan: element.columns }),
      };
    if (element.language !== undefined) reference.data.Lang = new String(element.language);
    const box = this.boxes.get(element);
    if (box) reference.data.A = { O: 'Layout', Placement: 'Block', BBox: box };
    const kids: unknown[] = own.map((content) =>
      'words' in content
        ? this.writeElement(content.words, reference, references)
        : this.kid(content, reference.data.Pg),
    );
    for (const sub of element.children) {
      const written = this.writeElement(sub, reference, references);
      if (written) kids.push(written);
    }
    reference.data.K = kids.length === 1 ? kids[0] : kids;
    reference.end();
    return reference;
  }

  private kid(content: Exclude<Content, { words: unknown }>, page: unknown): unknown {
    if ('annotation' in content) return { Type: 'OBJR', Obj: content.annotation };
    if (content.page.dictionary === page) return content.mark;
    return { Type: 'MCR', Pg: content.page.dictionary, MCID: content.mark };
  }

  private writeParentTree(references: Map<StructureElement, PdfReference>): PdfReference {
    const entries: [number, unknown][] = this.annotations.map(({ key, element }) => [
      key,
      references.get(element),
    ]);
    for (const [page, marks] of this.pages) {
      entries.push([
        page.dictionary.data.StructParents as number,
        marks.map((element) => references.get(element)),
      ]);
    }
    entries.sort(([one], [other]) => one - other);
    const parents = this.document.ref({ Nums: entries.flat(1) });
    parents.end();
    return parents;
  }

  private hasContent(element: StructureElement): boolean {
    if (this.contents.has(element)) return true;
    return element.children.some((sub) => this.hasContent(sub));
  }

  private contentOf(element: StructureElement): Content[] {
    let content = this.contents.get(element);
    if (!content) this.contents.set(element, (content = []));
    return content;
  }
}

const isLast = (content: Content): boolean => 'last' in content && content.last;

function inReadingOrder(contents: readonly Content[]): readonly Content[] {
  if (!contents.some(isLast)) return contents;
  return [...contents.filter((content) => !isLast(content)), ...contents.filter(isLast)];
}
