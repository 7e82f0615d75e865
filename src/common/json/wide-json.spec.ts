import fc from 'fast-check';
import { joined, piecesOf } from './json-pieces.js';
import { parseWide } from './wide-json.js';

const NO_REST = () => Promise.resolve();
const inBytes = (text: string) => Uint8Array.from(Buffer.from(text));

describe('a JSON text of very many values', () => {
  it('has the same value when that was cut up and put together again', async () => {
    const container = fc
      .jsonValue({ maxDepth: 5, stringUnit: 'binary' })
      .map((value) => JSON.parse(JSON.stringify([value, { value, list: [value] }])) as unknown);
    await fc.assert(
      fc.asyncProperty(container, fc.integer({ min: 1, max: 6 }), async (value, most) => {
        expect(await joined(piecesOf(value, most), NO_REST)).toStrictEqual(value);
      }),
    );
  });

  it('comes in pieces of no more values than were asked for', () => {
    const value = { list: Array.from({ length: 1_000 }, () => ({ a: [1, 2, 3] })) };
    const pieces = piecesOf(value, 50).flatMap((piece) => ('add' in piece ? [piece.add] : []));
    expect(pieces.length).toBeGreaterThan(90);
    for (const piece of pieces) expect(piece.match(/[{[,]/g)!.length).toBeLessThanOrEqual(2 * 50 + 1);
  });

  it('keeps a member named __proto__ an ordinary one', async () => {
    const value = JSON.parse('{"__proto__":[1,2,3],"a":{"__proto__":1}}') as object;
    for (const most of [1, 2, 100]) {
      const again = (await joined(piecesOf(value, most), NO_REST)) as object;
      expect(Object.keys(again)).toEqual(['__proto__', 'a']);
      expect(Object.getPrototypeOf(again)).toBe(Object.prototype);
    }
  });

  it('is parsed in a thread, while others are served', async () => {
    const list = Array.from({ length: 300_000 }, (_, index) => ({ [`name ${index % 100}`]: 'é😀' }));
    const text = JSON.stringify({ list });
    let turns = 0;
    let over = false;
    const count = () => {
      turns += 1;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    const value = await parseWide(inBytes(text));
    over = true;
    expect(turns).toBeGreaterThan(50);
    expect(JSON.stringify(value)).toBe(text);
  });

  it('that is no JSON is refused, and the next one is parsed', async () => {
    const broken = parseWide(inBytes('[1,2,3'));
    const next = parseWide(inBytes('[1,2,3]'));
    await expect(broken).rejects.toEqual(expect.objectContaining({ code: 'invalid_request' }));
    expect(await next).toEqual([1, 2, 3]);
  });
});
