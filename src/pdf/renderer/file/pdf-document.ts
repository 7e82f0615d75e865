import { closeSync } from 'node:fs';
import type { DocumentInfo } from '../../templates/definition.js';
import { withoutOverrides } from '../text/characters.js';
import type { FontFace } from '../text/font-face.js';
import type { FileSink } from './file-sink.js';
import { type JpegFile, openJpeg } from './jpeg-file.js';
import { type EmbeddedFont, PdfKitDocumentBase, type PdfReference } from './pdfmake-parts.js';

/** Paths of pictures by key: the only files, beside the service's fonts, that a document can embed. */
export type PictureFiles = ReadonlyMap<string, string>;

/** A picture that is embedded in the file. */
interface EmbeddedPicture {
  readonly label: string;
  readonly width: number;
  readonly height: number;
  readonly obj: PdfReference;
  embed(): void;
}

const COLOR_SPACES = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' } as const;
const INVERTED = [1, 0, 1, 0, 1, 0, 1, 0];

/** Returns pdfkit's options for a document. None depends on the machine, the time or the time zone. */
export const documentOptions = (info: DocumentInfo): object => ({
  pdfVersion: '1.7',
  compress: true,
  lang: info.language,
  displayTitle: true,
  autoFirstPage: false,
  font: null,
  margin: 0,
  info: {
    Title: withoutOverrides(info.title),
    ...(info.author === undefined ? {} : { Author: withoutOverrides(info.author) }),
    ...(info.subject === undefined ? {} : { Subject: withoutOverrides(info.subject) }),
    Keywords: info.keywords,
    Creator: 'Inspection report service',
    Producer: 'pdfmake',
    CreationDate: new Date(info.createdAt),
  },
});

/**
 * A pdfkit document that writes directly into a file and copies pictures from file to file, so that they are never whole in
 * memory. A picture's dictionary is made from its header. Only keys of `pictures` can be drawn; no path, URL or data URI is
 * opened.
 */
export class PdfDocument extends PdfKitDocumentBase {
  private embedded!: Map<string, EmbeddedPicture | null>;
  /** Colour spaces by the bytes of their profiles, each in the file once. */
  private colourSpaces!: Map<string, PdfReference>;
  private fontsOfFaces!: Map<FontFace, EmbeddedFont>;
  private pictures!: PictureFiles;
  private sink!: FileSink;

  /** The bytes that the base class writes in its constructor, before there is a sink. */
  private early: Buffer[] | undefined;

  static create(sink: FileSink, pictures: PictureFiles, info: DocumentInfo): PdfDocument {
    const document = new PdfDocument({}, {}, {}, {}, documentOptions(info), null, () => false);
    document.start(sink, pictures);
    return document;
  }

  /** Returns true if the picture of a key can be drawn. */
  static canDraw(pictures: PictureFiles, key: string): boolean {
    const path = pictures.get(key);
    const file = path === undefined ? null : openJpeg(path);
    if (file) closeSync(file.descriptor);
    return file !== null;
  }

  private start(sink: FileSink, pictures: PictureFiles): void {
    this.embedded = new Map();
    this.colourSpaces = new Map();
    this.fontsOfFaces = new Map();
    this.pictures = pictures;
    this.sink = sink;
    for (const bytes of this.early ?? []) sink.write(bytes);
    this.early = undefined;
  }

  override _write(data: Buffer | string): void {
    const bytes = typeof data === 'string' ? Buffer.from(`${data}\n`, 'latin1') : data;
    if (this.sink) this.sink.write(bytes);
    else (this.early ??= []).push(bytes);
    this._offset += bytes.length;
  }

  /** Streams nothing, because the bytes are in the file. */
  override push(): boolean {
    return true;
  }

  /**
   * Returns the picture of a key, which is written into the file on its first use. Null if it cannot be drawn or has another
   * SHA-256 (hex; null is not checked).
   */
  picture(key: string, sha256: string | null = null): EmbeddedPicture | null {
    let picture = this.embedded.get(key);
    if (picture === undefined) {
      picture = this.splice(key, sha256);
      this.embedded.set(key, picture);
    }
    return picture;
  }

