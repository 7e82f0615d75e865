import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { FontLibrary } from '../text/font-library.js';
import { documentOptions } from './pdf-document.js';
import {
  type EmbeddedFont,
  type LaidOutPage,
  LayoutBuilderBase,
  type LayoutBuilder,
  type LayoutContext,
  type LayoutNode,
  type Outline,
  type PageItem,
  type PdfMakeLine,
  type PdfKitDocument,
  PdfKitDocumentBase,
  type PdfPage,
  type PdfReference,
  qrCode,
  type Renderer,
  RendererBase,
  tableLayouts,
  type TableNode,
  type TableProcessor,
  TableProcessorBase,
} from './pdfmake-parts.js';

/** Each part by its name, with the type that it must have; TypeScript holds that none of them is left out. */
type Parts<Whole> = {
  readonly [Name in keyof Whole]-?: 'function' | 'object' | 'number' | 'string' | 'boolean';
};

const DOCUMENT: Parts<PdfKitDocument> = {
  page: 'object',
  info: 'object',
  outline: 'object',
  _root: 'object',
  _fontFamilies: 'object',
  _offset: 'number',
  _font: 'object',
  _imageRegistry: 'object',
  _imageCount: 'number',
  addPage: 'function',
  addContent: 'function',
  addNamedDestination: 'function',
  font: 'function',
  ref: 'function',
  file: 'function',
  end: 'function',
  push: 'function',
  _write: 'function',
  _addInfo: 'function',
  _refEnd: 'function',
  provideImage: 'function',
};
const PAGE: Parts<PdfPage> = {
  width: 'number',
  height: 'number',
  dictionary: 'object',
  xobjects: 'object',
  fonts: 'object',
  annotations: 'object',
};
const REFERENCE: Parts<PdfReference> = { id: 'number', data: 'object', offset: 'number', end: 'function' };
const OUTLINE: Parts<Outline> = { addItem: 'function' };
const FONT: Parts<Omit<EmbeddedFont, 'otherCodes'>> = {
  id: 'string',
  subset: 'object',
  widths: 'object',
  unicode: 'object',
  ref: 'function',
};
const SUBSET: Parts<EmbeddedFont['subset']> = { glyphs: 'object', includeGlyph: 'function' };
const BUILDER: Parts<LayoutBuilder> = {
  writer: 'object',
  docMeasure: 'object',
  registerTableLayouts: 'function',
  layoutDocument: 'function',
  tryLayoutDocument: 'function',
  processNode: 'function',
  nestedLevel: 'number',
  linearNodeList: 'object',
  processTable: 'function',
  processRow: 'function',
  processLeaf: 'function',
};
const WRITER: Parts<LayoutBuilder['writer']> = {
  context: 'function',
  moveToNextPage: 'function',
  addLine: 'function',
  addVector: 'function',
  beginUnbreakableBlock: 'function',
  commitUnbreakableBlock: 'function',
};
const CONTEXT: Parts<LayoutContext> = {
  y: 'number',
  snapshots: 'object',
  getCurrentPage: 'function',
  moveDown: 'function',
  resetMarginXTopParent: 'function',
  pageMargins: 'object',
  availableWidth: 'number',
  availableHeight: 'number',
  page: 'number',
};
const LAID_OUT: Parts<LaidOutPage> = { items: 'object', pageSize: 'object' };
const ITEM: Parts<PageItem> = { type: 'string', item: 'object' };
const RENDERER: Parts<Renderer> = {
  pdfDocument: 'object',
  renderVector: 'function',
  renderImage: 'function',
};

const TABLE: Parts<Pick<TableNode, 'table' | '_offsets'>> = { table: 'object', _offsets: 'object' };
const PROCESSOR: Parts<TableProcessor> = {
  layout: 'object',
  dontBreakRows: 'boolean',
  rowsWithoutPageBreak: 'number',
  tableNode: 'object',
  rowSpanData: 'object',
  drawHorizontalLine: 'function',
  beginTable: 'function',
  beginRow: 'function',
  endRow: 'function',
  endTable: 'function',
};

/** An object knows its place once it is written. */
const { offset: _, ...withoutOffset } = REFERENCE;
const ended = (reference: PdfReference): PdfReference => {
  reference.end();
  return reference;
};

