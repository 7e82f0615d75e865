import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { PdfFile } from '../scripts/verify/pdf/pdf-file.mjs';
import { Name, nameIn, readable, Stream, Text } from '../scripts/verify/pdf/values.mjs';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import { reportJob } from './support/draw-report.js';
import { casePictures, readCase } from './support/report-cases.js';

/**
 * The clauses of ISO 19005-3 (PDF/A-3, level B) that apply to a report, and those of ISO 14289-1 on fonts. This is no
 * validator; no package of this project has one, and the file claims no conformance.
 */
type Dictionary = ReadonlyMap<string, unknown>;

const folder = mkdtempSync(join(tmpdir(), 'report-archive-'));
const renderer = new PdfRenderer();
let bytes: Buffer;
let file: PdfFile;
let streams: Stream[];
let dictionaries: Dictionary[];

beforeAll(async () => {
  const outputPath = join(folder, 'archive.pdf');
  const pictures = await casePictures(join(folder, 'pictures'));
  const contents = readCase('names-of-the-world');
  const [report] = contents.reports;
  const meta = { ...(report!.meta as object), company: 'Fox & Sons <Lets>' };
  await renderer.render(
    reportJob({ contents: { ...contents, reports: [{ ...report!, meta }] }, pictures, outputPath }),
  );
  bytes = readFileSync(outputPath);
  file = new PdfFile(bytes);
  const objects = [...file.entries.keys()].map((num) => file.object(num));
  streams = objects.filter((object) => object instanceof Stream);
  dictionaries = objects.flatMap((object) => within(object));
});
afterAll(async () => {
  await renderer.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a value's dictionaries, nested ones included. */
function within(value: unknown): Dictionary[] {
  if (value instanceof Stream) return within(value.dict);
  if (Array.isArray(value)) return value.flatMap(within);
  return value instanceof Map ? [value as Dictionary, ...[...value.values()].flatMap(within)] : [];
}

const valuesOf = (dictionary: Dictionary): unknown[] => [...dictionary.values()].flat();
const typed = (type: string): Dictionary[] => dictionaries.filter((one) => nameIn(one.get('Type')) === type);
const unpacked = ({ dict, bytes: packed }: Stream): Buffer =>
  dict.has('Filter') ? inflateSync(packed) : Buffer.from(packed);
const streamOf = (value: unknown): Buffer => unpacked(file.follow(value) as Stream);
const metadata = (): string => streamOf(file.catalogue.get('Metadata')).toString('utf8');

describe('the file of a report', () => {
  it('6.1.2: begins with its version and a comment of non-ASCII bytes', () => {
    expect(bytes.subarray(0, 9).toString()).toBe('%PDF-1.7\n');
    expect(bytes[9]).toBe(0x25);
    for (const byte of bytes.subarray(10, 14)) expect(byte).toBeGreaterThan(127);
  });

  it('6.1.3: has an identifier, is not encrypted, and nothing follows its end', () => {
    expect(file.list(file.trailer.get('ID'))).toHaveLength(2);
    expect(file.trailer.has('Encrypt')).toBe(false);
    expect(bytes.subarray(-6).toString().trim()).toBe('%%EOF');
  });

  it('6.1.7: compresses with Deflate and JPEG alone, and reads no other file', () => {
    for (const { dict } of streams) {
      const filters = [file.follow(dict.get('Filter')) ?? []].flat().map(nameIn);
      for (const filter of filters) expect(['FlateDecode', 'DCTDecode']).toContain(filter);
      expect([dict.has('F'), dict.has('FFilter')]).toEqual([false, false]);
    }
  });

  it('6.1.13: respects the limits of names and texts', () => {
    for (const value of dictionaries.flatMap(valuesOf)) {
      if (value instanceof Text) expect(value.value.length).toBeLessThanOrEqual(32_767);
      if (value instanceof Name) expect(value.value.length).toBeLessThanOrEqual(127);
    }
  });

  it('6.2.3: defines its colours by a profile', () => {
    const [intent, ...others] = file.list(file.catalogue.get('OutputIntents')).map((one) => file.dict(one));
    expect(others).toEqual([]);
    expect(nameIn(intent?.get('S'))).toBe('GTS_PDFA1');
    expect(readable(file.follow(intent?.get('OutputConditionIdentifier')))).toBe('sRGB IEC61966-2.1');
    const profile = streamOf(intent?.get('DestOutputProfile'));
    expect([profile.readUInt32BE(0), profile.toString('latin1', 16, 20)]).toEqual([profile.length, 'RGB ']);
    expect(profile.toString('latin1', 36, 40)).toBe('acsp');
    expect(file.dict(intent?.get('DestOutputProfile'))?.get('N')).toBe(3);
  });

  it('6.2.4: has only colours of the profile and grey', () => {
    const pictures = streams.filter(({ dict }) => nameIn(dict.get('Subtype')) === 'Image');
    expect(pictures.length).toBeGreaterThan(0);
    for (const { dict } of pictures) {
      expect(['DeviceRGB', 'DeviceGray']).toContain(nameIn(file.follow(dict.get('ColorSpace'))));
      for (const name of ['Alternates', 'OPI', 'SMask', 'Mask']) expect(dict.has(name)).toBe(false);
      expect(dict.get('Interpolate') ?? false).toBe(false);
    }
    for (const { dict } of file.pages) {
      const content = streamOf(dict.get('Contents')).toString('latin1');
      expect(content).not.toMatch(/(?:[\d.]+ ){4}[kK]\b/);
      const space = /\/(\w+) (?:cs|CS)\b/g;
      for (const [, name] of content.matchAll(space)) expect(['DeviceRGB', 'DeviceGray']).toContain(name);
    }
  });

  it('6.2.10: has no transparency', () => {
    for (const dictionary of dictionaries) {
      for (const name of ['ca', 'CA']) expect(dictionary.get(name) ?? 1).toBe(1);
      for (const name of ['SMask', 'BM', 'Group']) expect(dictionary.has(name)).toBe(false);
    }
  });

  it('6.2.11.4: embeds each font, with its glyphs numbered as in the text', () => {
    const wide = dictionaries.filter((one) => nameIn(one.get('Subtype')) === 'CIDFontType2');
    expect(wide.length).toBeGreaterThan(3);
    for (const font of wide) {
      expect(nameIn(font.get('CIDToGIDMap'))).toBe('Identity');
      expect(streamOf(file.dict(font.get('FontDescriptor'))?.get('FontFile2')).length).toBeGreaterThan(100);
      expect(nameIn(font.get('BaseFont'))).toMatch(/^[A-Z]{6}\+/);
    }
    expect(
      typed('Font').filter((one) => /Type1|Type3|^TrueType$/.test(nameIn(one.get('Subtype')) ?? '')),
    ).toEqual([]);
  });

  it('6.2.11.5: has the widths of the fonts', () => {
    for (const font of dictionaries.filter((one) => nameIn(one.get('Subtype')) === 'CIDFontType2')) {
      const program = streamOf(file.dict(font.get('FontDescriptor'))?.get('FontFile2'));
      const [first, widths] = file.list(font.get('W'));
      expect(first).toBe(0);
      const { scale, advances } = advancesOf(program);
      file.list(widths).forEach((width, glyph) => {
        expect(Math.abs((width as number) - (advances[glyph] ?? NaN) * scale)).toBeLessThanOrEqual(1);
      });
    }
  });

  it('6.2.11.8 and UA 7.21.7: maps each shown glyph to its characters', () => {
    const fonts = dictionaries.filter((one) => nameIn(one.get('Subtype')) === 'Type0');
    const tables = fonts.map((font) => streamOf(font.get('ToUnicode')).toString('latin1'));
    for (const [, list] of tables.join('\n').matchAll(/\[([^\]]*)\]/g))
      expect(list).not.toMatch(/<(?:0000|feff|fffe)>/i);
    for (const { dict } of file.pages) {
      const content = streamOf(dict.get('Contents')).toString('latin1');
      const shown = [...content.matchAll(/<([0-9a-f]+)> ?(?:-?[\d.]+ )?(?=[<\]])/g)];
      expect(shown.length).toBeGreaterThan(0);
      for (const [, hex = ''] of shown)
        for (let at = 0; at < hex.length; at += 4) expect(hex.slice(at, at + 4)).not.toBe('0000');
    }
  });

  it('6.3: has only link annotations, which print', () => {
    const annotations = file.pages.flatMap(({ dict }) =>
      file.list(dict.get('Annots')).map((one) => file.dict(one)),
    );
    expect(annotations.length).toBeGreaterThan(0);
    for (const annotation of annotations) {
      expect(nameIn(annotation?.get('Subtype'))).toBe('Link');
      expect(annotation?.get('F')).toBe(4);
    }
  });

  it('6.5: has no action except opening an address, and no script', () => {
    for (const dictionary of dictionaries) {
      for (const name of ['JS', 'OpenAction', 'AA', 'XFA', 'OCProperties', 'AlternatePresentations'])
        expect(dictionary.has(name)).toBe(false);
      const action = file.dict(dictionary.get('A'));
      if (action?.has('URI')) expect(nameIn(action.get('S'))).toBe('URI');
    }
  });

  it('6.6: has plain XMP metadata that agree with its information dictionary', () => {
    const stream = file.follow(file.catalogue.get('Metadata')) as Stream;
    expect([stream.dict.has('Filter'), nameIn(stream.dict.get('Subtype'))]).toEqual([false, 'XML']);
    const xmp = metadata();
    expect(xmp).toMatch(/^<\?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"\?>/);
    const information = file.dict(file.trailer.get('Info'));
    const entry = (name: string): string => readable(file.follow(information?.get(name))) ?? '';
    const escaped = (name: string): string =>
      entry(name).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    expect(entry('Author')).toBe('Fox & Sons <Lets>');
    expect(xmp).toMatch(/<dc:title>\s*<rdf:Alt>\s*<rdf:li xml:lang="x-default">/);
    expect(xmp).toContain(`<rdf:li xml:lang="x-default">${escaped('Title')}</rdf:li>`);
    expect(xmp).toContain(`<rdf:li>${escaped('Author')}</rdf:li>`);
    expect(xmp).toContain(`<pdf:Producer>${escaped('Producer')}</pdf:Producer>`);
    expect(xmp).toContain(`<pdf:Keywords>${escaped('Keywords')}</pdf:Keywords>`);
    expect(xmp).toContain(`<xmp:CreatorTool>${escaped('Creator')}</xmp:CreatorTool>`);
    const [year, month, day, hour] = /^D:(\d{4})(\d\d)(\d\d)(\d\d)/.exec(entry('CreationDate'))!.slice(1);
    expect(xmp).toContain(`<xmp:CreateDate>${year}-${month}-${day}T${hour}:`);
  });

  it('claims no conformance that no validator has confirmed', () => {
    expect(metadata()).not.toMatch(/pdfaid|pdfuaid/);
  });

  it('6.8: states for each embedded file its relation to the report', () => {
    const listed = file.list(file.catalogue.get('AF')).map((one) => file.dict(one));
    expect(listed).toHaveLength(1);
    for (const attached of listed) {
      expect(nameIn(attached?.get('AFRelationship'))).toBe('Data');
      for (const name of ['F', 'UF'])
        expect(readable(file.follow(attached?.get(name)))).toBe('evidence.json');
      const content = file.dict(file.dict(attached?.get('EF'))?.get('F'));
      expect(nameIn(content?.get('Subtype'))).toBe('application/json');
      expect(file.dict(content?.get('Params'))?.has('ModDate')).toBe(true);
    }
  });

  it('UA 7.2: states its language', () => {
    expect(readable(file.follow(file.catalogue.get('Lang')))).toBe('en-GB');
  });
});

/** Returns the advance widths of a TrueType font's glyphs, from `hmtx`. */
function advancesOf(program: Buffer): { scale: number; advances: number[] } {
  const tables = new Map<string, number>();
  for (let place = 0; place < program.readUInt16BE(4); place += 1) {
    const at = 12 + place * 16;
    tables.set(program.toString('latin1', at, at + 4), program.readUInt32BE(at + 8));
  }
  const count = program.readUInt16BE(tables.get('hhea')! + 34);
  const glyphs = program.readUInt16BE(tables.get('maxp')! + 4);
  const last = Math.max(0, count - 1);
  const advances = Array.from({ length: glyphs }, (_, glyph) =>
    program.readUInt16BE(tables.get('hmtx')! + 4 * Math.min(glyph, last)),
  );
  return { scale: 1000 / program.readUInt16BE(tables.get('head')! + 18), advances };
}
