import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';

/** A text on a page, in the order of the content stream; coordinates in points from the top left. */
export interface PdfText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly role: string;
}

export interface PdfPicture {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PdfPageContent {
  readonly texts: readonly PdfText[];
  /** The text of each piece of marked content by its number, as read by readers of tags. */
  readonly marked: ReadonlyMap<number, string>;
  readonly pictures: readonly PdfPicture[];
  /** The drawing operators. */
  readonly content: string;
  /** The texts line by line, in visual order. */
  readonly lines: readonly string[];
}

export interface PdfContent {
  readonly pages: readonly PdfPageContent[];
  readonly text: string;
  readonly bookmarks: readonly string[];
  /** Roles of the structure tree in document order, and the alternative texts of its figures. */
  readonly roles: readonly string[];
  readonly alternatives: readonly string[];
  /** All dictionaries, for checks of required and forbidden entries. */
  readonly dictionaries: string;
}

/**
 * Reads the reports that this service draws: texts through the fonts' ToUnicode tables, pictures, bookmarks, structure.
 * It is no general reader: it knows the operators of our renderer, and needs no installed tool.
 */
export function readPdf(path: string): PdfContent {
  const file = new PdfFile(readFileSync(path));
  const pages = file.pages().map((page) => readPage(file, page));
  const elements = [...file.dictionaries.values()].filter((dictionary) =>
    /\/S \/\w+\n\/P \d+ 0 R/.test(dictionary),
  );
  return {
    pages,
    text: pages.map(({ lines }) => lines.join('\n')).join('\n\f\n'),
    bookmarks: [...file.dictionaries.values()].flatMap((dictionary) =>
      dictionary.includes('/Parent') && dictionary.includes('/Dest')
        ? (stringOf(dictionary, 'Title') ?? [])
        : [],
    ),
    roles: elements.map((dictionary) => /\/S \/(\w+)/.exec(dictionary)?.[1] ?? ''),
    alternatives: elements.flatMap((dictionary) => stringOf(dictionary, 'Alt') ?? []),
    dictionaries: [...file.dictionaries.values()].join('\n'),
  };
}

class PdfFile {
  readonly dictionaries = new Map<number, string>();
  private readonly streams = new Map<number, number>();

  constructor(private readonly bytes: Buffer) {
    const tail = bytes.subarray(-64).toString('latin1');
    const table = Number(/startxref\n(\d+)/.exec(tail)?.[1]);
    const lines = bytes.subarray(table).toString('latin1').split('\n');
    const count = Number(lines[1]?.split(' ')[1]);
    for (let id = 1; id < count; id += 1) this.read(id, Number(lines[id + 2]?.slice(0, 10)));
  }

  pages(): string[] {
    const all = [...this.dictionaries.values()];
    const kids = all.find((dictionary) => dictionary.includes('/Type /Pages'));
    const list = /\/Kids \[([^\]]*)\]/.exec(kids ?? '')?.[1] ?? '';
    return [...list.matchAll(/(\d+) 0 R/g)].map(([, id]) => this.dictionaries.get(Number(id)) ?? '');
  }

  reference(dictionary: string, name: string): number {
    return Number(new RegExp(`/${name} (\\d+) 0 R`).exec(dictionary)?.[1]);
  }

  stream(id: number): string {
    const start = this.streams.get(id) ?? 0;
    const dictionary = this.dictionaries.get(id) ?? '';
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1]);
    const bytes = this.bytes.subarray(start, start + length);
    return (dictionary.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
  }

  private read(id: number, offset: number): void {
    const end = this.bytes.indexOf('\nendobj', offset);
    const inside = this.bytes.subarray(offset, end).indexOf('\nstream\n');
    const isStream = inside >= 0;
    const stream = offset + inside;
    this.dictionaries.set(id, this.bytes.subarray(offset, isStream ? stream : end).toString('latin1'));
    if (isStream) this.streams.set(id, stream + '\nstream\n'.length);
  }
}

type UnicodeTable = readonly string[];

function readPage(file: PdfFile, page: string): PdfPageContent {
  const resources = file.dictionaries.get(file.reference(page, 'Resources')) ?? '';
  const fonts = new Map<string, UnicodeTable>();
  for (const [, name, id] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const font = file.dictionaries.get(Number(id)) ?? '';
    fonts.set(name ?? '', unicodeTable(file.stream(file.reference(font, 'ToUnicode'))));
  }
  const content = file.stream(file.reference(page, 'Contents'));
  const { texts, marked } = readTexts(content, fonts);
  return { content, texts, marked, pictures: readPictures(content), lines: linesOf(texts) };
}

