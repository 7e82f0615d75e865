import fc from 'fast-check';
import { isUtf8 } from 'node:buffer';
import { type Charset, charsetNamed, declaredCharset } from './charset.js';
import { TextBuffer } from './text-buffer.js';

/** The text of bytes that come in pieces of this length. */
function decoded(bytes: Uint8Array, charset?: Charset, piece = 1_000): string {
  const text = new TextBuffer({ charset });
  for (let at = 0; at < bytes.length; at += piece) text.push(bytes.subarray(at, at + piece));
  text.end();
  return text.take().toString('utf8');
}

/** The offset that bytes are refused with; undefined where they are not. */
function offsetIn(bytes: Uint8Array, charset?: Charset, piece?: number): number | undefined {
  try {
    decoded(bytes, charset, piece);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ status: 400, code: 'invalid_encoding' });
    return (error as { errors: { offset: number }[] }).errors[0]!.offset;
  }
}

const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('a text that arrives', () => {
  it('is decoded by its charset, whatever its pieces', () => {
    const text = 'Zoë 😀 €';
    for (const piece of [1, 2, 3, 1_000]) {
      expect(decoded(Buffer.from(text), undefined, piece)).toBe(text);
      expect(decoded(Buffer.from(text, 'utf16le'), 'utf-16le', piece)).toBe(text);
      expect(decoded(bigEndian(text), 'utf-16be', piece)).toBe(text);
      expect(decoded(Buffer.from([0xe9, 0x80, 0x93, 0x9f, 0x41]), 'windows-1252', piece)).toBe('é€“ŸA');
      expect(decoded(Buffer.from([0xe9, 0xff, 0xa0]), 'iso-8859-1', piece)).toBe('éÿ\u00a0');
      expect(decoded(Buffer.from('plain'), 'us-ascii', piece)).toBe('plain');
    }
  });

  it('comes without its byte order mark', () => {
    for (const piece of [1, 1_000]) {
      expect(decoded(Buffer.from('\ufeffa'), undefined, piece)).toBe('a');
      expect(decoded(Buffer.from('\ufeffa', 'utf16le'), 'utf-16le', piece)).toBe('a');
      expect(decoded(bigEndian('\ufeffa'), 'utf-16be', piece)).toBe('a');
    }
  });

  it('has U+FFFD for half a surrogate pair', () => {
    for (const text of ['\ud83d', 'a\ud83db', '\ude00a'])
      for (const piece of [1, 1_000])
        expect(decoded(Buffer.from(text, 'utf16le'), 'utf-16le', piece)).toBe(text.toWellFormed());
  });

  it('is refused with the place of the first byte that its charset does not have', () => {
    for (const piece of [1, 2, 1_000]) {
      expect(offsetIn(Buffer.from('Zoë', 'latin1'), undefined, piece)).toBe(2);
      expect(offsetIn(Buffer.from('Zoë Gerät', 'latin1'), 'utf-8', piece)).toBe(2);
      expect(offsetIn(Buffer.from('é\xe9', 'latin1'), 'us-ascii', piece)).toBe(0);
      expect(offsetIn(Buffer.from('plain ë', 'latin1'), 'us-ascii', piece)).toBe(6);
      expect(offsetIn(Buffer.from([0x61, 0x00, 0x62]), 'utf-16le', piece)).toBe(2);
      expect(offsetIn(Buffer.from([0xff, 0xfe, 0x61, 0x00]), undefined, piece)).toBe(0);
      expect(offsetIn(Buffer.concat([Buffer.from('é€'), Buffer.from([0xf0, 0x9f])]), undefined, piece)).toBe(
        5,
      );
    }
  });

  it('is refused exactly where it is not UTF-8, behind the longest part that is', () => {
    const byte = fc.constantFrom(
      0x41,
      0x80,
      0xbf,
      0xc0,
      0xc3,
      0xe0,
      0xa0,
      0xed,
      0xf0,
      0x90,
      0xf4,
      0xf5,
      0xff,
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), fc.array(byte, { maxLength: 12 }), (some, more) => {
        const bytes = Buffer.from([...some, ...more]);
        const offset = offsetIn(bytes);
        expect(offset === undefined).toBe(isUtf8(bytes));
        for (const piece of [1, 3]) expect(offsetIn(bytes, undefined, piece)).toBe(offset);
        if (offset === undefined) return;
        expect(isUtf8(bytes.subarray(0, offset))).toBe(true);
        for (let end = offset + 1; end <= bytes.length; end++)
          expect(isUtf8(bytes.subarray(0, end))).toBe(false);
      }),
    );
  });
});

describe('a charset', () => {
  it.each([
    ['application/json', undefined],
    [undefined, undefined],
    ['application/json; charset=', undefined],
    ['application/json; charset=utf-8', 'utf-8'],
    ['application/json;CHARSET="UTF8"', 'utf-8'],
    ['text/plain; format=flowed; charset=Latin1', 'iso-8859-1'],
    ['text/plain; charset = cp1252 ', 'windows-1252'],
    ['text/plain; a="\\";charset=koi8-r"; charset=UTF-16BE', 'utf-16be'],
  ])('of %j is %j', (type, charset) => expect(declaredCharset(type)).toBe(charset));

  it.each(['koi8-r', 'utf-7', 'utf-16', 'constructor', 'x'.repeat(10_000)])(
    'that is not decoded is refused: %s',
    (name) => {
      const refused = expect.objectContaining({ status: 415, code: 'unsupported_media_type' }) as Error;
      expect(() => charsetNamed(name)).toThrow(refused);
      expect(() => charsetNamed(name)).toThrow('windows-1252');
    },
  );
});