/** The parts that are not there, or are something else than they were. */
const lacking = (whole: object | null, parts: Readonly<Record<string, string>>): string[] =>
  Object.entries(parts)
    .filter(([name, type]) => {
      const part = (whole as Record<string, unknown> | null)?.[name];
      return part === null || typeof part !== type;
    })
    .map(([name]) => name);

/** Lays out as `Layout` does, and notes which of the parts that it replaces the library has called, with what. */
class Watched extends LayoutBuilderBase {
  readonly called = new Set<string>();
  readonly lacks: Record<string, string[]> = {};

  override tryLayoutDocument(...parameters: unknown[]): unknown {
    this.called.add('tryLayoutDocument');
    this.docMeasure.measureLeaf = (node) => {
      this.called.add('measureLeaf');
      return Object.assign(node, { _inlines: [], _minWidth: 0, _maxWidth: 0 });
    };
    return super.tryLayoutDocument(...parameters);
  }

  override processNode(node: Record<string, unknown>, isVerticalAlignmentAllowed?: boolean): void {
    this.called.add('processNode');
    this.lacks.builder = lacking(this, BUILDER);
    this.lacks.writer = lacking(this.writer, WRITER);
    this.lacks.context = lacking(this.writer.context(), CONTEXT);
    this.lacks.margins = lacking(this.writer.context().pageMargins, { top: 'number' });
    if (node.margin !== undefined) this.lacks.node = lacking(node, { _margin: 'object' });
    super.processNode(node, isVerticalAlignmentAllowed);
  }

  override processLeaf(node: Record<string, unknown>): void {
    this.called.add('processLeaf');
    const line: PdfMakeLine & { placed: string } = {
      ...{
        x: 0,
        y: 0,
        placed: 'ours',
        _node: node.id === undefined ? undefined : (node as unknown as LayoutNode),
      },
      ...{ inlines: [{ alignment: 'left' }], getHeight: () => 9, getWidth: () => 9 },
      clone: () => (this.called.add('clone'), { ...line }),
    };
    (node.positions as object[]).push(this.writer.addLine(line));
  }

  override processTable(node: TableNode): void {
    this.called.add('processTable');
    const { body, widths } = node.table;
    const { called } = this;
    const table = new (class extends TableProcessorBase {
      override drawHorizontalLine(...drawn: Parameters<TableProcessor['drawHorizontalLine']>): void {
        called.add('drawHorizontalLine');
        super.drawHorizontalLine(...drawn);
      }
    })(node);
    table.beginTable(this.writer);
    this.lacks.processor = lacking(table, PROCESSOR);
    this.lacks.table = [
      ...lacking(node, TABLE),
      ...lacking(widths[0]!, { _calcWidth: 'number' }),
      ...lacking(node._offsets.offsets, { 0: 'number' }),
      ...lacking(table.rowSpanData.at(-1)!, { left: 'number' }),
      ...['hLineWidth', 'paddingTop', 'paddingBottom'].filter(
        (name) => typeof table.layout[name as 'hLineWidth'](0, node) !== 'number',
      ),
    ];
    for (const [row, cells] of body.entries()) {
      table.beginRow(row, this.writer);
      const drawn = this.processRow({
        ...{ marginX: [0, 0], dontBreakRows: false, rowsWithoutPageBreak: 1, cells, widths },
        ...{ gaps: node._offsets.offsets, tableBody: body, tableNode: node, rowIndex: row },
      });
      this.lacks.row = lacking(drawn, { pageBreaks: 'object', positions: 'object' });
      table.endRow(row, this.writer, drawn.pageBreaks);
    }
    table.endTable(this.writer);
  }
}

const SIZE = { width: 300, height: 200, orientation: 'portrait' };
const MARGINS = { left: 9, top: 9, right: 9, bottom: 9 };