  /** Returns a picture to pdfmake, by key as well. */
  override provideImage(key: string): EmbeddedPicture {
    const picture = this.picture(key);
    if (!picture) throw new Error('The picture of this key cannot be drawn.');
    this._imageRegistry[key] = picture;
    return picture;
  }

  /** Returns this document's subset of a font. All documents share the parsed font. */
  fontOf(face: FontFace): EmbeddedFont {
    let font = this.fontsOfFaces.get(face);
    if (!font) {
      font = embedFont(this, face, `F${this.fontsOfFaces.size + 1}`);
      // pdfkit maps the missing glyph, which is never drawn, to U+0000, which no text may hold.
      font.unicode[0] = [0xfffd];
      this.fontsOfFaces.set(face, font);
      this._fontFamilies[font.id] = font;
    }
    return font;
  }

  /** Escapes the texts, because the base class writes them into XML as they are. */
  override _addInfo(): void {
    const { info } = this;
    this.info = Object.fromEntries(
      Object.entries(info).map(([name, value]) => [
        name,
        typeof value === 'string' ? escapeXml(value) : value,
      ]),
    );
    super._addInfo();
    this.info = info;
  }

  private splice(key: string, sha256: string | null): EmbeddedPicture | null {
    const path = this.pictures.get(key);
    const file = path === undefined ? null : openJpeg(path, sha256);
    if (!file) return null;
    try {
      const obj = this.ref({
        Type: 'XObject',
        Subtype: 'Image',
        BitsPerComponent: file.bits,
        Width: file.width,
        Height: file.height,
        ColorSpace: this.colourSpace(file),
        Filter: 'DCTDecode',
        ...(file.channels === 4 ? { Decode: INVERTED } : {}),
        Length: file.length,
      });
      this.writePicture(obj, file);
      return {
        label: `I${++this._imageCount}`,
        width: file.width,
        height: file.height,
        obj,
        embed: () => undefined,
      };
    } finally {
      closeSync(file.descriptor);
    }
  }

  /** Returns the picture's own profile, or the device space, which the output intent declares as sRGB. */
  private colourSpace({ channels, profile }: JpegFile): string | [string, PdfReference] {
    const device = COLOR_SPACES[channels];
    if (profile === undefined) return device;
    const name = profile.toString('latin1');
    let stream = this.colourSpaces.get(name);
    if (stream === undefined) {
      stream = this.ref({ N: channels, Alternate: device });
      stream.end(profile);
      this.colourSpaces.set(name, stream);
    }
    return ['ICCBased', stream];
  }

  /** Writes an object with a stream like pdfkit, but copies the bytes of the stream from the file. */
  private writePicture(obj: PdfReference, file: { descriptor: number; length: number }): void {
    const entries = Object.entries(obj.data).map(([name, value]) => `/${name} ${written(value)}`);
    obj.offset = this._offset;
    this._write(`${obj.id} 0 obj\n<<\n${entries.join('\n')}\n>>\nstream`);
    this.sink.copyFrom(file.descriptor, file.length);
    this._offset += file.length;
    this._write('\nendstream');
    this._write('endobj');
    this._refEnd(obj);
  }
}

const written = (value: unknown): string =>
  typeof value === 'string'
    ? `/${value}`
    : Array.isArray(value)
      ? `[${value.map(written).join(' ')}]`
      : String(value);

/** The class of a font that pdfkit opened, because it exports none. It makes fonts of parsed faces. */
type EmbeddedFontClass = new (document: PdfDocument, font: unknown, id: string) => EmbeddedFont;
let embeddedFontClass: EmbeddedFontClass | undefined;

function embedFont(document: PdfDocument, face: FontFace, id: string): EmbeddedFont {
  embeddedFontClass ??= classOfFonts(document, face);
  return new embeddedFontClass(document, face.file, id);
}

function classOfFonts(document: PdfDocument, face: FontFace): EmbeddedFontClass {
  const { _fontFamilies: families } = document;
  const before = new Set(Object.keys(families));
  document.font(face.bytes);
  const [opened] = Object.keys(families).filter((name) => !before.has(name));
  const font = document._font;
  if (opened !== undefined) delete families[opened];
  return font.constructor as unknown as EmbeddedFontClass;
}

const XML_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>]/g, (character) => XML_ESCAPES[character] as string);
