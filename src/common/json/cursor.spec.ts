import { z } from 'zod';
import { cursorOf, readCursor } from './cursor.js';

const position = z.tuple([z.int(), z.string()]);

describe('the cursor of a list', () => {
  it('says where a page ended, whatever stands in it, in signs that an address may hold', () => {
    for (const place of [
      [0, ''],
      [1_767_225_600_000, 'Küche/"1"?&=+'],
      [-1, '__proto__'],
    ] as const) {
      const cursor = cursorOf(place);
      expect(cursor).toMatch(/^[\w-]*$/);
      expect(readCursor(cursor, position)).toEqual(place);
    }
  });

  it('is refused where this list did not make it', () => {
    const deep = Buffer.from('['.repeat(100) + ']'.repeat(100)).toString('base64url');
    for (const other of ['', 'x', '!!', cursorOf([1]), cursorOf(['1', 'a']), cursorOf([1, 'a', 'b']), deep])
      expect(() => readCursor(other, position)).toThrow(
        expect.objectContaining({
          status: 400,
          code: 'invalid_request',
          errors: [{ path: 'cursor', message: expect.any(String) }],
        }),
      );
  });
});
