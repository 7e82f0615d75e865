import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { DocumentInfo } from '../../templates/definition.js';
import { FileSink } from './file-sink.js';
import { documentOptions, PdfDocument } from './pdf-document.js';
import { LayoutBuilderBase, PdfKitDocumentBase, type PdfKitDocument, RendererBase } from './pdfmake-parts.js';

const INFO: DocumentInfo = {
  title: 'Pictures & <more> – ü',
  keywords: 'id',
  language: 'en-GB',
  createdAt: Date.UTC(2026, 9, 25),
};

describe('the document with spliced pictures', () => {
  let folder: string;
  const pictures = new Map<string, string>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pdf-document-'));
    for (const [name, width, channels] of [
      ['color', 900, 3],
      ['tall', 300, 3],
      ['gray', 500, 1],
    ] as const) {
      const path = join(folder, `${name}.jpg`);
      const picture = sharp({ create: { width, height: 600, channels: 3, background: '#a03040' } }).jpeg();
      await (channels === 1 ? picture.grayscale() : picture).toFile(path);
      pictures.set(name, path);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The same content through pdfmake's own layout and renderer. */
  function draw(document: PdfKitDocument): void {
    const content = {
      stack: [...pictures.keys(), 'color', 'tall'].map((image) => ({
        image,
        width: 400,
        margin: [0, 0, 0, 9],
      })),
    };
    const layout = new LayoutBuilderBase(
      { width: 595, height: 842, orientation: 'portrait' },
      { left: 40, top: 40, right: 40, bottom: 40 },
      {},
    );
    const pages = layout.layoutDocument(content, document, {}, {});
    (new RendererBase(document) as unknown as { renderPages(laidOut: unknown): void }).renderPages(pages);
    document.end();
  }

  async function stock(): Promise<Buffer> {
    const Stock = PdfKitDocumentBase as unknown as new (
      ...parameters: unknown[]
    ) => PdfKitDocument & AsyncIterable<Buffer>;
    const document = new Stock(
      {},
      Object.fromEntries(pictures),
      {},
      {},
      documentOptions(INFO),
      null,
      () => true,
    );
    document._addInfo = () => PdfDocument.prototype._addInfo.call(document as unknown as PdfDocument);
    draw(document);
    const chunks: Buffer[] = [];
    for await (const chunk of document) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  it('is byte for byte what the stock library writes', async () => {
    const path = join(folder, 'out.pdf');
    const sink = new FileSink(path);
    draw(PdfDocument.create(sink, pictures, INFO));
    const { bytes } = sink.finish();
    const ours = readFileSync(path);
    const theirs = await stock();
    expect(bytes).toBe(theirs.length);
    expect(ours.equals(theirs)).toBe(true);
  });

  it('draws nothing but the pictures it was given: no path, no address, no data', () => {
    const document = PdfDocument.create(new FileSink(join(folder, 'none.pdf')), pictures, INFO);
    const data = `data:image/jpeg;base64,${readFileSync(join(folder, 'color.jpg')).toString('base64')}`;
    for (const key of [join(folder, 'color.jpg'), 'https://example.com/a.jpg', data, '__proto__']) {
      expect(document.picture(key)).toBeNull();
      expect(() => document.provideImage(key)).toThrow('cannot be drawn');
    }
  });

  it('takes no file that is missing, cut off, of other bytes than recorded or no JPEG', () => {
    const whole = readFileSync(join(folder, 'color.jpg'));
    writeFileSync(join(folder, 'cut.jpg'), whole.subarray(0, whole.length - 200));
    writeFileSync(join(folder, 'text.jpg'), 'no picture');
    writeFileSync(join(folder, 'empty.jpg'), '');
    const files = new Map(
      ['missing', 'cut', 'text', 'empty', 'color'].map((name) => [name, join(folder, `${name}.jpg`)]),
    );
    files.set('folder', folder);
    const document = PdfDocument.create(new FileSink(join(folder, 'none.pdf')), files, INFO);
    for (const key of ['missing', 'cut', 'text', 'empty', 'folder']) expect(document.picture(key)).toBeNull();
    expect(document.picture('color', '0'.repeat(64))).toBeNull();
    const sha256 = createHash('sha256').update(whole).digest('hex');
    const other = PdfDocument.create(new FileSink(join(folder, 'some.pdf')), files, INFO);
    expect(other.picture('color', sha256)).not.toBeNull();
  });
});
