import { deflateSync } from 'node:zlib';
import { megabytesOf, pdfObjects } from '../../../test/support/document-files.js';
import { Clock } from '../../common/clock.js';
import { readDocument } from './read-document.js';
import { TextExtraction } from './text-extraction.js';

/** Reads a text in this process, for results that depend on its characters alone. */
async function written(bytes: Buffer, name: string): Promise<string> {
  const end = await readDocument({ bytes, name, mime: '' });
  return 'fault' in end ? end.fault.code : end.document.text;
}

const MILLION = 1_000_000;

describe('a text that means harm', () => {
  it.each<[string, string, string, string]>([
    ['a million empty columns', 'rows.csv', `${','.repeat(MILLION)}\n${','.repeat(MILLION)}\nx\n`, 'x'],
    ['a million rows of nothing', 'rows.csv', `${'\n'.repeat(MILLION)}x`, 'x'],
    ['a page whose comment never ends', 'page.html', `<html><p>Ten<!--${'-'.repeat(MILLION)}`, 'Ten'],
    [
      'a page whose script never ends',
      'page.html',
      `<html><p>Ten<script>${'</scrip'.repeat(MILLION)}`,
      'Ten',
    ],
    ['a page whose tag never ends', 'page.html', `<html><p>Ten<p ${'a '.repeat(MILLION)}`, 'Ten'],
    ['elements within elements', 'page.html', `<html>${'<div><b>'.repeat(MILLION)}Ten`, 'Ten'],
    ['NUL after a long sound beginning', 'note.txt', `${'a'.repeat(70_000)}\0b`, `${'a'.repeat(70_000)}b`],
    ['NUL at the beginning', 'note.txt', 'a\0b'.repeat(10), 'unsupported_type'],
    ['nothing but blanks', 'note.txt', ' \n'.repeat(MILLION), 'document_without_text'],
  ])('is read in a moment, or refused: %s', async (_what, name, text, read) => {
    expect(await written(Buffer.from(text), name)).toBe(read);
  });

  it('loses half characters, which no database takes', async () => {
    const halves = Buffer.from(`\ufeffThe boiler\ud800 is in the ${'hall '.repeat(20)}\udc00`, 'utf16le');
    const text = await written(halves, 'note.txt');
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain('The boiler\ufffd is in the hall');
  });

  it('says of names that it would repeat for ever that they are too long', async () => {
    const name = 'b'.repeat(MILLION);
    const rows = Buffer.from(`${name},c\n${'1,2\n'.repeat(30)}`);
    expect(await written(rows, 'rows.csv')).toBe('document_too_large');
  });
});

describe('a page that inflates twice', () => {
  const extraction = new TextExtraction(new Clock());
  afterAll(() => extraction.onApplicationShutdown());

  it('is stopped by the memory that it takes', async () => {
    const stream = deflateSync(megabytesOf(' ', 3_000, false));
    const bytes = pdfObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
      { members: '/Filter [/FlateDecode /FlateDecode]', stream },
    ]);
    expect(bytes.length).toBeLessThan(100_000);
    const read = extraction.extractText({ bytes, name: 'a.pdf', mime: '' }, new AbortController().signal);
    await expect(read).rejects.toMatchObject({ fault: { code: 'document_too_large' } });
  });
});