describe('the private parts of pdfmake and pdfkit', () => {
  let folder: string;
  let picture: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pdfmake-parts-'));
    picture = join(folder, 'grey.jpg');
    await sharp({ create: { width: 8, height: 8, channels: 3, background: '#888888' } })
      .jpeg()
      .toFile(picture);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const begin = (): PdfKitDocument => {
    const info = { title: 'Parts', keywords: 'id', language: 'en-GB', createdAt: 0 };
    return new PdfKitDocumentBase({}, { picture }, {}, {}, documentOptions(info), null, () => true);
  };

  it('are all there in a document, its pages, objects, bookmarks and fonts', () => {
    const document = begin().addPage({ size: [300, 200] });
    document.font(new FontLibrary().base('regular').bytes);
    document.provideImage('picture');
    const font = document._font;
    expect({
      document: lacking(document, DOCUMENT),
      page: lacking(document.page, PAGE),
      reference: lacking(ended(document.ref({})), REFERENCE),
      root: lacking(document._root, withoutOffset),
      outline: lacking(document.outline, OUTLINE),
      bookmark: lacking(document.outline.addItem('One', { expanded: false }), OUTLINE),
      font: lacking(font, FONT),
      subset: lacking(font.subset, SUBSET),
      registered: [
        Object.values(document._fontFamilies).includes(font),
        'picture' in document._imageRegistry,
      ],
    }).toEqual({
      ...{ document: [], page: [], reference: [], root: [], outline: [], bookmark: [], font: [], subset: [] },
      registered: [true, true],
    });
  });

  it('make fonts of what is parsed already by the class of any font', () => {
    const document = begin().addPage({ size: [300, 200] });
    const face = new FontLibrary().base('regular');
    document.font(face.bytes);
    const EmbeddedFonts = document._font.constructor as new (...parameters: unknown[]) => EmbeddedFont;
    const font = new EmbeddedFonts(document, face.file, 'F7');
    expect([font.id, lacking(font, FONT), lacking(font.ref(), withoutOffset)]).toEqual(['F7', [], []]);
    expect(font.subset.includeGlyph(face.file.glyphForCodePoint(65).id)).toBe(1);
  });

  it('are called while a document is laid out, so that what replaces them is heard', () => {
    const layout = new Watched(SIZE, MARGINS, {});
    layout.registerTableLayouts(tableLayouts);
    const node = { text: 'x', margin: [0, 9, 0, 0], id: 'one' };
    const table = { headerRows: 1, widths: ['*'], body: [[{ text: 'head' }], [{ text: 'row' }]] };
    const content = {
      stack: [node, { image: 'picture' }, { canvas: [{ type: 'rect', x: 0, y: 0, w: 9, h: 9 }] }, { table }],
    };
    const document = begin();
    const [page] = layout.layoutDocument(content, document, {}, {});
    expect([...layout.called].sort()).toEqual([
      'clone',
      'drawHorizontalLine',
      'measureLeaf',
      'processLeaf',
      'processNode',
      'processTable',
      'tryLayoutDocument',
    ]);
    expect(layout.lacks).toEqual({
      ...{ builder: [], writer: [], context: [], margins: [], node: [] },
      ...{ processor: [], table: [], row: [] },
    });
    expect([
      lacking(page!, LAID_OUT),
      lacking(page!.pageSize, { width: 'number', height: 'number' }),
    ]).toEqual([[], []]);
    expect(page!.items.slice(0, 3).map((item) => [item.type, lacking(item, ITEM)])).toEqual([
      ['line', []],
      ['image', []],
      ['vector', []],
    ]);
    expect(page!.items[0]!.item).toMatchObject({ placed: 'ours' });
    expect((node as unknown as LayoutNode).positions).toEqual([expect.objectContaining({ pageNumber: 1 })]);
    expect(lacking(new RendererBase(document), RENDERER)).toEqual([]);
  });

  it('are called while a document is written, so that its bytes go where we say', () => {
    const document = begin().addPage({ size: [300, 200] });
    const called = new Set<string>();
    for (const name of ['_write', '_addInfo', '_refEnd', 'push'] as const) {
      const part = document[name].bind(document) as (...parameters: unknown[]) => unknown;
      Object.assign(document, { [name]: (...given: unknown[]) => (called.add(name), part(...given)) });
    }
    const before = document._offset;
    document.end();
    expect([...called].sort()).toEqual(['_addInfo', '_refEnd', '_write', 'push']);
    expect(document._offset).toBeGreaterThan(before);
  });

  it('are missed when one is not there', () => {
    expect(lacking({ id: 1, data: null, offset: '0' }, REFERENCE)).toEqual(['data', 'offset', 'end']);
    expect(lacking(null, OUTLINE)).toEqual(['addItem']);
  });

  it('has the squares of QR codes', () => {
    const { _canvas, _width } = qrCode.measure({ qr: 'a'.repeat(64), eccLevel: 'M' });
    expect(_canvas[1]).toMatchObject({ x: 0, y: 0, w: expect.any(Number) });
    expect(_width / _canvas[1]!.w).toBe(37);
  });
});
