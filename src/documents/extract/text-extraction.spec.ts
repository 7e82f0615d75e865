import { existsSync } from 'node:fs';
import {
  docxOf,
  docxWith,
  megabytesOf,
  paragraph,
  pdfObjects,
  pdfOf,
  slowPdf,
  zipOf,
} from '../../../test/support/document-files.js';
import { Clock } from '../../common/clock.js';
import { type ExtractedText, Unextractable } from './extraction-terms.js';
import { readDocument } from './read-document.js';
import { type ExtractionLimits, TextExtraction } from './text-extraction.js';

/** In this process: for what is sound and needs no reader of the kinds that pages are drawn in. */
async function written(bytes: Buffer, name: string, mime = ''): Promise<ExtractedText> {
  const end = await readDocument({ bytes, name, mime });
  if ('fault' in end) throw new Unextractable(end.fault);
  return end.document;
}

const extraction = new TextExtraction(new Clock());
afterAll(() => extraction.onApplicationShutdown());

const never = new AbortController().signal;
/** Runs only on a system that reports the memory and time of a process. */
const measured = existsSync('/proc/self/stat') ? it : it.skip;
const extract = (bytes: Buffer, name: string, mime = 'application/octet-stream', limits?: ExtractionLimits) =>
  extraction.extractText({ bytes, name, mime }, never, limits);
const textOf = async (bytes: Buffer, name: string, mime?: string): Promise<string> =>
  (await extract(bytes, name, mime)).text;
const warned = ({ warnings }: ExtractedText): string[] => warnings.map(({ code }) => code);
const faultOf = async (bytes: Buffer, name: string, limits?: ExtractionLimits): Promise<string> => {
  try {
    return `none: ${(await extract(bytes, name, '', limits)).text.slice(0, 100)}`;
  } catch (error) {
    if (error instanceof Unextractable) return error.fault.code;
    throw error;
  }
};

