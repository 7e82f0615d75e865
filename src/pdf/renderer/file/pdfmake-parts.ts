import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The private parts of pdfmake and pdfkit that the renderer uses (record 0059). Both have exact versions. The test beside
 * fails if the installed library lacks a part, and the test of embedded pictures compares the output with that of the stock
 * library. The parts are CommonJS with a `default`, which native modules and the test compiler import differently; hence
 * `require`.
 */
const require = createRequire(import.meta.url);
const part = <Part>(name: string): Part => (require(`pdfmake/js/${name}.js`) as { default: Part }).default;

export interface PdfReference {
  readonly id: number;
  data: Record<string, unknown>;
  offset: number;
  end(data?: Buffer): void;
}

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  readonly dictionary: PdfReference;
  readonly xobjects: Record<string, unknown>;
  readonly fonts: Record<string, unknown>;
  readonly annotations: PdfReference[];
}

/** A font of one document: its glyphs of the font file, and their numbers. */
export interface EmbeddedFont {
  readonly id: string;
  readonly subset: {
    readonly glyphs: number[];
    includeGlyph(glyph: number): number;
  };
  /** Added by this service: further numbers of glyphs that represent several characters. */
  otherCodes?: Map<string, number>;
  readonly widths: (number | undefined)[];
  readonly unicode: (number[] | undefined)[];
  ref(): PdfReference;
}

export interface PdfKitDocument {
  page: PdfPage;
  info: Record<string, unknown>;
  readonly outline: Outline;
  readonly _root: PdfReference;
  readonly _fontFamilies: Record<string, EmbeddedFont>;
  _offset: number;
  _font: EmbeddedFont;
  _imageRegistry: Record<string, unknown>;
  _imageCount: number;
  addPage(options: { size: [number, number] }): this;
  addContent(content: string): this;
  addNamedDestination(name: string, kind: 'XYZ', x: number, y: number, zoom: null): void;
  font(source: string | Buffer, family?: string): this;
  ref(data: Record<string, unknown>): PdfReference;
  file(source: Buffer, options: Record<string, unknown>): PdfReference;
  end(): void;
  push(chunk: Buffer | null): boolean;
  _write(data: Buffer | string): void;
  _addInfo(): void;
  _refEnd(reference: PdfReference): void;
  provideImage(source: string): unknown;
}

export interface Outline {
  addItem(title: string, options: { expanded: boolean }): Outline;
}

type PdfKitDocumentClass = new (
  fonts: object,
  images: object,
  patterns: object,
  attachments: object,
  options: object,
  virtualfs: null,
  localAccessPolicy: (path: string) => boolean,
) => PdfKitDocument;

export interface LayoutNode {
  readonly id?: string;
  readonly positions: { readonly pageNumber: number }[];
  readonly [member: string]: unknown;
}

export interface PageItem {
  readonly type: string;
  readonly item: Record<string, unknown>;
}

export interface LaidOutPage {
  readonly items: PageItem[];
  readonly pageSize: { readonly width: number; readonly height: number };
}

export interface LayoutContext {
  readonly y: number;
  /** One for each open table or column. */
  readonly snapshots: readonly object[];
  /** From 0. */
  readonly page: number;
  getCurrentPage(): LaidOutPage;
  moveDown(distance: number): void;
  resetMarginXTopParent(): void;
  readonly pageMargins: { readonly top: number };
  readonly availableWidth: number;
  readonly availableHeight: number;
}

/** A line that the writer can place, and copy when it moves with others. */
export interface PdfMakeLine {
  x: number;
  y: number;
  _node: LayoutNode | undefined;
  readonly inlines: readonly { readonly alignment: 'left' | 'right' }[];
  getHeight(): number;
  getWidth(): number;
  clone(): PdfMakeLine;
}

