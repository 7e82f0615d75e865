import fc from 'fast-check';
import { JsonScan } from './json-scan.js';

/** Reads a text in pieces of so many bytes, as it may arrive. */
function read(text: string, piece = Infinity): { scan: JsonScan; text: string } {
  const bytes = Buffer.from(text);
  const scan = new JsonScan();
  for (let end = 0; end < bytes.length;) {
    end = Math.min(bytes.length, end + piece);
    scan.read(bytes, end);
  }
  return { scan, text: bytes.toString('utf8') };
}

/** Members and elements, however deep. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  return members.reduce((sum: number, member) => sum + 1 + valuesIn(member), 0);
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [storable(name), storable(member)]),
  );
}

const anyJson = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' });

describe('the scan of JSON', () => {
  it('counts every member and every element, in whatever pieces the text comes', () => {
    fc.assert(
      fc.property(anyJson, fc.integer({ min: 1, max: 7 }), (value, piece) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        expect(read(JSON.stringify(value, null, piece % 3), piece).scan.values).toBe(valuesIn(parsed));
      }),
    );
  });

  it('leaves a text whose value has nothing that cannot be stored, and is otherwise the same', () => {
    const texts = fc.string({
      unit: fc.constantFrom('\0', '\ud800', '\udc00', 'a', '\\', '"', '😀', 'é', '\n'),
    });
    fc.assert(
      fc.property(fc.dictionary(texts, texts), fc.integer({ min: 1, max: 7 }), (value, piece) => {
        const { text } = read(JSON.stringify(value), piece);
        expect(JSON.parse(text)).toEqual(storable(value));
      }),
    );
  });

  it.each([
    ['"\\u0000"', '\ufffd'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\uD83D\\uDE00"', '😀'],
    ['"\\ud83d"', '\ufffd'],
    ['"\\ud83d\\n"', '\ufffd\n'],
    ['"\\ude00\\ud83d"', '\ufffd\ufffd'],
    ['"\\ud83d\\ud83d\\ude00"', '\ufffd😀'],
    ['"\\\\u0000"', '\\u0000'],
    ['"\\\\\\u0000"', '\\\ufffd'],
  ])('reads the escapes of %s', (text, value) => {
    for (const piece of [1, 2, 5, 6, 7, 100]) expect(JSON.parse(read(text, piece).text)).toBe(value);
  });

  it('leaves to the parser what is no JSON', () => {
    for (const text of ['"\\u00', '"\\u00zz"', '"\\', '"\\ud83d\\u', '"\\ud83d\\u00', '}{', ',,'])
      expect(read(text, 1).text).toBe(text);
  });

  it('does not count what stands in strings', () => {
    expect(read('"[1,2,{\\"a\\":[,,,"').scan.values).toBe(0);
    expect(read('["[,", "],{", "\\\\", "\\","]').scan.values).toBe(4);
  });

  it('counts nothing of what is empty', () => {
    expect(read('{ }').scan.values).toBe(0);
    expect(read('[[ ], {\n}, []]').scan.values).toBe(3);
  });

  it('knows white space from a value', () => {
    expect(read(' \r\n\t').scan.blank).toBe(true);
    for (const text of ['1', ' true', '"', '[', '-']) expect(read(text).scan.blank).toBe(false);
  });

  it('refuses nesting of more than 64 levels as soon as it comes, and none less', () => {
    const nested = (depth: number) => '[{"a":'.repeat(depth / 2);
    expect(() => read(nested(64), 3)).not.toThrow();
    expect(() => read('['.repeat(64) + ']'.repeat(64) + '[]')).not.toThrow();
    expect(() => read(`${nested(64)}[`, 3)).toThrow(expect.objectContaining({ code: 'json_too_deep' }));
  });
});