function unicodeTable(cmap: string): UnicodeTable {
  const table: string[] = [];
  for (const [, first, list] of cmap.matchAll(/<(\w{4})> <\w{4}> \[([^\]]*)\]/g)) {
    [...(list ?? '').matchAll(/<([^>]*)>/g)].forEach(([, units], index) => {
      table[parseInt(first ?? '0', 16) + index] = utf16((units ?? '').replaceAll(' ', ''));
    });
  }
  return table;
}

const utf16 = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le');

const TEXT_TOKENS =
  /\/(\w+) <<\/MCID (\d+)(?: \/ActualText <feff(\w*)>)?>> BDC|\/(Artifact)\b[^\n]*|\/Span <<\/ActualText <feff(\w*)>|1 0 0 -1 (-?[\d.]+) (-?[\d.]+) Tm|\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ|\bET\b|\bEMC\b/g;

function readTexts(
  content: string,
  fonts: ReadonlyMap<string, UnicodeTable>,
): Pick<PdfPageContent, 'texts' | 'marked'> {
  const texts: { text: string; x: number; y: number; role: string }[] = [];
  const marked = new Map<number, string>();
  let [role, text, x, y, font] = ['', '', 0, 0, ''];
  let mark: number | undefined;
  let actual: string | null = null;
  // A text continues across nested elements and after them.
  let piece: (typeof texts)[number] | undefined;
  let [inWords, afterWords, goesOn] = [false, false, false];
  // An element that closes without a text, or after a nested link, may go on with a nested link.
  let [isEmpty, holdsLinks] = [false, false];
  for (const token of content.matchAll(TEXT_TOKENS)) {
    const [whole, element, number, words, artifact, span, left, top, fontName, glyphs] = token;
    if (element ?? artifact) {
      holdsLinks = element === 'Link' ? holdsLinks || isEmpty : holdsLinks && afterWords;
      inWords = element === 'Span' || (element === 'Link' && holdsLinks);
      isEmpty = /^(P|T[HD])$/.test(element ?? '');
      if (!inWords && !afterWords) piece = undefined;
      if (!inWords) role = element ?? artifact ?? '';
      [goesOn, afterWords] = [piece !== undefined, false];
      mark = number === undefined ? undefined : Number(number);
      if (words !== undefined) text += actual = utf16(words);
    } else if (span !== undefined) text += actual = utf16(span);
    else if (left !== undefined) [x, y] = [Number(left), Number(top)];
    else if (fontName !== undefined) font = fontName;
    else if (glyphs !== undefined && actual === null) text += decode(glyphs, fonts.get(font) ?? []);
    else if (whole === 'EMC') {
      [actual, afterWords] = [null, inWords];
    } else if (whole === 'ET') {
      isEmpty = false;
      if (mark !== undefined) marked.set(mark, (marked.get(mark) ?? '') + text);
      if (goesOn && piece) piece.text += text;
      // A single blank separates the parts of an element for readers of its tagged text.
      else if (text !== '' && text !== ' ') texts.push((piece = { text, x, y, role }));
      [text, goesOn] = ['', false];
    }
  }
  return { texts, marked };
}

function decode(glyphs: string, table: UnicodeTable): string {
  let text = '';
  for (const [, hex] of glyphs.matchAll(/<(\w+)>/g)) {
    for (let at = 0; at < (hex ?? '').length; at += 4)
      text += table[parseInt((hex ?? '').slice(at, at + 4), 16)] ?? '';
  }
  return text;
}

/** Finds the photographs and logos, not the small copies, which are drawn in a place of their own. */
function readPictures(content: string): PdfPicture[] {
  const places = content.matchAll(/(?<!cm )q ([\d.]+) 0 0 -([\d.]+) ([\d.]+) ([\d.]+) cm \/I\d+ Do Q/g);
  return [...places].map(([, width, height, x, bottom]) => ({
    x: Number(x),
    y: Number(bottom) - Number(height),
    width: Number(width),
    height: Number(height),
  }));
}

function linesOf(texts: readonly PdfText[]): string[] {
  const lines = new Map<number, PdfText[]>();
  for (const text of texts) {
    const line = lines.get(text.y);
    if (line) line.push(text);
    else lines.set(text.y, [text]);
  }
  return [...lines.entries()]
    .sort(([one], [other]) => one - other)
    .map(([, line]) =>
      line
        .sort((one, other) => one.x - other.x)
        .map(({ text }) => text)
        .join('  '),
    );
}

function stringOf(dictionary: string, name: string): string | undefined {
  const raw = new RegExp(`/${name} \\(((?:[^\\\\)]|\\\\.)*)\\)`, 's').exec(dictionary)?.[1];
  if (raw === undefined) return undefined;
  const bytes = Buffer.from(
    raw.replace(/\\(.)/gs, (_, escaped: string) => ESCAPES[escaped] ?? escaped),
    'latin1',
  );
  return bytes[0] === 0xfe && bytes[1] === 0xff
    ? utf16(bytes.subarray(2).toString('hex'))
    : bytes.toString('latin1');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
