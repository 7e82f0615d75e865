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
  readonly subset: { readonly glyphs: number[]; includeGlyph(glyph: number): number };
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
  readonly items: readonly PageItem[];
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
  readonly pageMargins: { readonly top: number };
  readonly availableWidth: number;
  readonly availableHeight: number;
}

export interface PdfMakeLine {
  addInline(inline: object): void;
  [member: string]: unknown;
}

export interface LayoutBuilder {
  writer: { context(): LayoutContext; moveToNextPage(): void };
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
  buildNextLine(node: Record<string, unknown>): PdfMakeLine | null;
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
export const Line = part<new (maxWidth: number) => PdfMakeLine>('Line');
export const tableLayouts = (require('pdfmake/js/tableLayouts.js') as { tableLayouts: object }).tableLayouts;

/** Reads the colour profile of the pdfkit package. */
export const SRGB_PROFILE = (): Buffer =>
  readFileSync(join(dirname(require.resolve('pdfkit')), 'data/sRGB_IEC61966_2_1.icc'));

interface CodeVector {
  readonly x: number;
  readonly y: number;
  readonly w: number;
}

/** Encodes a QR code as its ground and one square for each black one, all of one size. */
export const qrCode = part<{
  measure(node: { qr: string; eccLevel: 'M' }): { _canvas: CodeVector[]; _width: number };
}>('qrEnc');
