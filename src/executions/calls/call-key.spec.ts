import type { Request } from 'express';
import { fieldsFingerprint, idempotencyKeyOf } from './call-key.js';

const requestWith = (value: unknown) => ({ headers: { 'idempotency-key': value } }) as unknown as Request;

describe('the Idempotency-Key header', () => {
  it('is 1 to 255 visible ASCII characters', () => {
    expect(idempotencyKeyOf(requestWith(undefined))).toBeUndefined();
    expect(idempotencyKeyOf(requestWith('order-17/a~!'))).toBe('order-17/a~!');
    expect(idempotencyKeyOf(requestWith('k'.repeat(255)))).toHaveLength(255);
    for (const wrong of ['', 'k'.repeat(256), 'two words', 'é', 'a\tb', ['a', 'b']]) {
      expect(() => idempotencyKeyOf(requestWith(wrong))).toThrow(
        expect.objectContaining({ status: 400, code: 'invalid_request' }),
      );
    }
  });

  it('compares requests by their fields, not by the order of members', () => {
    expect(fieldsFingerprint({ a: 1, b: { c: [1, 2], d: 'x' } })).toBe(
      fieldsFingerprint({ b: { d: 'x', c: [1, 2] }, a: 1 }),
    );
    for (const other of [{ a: 2 }, { a: '1' }, { a: 1, b: null }, [['a', 1]], { a: [1] }]) {
      expect(fieldsFingerprint(other)).not.toBe(fieldsFingerprint({ a: 1 }));
    }
  });
});