describe('the text of a document', () => {
  it('is that of a Word document: paragraphs, lists, and a row of a table on a line', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell('Room')}${cell('Meter')}</w:tr><w:tr>${cell('Hall')}${cell('04711')}</w:tr></w:tbl>`;
    const docx = docxOf(`${paragraph('Küche &amp; Bad')}${table}${paragraph('Ends here.')}`);
    expect(await textOf(docx, 'inventory.docx')).toBe('Küche & Bad\nRoom Meter\nHall 04711\nEnds here.');
  });

  it('is that of all pages of a PDF, and says how many had none', async () => {
    const pdf = await pdfOf((page) => {
      page.text('The boiler is in the hall.\nIts pressure is 1.4 bar.');
      page.addPage().rect(10, 10, 50, 50).fill();
      page.addPage().text('Page three.');
    });
    const read = await extract(pdf, 'manual.pdf', 'application/pdf');
    expect(read.text).toBe('The boiler is in the hall.\nIts pressure is 1.4 bar.\n\nPage three.');
    expect(read.warnings).toEqual([expect.objectContaining({ code: 'pages_without_text', count: 1 })]);
  });

  it('is that of a web page without its scripts and navigation', async () => {
    const html =
      '<!doctype html><head><title>t</title></head><nav>Home</nav><h1>Fees</h1><script>1</script><p>Ten &pound;';
    expect((await written(Buffer.from(html), 'fees.html', 'text/html')).text).toBe('Fees\nTen £');
  });

  it.each([
    [
      'commas',
      'Name,Room,Note\r\nAnn,3,"likes, ""tea"""\r\nBo,,\r\n',
      'Name: Ann, Room: 3, Note: likes, "tea"\nName: Bo',
    ],
    ['semicolons and a mark', '\ufeffName;Rent\nAnn;1,5\n', 'Name: Ann, Rent: 1,5'],
    ['tabs and lines within cells', 'Name\tNote\nAnn\t"two\nlines"\n', 'Name: Ann, Note: two lines'],
    ['no names', '1,2\n3,4\n', '1, 2\n3, 4'],
    ['nothing but names', 'Name,Room\n', 'Name, Room'],
  ])('is that of a table with %s, a row a line', async (_what, csv, text) => {
    expect((await written(Buffer.from(csv), 'tenants.csv')).text).toBe(text);
  });

  it('is that of a table that breaks its own rules as it stands, with a warning', async () => {
    const read = await written(Buffer.from('Name,Note\n"Ann,never ends\nBo,x\n'), 'tenants.csv');
    expect([read.text, warned(read)]).toEqual(['Name,Note\n"Ann,never ends\nBo,x', ['csv_as_text']]);
  });

  it.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffKüche'), []],
    ['UTF-16 with a mark', Buffer.from('\ufeffKüche', 'utf16le'), []],
    ['UTF-16 the other way round', Buffer.from('\ufeffKüche', 'utf16le').swap16(), []],
    ['UTF-16 without a mark', Buffer.from('Küche', 'utf16le'), []],
    ['Windows-1252', Buffer.from('Küche', 'latin1'), ['charset_guessed']],
  ])('is read from %s', async (_what, bytes, warnings) => {
    const read = await written(bytes, 'note.txt', 'text/plain');
    expect([read.text, warned(read)]).toEqual(['Küche', warnings]);
  });

  it('keeps the euro signs, dashes and curly quotes of Windows-1252', async () => {
    const bytes = Buffer.from('\x8050 \x96 the tenant\x92s', 'latin1');
    for (const type of ['text/plain', 'text/plain; charset=windows-1252', 'text/plain; charset=iso-8859-1'])
      expect((await written(bytes, 'note.txt', type)).text).toBe('€50 – the tenant’s');
  });

  it('is read in the charset that the type or the page names', async () => {
    const cyrillic = Buffer.from([0xca, 0xf3, 0xf5, 0xed, 0xff]);
    expect((await written(cyrillic, 'note.txt', 'text/plain; charset=windows-1251')).text).toBe('Кухня');
    const page = Buffer.concat([Buffer.from('<meta charset="windows-1251"><p>'), cyrillic]);
    expect((await written(page, 'page.html')).text).toBe('Кухня');
  });

  it('has no control characters, and no more than one empty line at a time', async () => {
    const text = 'a\u0001b\r\nc\r\n\r\n\r\n\r\nd\fe\u007f';
    expect((await written(Buffer.from(text.padEnd(400, 'x')), 'note.md')).text).toBe(
      `ab\nc\n\nd\ne${'x'.repeat(400 - text.length)}`,
    );
  });

  it('is told by the bytes, whatever the name and the type say', async () => {
    const pdf = await pdfOf((page) => void page.text('I am a PDF.'));
    const named = await extract(pdf, 'letter.docx', 'text/plain');
    expect([named.text, warned(named)]).toEqual(['I am a PDF.', ['type_mismatch']]);
    const docx = await extract(docxOf(paragraph('I am Word.')), 'letter', 'application/octet-stream');
    expect([docx.text, warned(docx)]).toEqual(['I am Word.', []]);
    const text = await extract(Buffer.from('I am text.'), 'letter.pdf', 'application/pdf');
    expect([text.text, warned(text)]).toEqual(['I am text.', ['type_mismatch']]);
  });
});

describe('a document that has no text to give', () => {
  const EMPTY = Buffer.from(' \r\n\t ');

  it.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ['nothing', 'document_without_text', () => EMPTY],
    ['a Word document of nothing', 'document_without_text', () => docxOf('')],
    ['a scan', 'document_without_text', () => pdfOf((pdf) => void pdf.rect(9, 9, 9, 9).fill())],
    ['a picture', 'unsupported_type', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['an archive', 'unsupported_type', () => zipOf([{ name: 'a.txt', bytes: Buffer.from('a') }])],
    [
      'an old Word document',
      'unsupported_type',
      () => Buffer.from('d0cf11e0a1b11ae1'.padEnd(1024, '0'), 'hex'),
    ],
    ['RTF', 'unsupported_type', () => Buffer.from('{\\rtf1 a}')],
    [
      'a Word document with a password',
      'document_encrypted',
      () =>
        Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
    ],
    [
      'a PDF with a password',
      'document_encrypted',
      () => pdfOf((pdf) => void pdf.text('secret'), { userPassword: 'x' }),
    ],
    [
      'a PDF that was cut off',
      'document_unreadable',
      async () => (await pdfOf((pdf) => void pdf.text('a'))).subarray(0, 300),
    ],
    ['an archive that was cut off', 'document_unreadable', () => docxOf(paragraph('a')).subarray(0, 300)],
    [
      'a broken part',
      'document_unreadable',
      () => docxWith({ name: 'word/document.xml', bytes: Buffer.from('<w:document') }),
    ],
  ])('says so: %s (%s)', async (_what, code, bytes) => {
    expect(await faultOf(await bytes(), '')).toBe(code);
  });
});

describe('a hostile document', () => {
  const LITTLE: ExtractionLimits = { megabytes: 300, cpuMs: 20_000, patienceMs: 120_000 };
  const page = (contents: string) => `<< /Type /Page /Parent 2 0 R /Contents ${contents} >>`;
  const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
  const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
  const bomb = (members: string) => ({
    members: `${members} /Filter /FlateDecode`,
    stream: megabytesOf(' ', 700, false),
  });

  it('is refused before its bytes are looked at where there are too many', async () => {
    expect(await faultOf(Buffer.alloc(100 * 1024 * 1024, 'a,b\n'), 'rows.csv')).toBe('document_too_large');
  });

  it('is refused before anything is inflated where its archive says that it is too large', async () => {
    const part = { name: 'word/document.xml', bytes: Buffer.from('x'), declared: 0xffff_fffe };
    const limits = { ...LITTLE, megabytes: 200 };
    expect(await faultOf(docxWith(part), 'bomb.docx', limits)).toBe('document_too_large');
  });

  measured.each<[string, () => Buffer]>([
    [
      'an archive that lies about its size',
      () =>
        docxWith({
          name: 'word/document.xml',
          bytes: Buffer.from('x'),
          deflated: megabytesOf(' ', 700),
          declared: 1,
        }),
    ],
    ['a page that inflates', () => pdfObjects([CATALOG, PAGES, page('4 0 R'), bomb('')])],
  ])('is stopped by the memory that it takes: %s', async (_what, bytes) => {
    expect(await faultOf(bytes(), '', LITTLE)).toBe('document_too_large');
  });

  measured('is stopped by the time that it takes', async () => {
    const limits = { ...LITTLE, megabytes: 2_000, cpuMs: 1_500 };
    await expect(extract(slowPdf(), '', '', limits)).rejects.toThrow('takes too long');
  });

  it.each<[string, string, () => Buffer]>([
    [
      'more pages than a book',
      'document_too_large',
      () =>
        pdfObjects([
          CATALOG,
          `<< /Type /Pages /Kids [${'3 0 R '.repeat(5_001)}] /Count 5001 >>`,
          page('4 0 R'),
          { members: '', stream: Buffer.alloc(0) },
        ]),
    ],
    [
      'pages in a circle',
      'document_unreadable',
      () => pdfObjects([CATALOG, '<< /Type /Pages /Kids [2 0 R] /Count 3 >>']),
    ],
    [
      'elements within elements',
      'document_unreadable',
      () => docxOf(`${'<w:sdt><w:sdtContent>'.repeat(50_000)}${'</w:sdtContent></w:sdt>'.repeat(50_000)}`),
    ],
    [
      'arrays within arrays',
      'document_unreadable',
      () => pdfObjects([`<< /Type /Catalog /Pages 2 0 R /A ${'['.repeat(200_000)} >>`, PAGES, page('4 0 R')]),
    ],
  ])('ends as a clear fault: %s (%s)', async (_what, code, bytes) => {
    expect(await faultOf(bytes(), '')).toBe(code);
  });

  it('leaves nothing running once nobody waits for it', async () => {
    const leaving = new AbortController();
    const rows = Buffer.from('a,b,c,d\n'.repeat(2_000_000));
    const left = extraction.extractText({ bytes: rows, name: 'rows.csv', mime: '' }, leaving.signal);
    leaving.abort(new Error('nobody waits'));
    await expect(left).rejects.toThrow('nobody waits');
    expect(await textOf(Buffer.from('next'), 'note.txt')).toBe('next');
  });
});