/** The writer of a layout. What is written between the two calls of a block stands on one page. */
export interface LayoutWriter {
  context(): LayoutContext;
  moveToNextPage(): void;
  addLine(line: PdfMakeLine): object;
  addVector(
    vector: object,
    ignoreX: boolean,
    ignoreY: boolean,
    index: null,
    page: number | null | undefined,
  ): unknown;
  beginUnbreakableBlock(): void;
  commitUnbreakableBlock(): void;
}

/** A table while it is laid out. The widths of its columns are known once it has begun. */
export interface TableNode extends LayoutNode {
  readonly table: {
    readonly headerRows: number;
    dontBreakRows?: boolean;
    readonly widths: readonly { readonly _calcWidth: number }[];
    readonly body: (readonly Record<string, unknown>[])[];
  };
  readonly _offsets: { readonly offsets: readonly number[] };
  readonly _margin?: readonly number[] | null;
}

export interface TableProcessor {
  readonly layout: Record<
    'hLineWidth' | 'paddingTop' | 'paddingBottom',
    (row: number, node: TableNode) => number
  > & { readonly hLineColor: string | ((line: number, node: TableNode) => string) };
  readonly tableNode: TableNode;
  /** The left edge of each column, and the right edge of the table. */
  readonly rowSpanData: readonly { readonly left: number }[];
  dontBreakRows: boolean;
  /** Rows that stand on one page with the head, the head included. */
  rowsWithoutPageBreak: number;
  beginTable(writer: LayoutWriter): void;
  beginRow(row: number, writer: LayoutWriter): void;
  endRow(row: number, writer: LayoutWriter, pageBreaks: readonly object[]): void;
  endTable(writer: LayoutWriter): void;
  drawHorizontalLine(
    line: number,
    writer: LayoutWriter,
    y?: number | null,
    moveDown?: boolean,
    page?: number | null,
  ): void;
}

export interface LayoutBuilder {
  writer: LayoutWriter;
  /** Every node that was laid out, for a second layout. */
  linearNodeList: object[];
  nestedLevel: number;
  docMeasure: { measureLeaf(node: Record<string, unknown>): unknown };
  registerTableLayouts(layouts: object): void;
  layoutDocument(
    content: object,
    document: PdfKitDocument,
    styles: object,
    defaultStyle: object,
  ): LaidOutPage[];
  tryLayoutDocument(...parameters: unknown[]): unknown;
  processNode(node: Record<string, unknown>, isVerticalAlignmentAllowed?: boolean): void;
  processTable(node: TableNode): void;
  processRow(row: object): {
    readonly pageBreaks: readonly object[];
    readonly positions: readonly object[];
  };
  processLeaf(node: Record<string, unknown>): void;
}

export interface Renderer {
  readonly pdfDocument: PdfKitDocument;
  renderVector(vector: Record<string, unknown>): void;
  renderImage(image: Record<string, unknown>): void;
}

export const PdfKitDocumentBase = part<PdfKitDocumentClass>('PDFDocument');
export const LayoutBuilderBase =
  part<new (size: object, margins: object, svgMeasure: object) => LayoutBuilder>('LayoutBuilder');
export const RendererBase = part<new (document: PdfKitDocument) => Renderer>('Renderer');
export const TableProcessorBase = part<new (node: TableNode) => TableProcessor>('TableProcessor');
export const tableLayouts = (require('pdfmake/js/tableLayouts.js') as { tableLayouts: object }).tableLayouts;

/** Reads the colour profile of the pdfkit package. */
export const SRGB_PROFILE = (): Buffer =>
  readFileSync(join(dirname(require.resolve('pdfkit')), 'data/sRGB_IEC61966_2_1.icc'));

interface CodeVector {
  readonly x: number;
  readonly y: number;
  readonly w: number;
}

/** Encodes a QR code as a background and a square for each black module. */
export const qrCode = part<{
  measure(node: { qr: string; eccLevel: 'M' }): {
    _canvas: CodeVector[];
    _width: number;
  };
}>('qrEnc');
