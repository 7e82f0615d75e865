import { charsetOfFile, textOfFile } from '../../common/texts/text-encoding.js';
import { jsonBytesOf } from './text-file.js';

const inJson = (bytes: Buffer) => Buffer.byteLength(JSON.stringify(textOfFile(bytes))) - 2;

describe('the bytes of a text inside of JSON', () => {
  it.each([
    ['letters', 'Küche, 厨房, 😀, \u2028 and \ufeff'],
    ['quotes and lines', '"a\\b"\r\n\t\b\f'],
    ['control characters', String.fromCharCode(...Array(32).keys(), 0x7f)],
    ['nothing', ''],
  ])('are known before it is written: %s', (_, text) => {
    const bytes = Buffer.from(text);
    expect(jsonBytesOf(bytes, 'utf-8')).toBe(inJson(bytes));
  });

  it('are not fewer than known where they are not UTF-8', () => {
    for (const bytes of [
      Buffer.alloc(100, 0xff),
      Buffer.from([0xe2, 0x82, 0x61, 0xf0, 0x9f, 0x98, 0x01]),
      Buffer.from('\ufeff\u0001\u0002厨', 'utf16le'),
    ])
      expect(jsonBytesOf(bytes, charsetOfFile(bytes))).toBeGreaterThanOrEqual(inJson(bytes));
  });
});
