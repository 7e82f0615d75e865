import type { Json } from '../engine/json.js';
import { compileSchema, isSupported } from './compile-schema.js';

const fault = (schema: Json, value: Json): string | undefined => compileSchema(schema)(value);

const list = { type: 'array' };

describe('the check of a schema', () => {
  it.each<[schema: Json, fitting: Json[], other: Json[]]>([
    // Sizes of lists without `items`.
    [{ ...list, minItems: 2 }, [[1, 2]], [[1], {}]],
    [{ ...list, maxItems: 1 }, [[], [1]], [[1, 2]]],
    [{ ...list, minItems: 1 }, [['a']], [[]]],
    // Keywords without `type` apply to values of their type alone.
    [{ items: { type: 'string' } }, [['a'], 1, null], [[1]]],
    [{ minimum: 3 }, [3, 'a'], [2]],
    [{ minLength: 3 }, ['abc', 2, []], ['a']],
    [{ minItems: 1 }, [[1], 'a'], [[]]],
    [{ minProperties: 1 }, [{ a: 1 }, 1], [{}]],
    [{ properties: { a: { minimum: 3 } } }, [{}, { a: 3 }, [1], 'a'], [{ a: 2 }]],
    [{ properties: { a: true }, additionalProperties: false }, [{ a: 1 }, 1], [{ b: 1 }]],
    [{ properties: { a: { items: { required: ['b'] } } } }, [{ a: [{ b: 1 }] }], [{ a: [{}] }]],
    [{ type: ['array', 'null'], minItems: 1 }, [null, [1]], [[], 1]],
    // Required members, also such that are not described.
    [{ type: 'object', required: ['a'] }, [{ a: null }], [{}, []]],
    [{ required: ['a'] }, [{ a: 1 }, []], [{ b: 1 }]],
    [
      { type: 'object', required: ['a'], additionalProperties: { type: 'string' } },
      [{ a: 'x' }],
      [{ a: 1 }, {}],
    ],
    [{ type: 'object', properties: { a: { default: 1 } }, required: ['a'] }, [{ a: 2 }], [{}]],
    // Values of any form.
    [{ const: { a: 1, b: [2] } }, [{ b: [2], a: 1 }], [{ a: 1 }, { a: 1, b: [2], c: 3 }, { a: 1, b: [] }, 1]],
    [{ type: 'object', const: { a: 1 } }, [{ a: 1 }], [{ a: 1, b: 2 }]],
    [{ const: {} }, [{}], [{ a: 1 }, []]],
    [{ const: [] }, [[]], [[1], {}]],
    [{ const: null }, [null], [0]],
    [{ enum: [{ a: 1 }, 'b'] }, [{ a: 1 }, 'b'], [{ a: 2 }, 'a']],
    [{ properties: { a: { const: [1] } } }, [{ a: [1] }, {}], [{ a: [2] }, { a: [1, 1] }]],
    [{ type: 'string', enum: ['a', 1] }, ['a'], [1]],
    [{ enum: ['a', 'abc'], minLength: 2 }, ['abc'], ['a', 'b']],
    // Members with the names of keywords.
    [
      { type: 'object', properties: { properties: list, required: { type: 'boolean' }, enum: list } },
      [{ properties: [], required: true, enum: [] }],
      [{ properties: 1 }, { required: 1 }, { enum: 1 }],
    ],
    [{ type: 'object', properties: { pattern: { type: 'string' } } }, [{ pattern: 'a' }], [{ pattern: 1 }]],
    // Several keywords together.
    [
      { properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      [{ a: 'x' }, { b: 1 }],
      [{}, { a: 1 }],
    ],
    [
      {
        properties: { a: true },
        additionalProperties: false,
        anyOf: [{ required: ['a'] }, { type: 'null' }],
      },
      [{ a: 1 }, null],
      [{}, { a: 1, b: 1 }],
    ],
    [
      { allOf: [{ properties: { a: true }, additionalProperties: false }, { minProperties: 1 }] },
      [{ a: 1 }],
      [{ a: 1, b: 1 }, {}],
    ],
    [{ anyOf: [{ minimum: 3 }], oneOf: [{ maximum: 5 }], allOf: [{ multipleOf: 2 }] }, [4], [2, 6, 5]],
    [{ $ref: '#/$defs/a', minLength: 2, $defs: { a: { maxLength: 3 } } }, ['ab'], ['a', 'abcd']],
    [{ type: 'object', patternProperties: { '^x': {} }, additionalProperties: false }, [{ xa: 1 }], [1]],
  ])('%j', (schema, fitting, other) => {
    expect(isSupported(schema)).toBe(true);
    expect(fitting.filter((value) => fault(schema, value) !== undefined)).toEqual([]);
    expect(other.filter((value) => fault(schema, value) === undefined)).toEqual([]);
  });

  it('says what is wrong in the words of the type of the value', () => {
    expect(fault({ items: { type: 'string' } }, [1])).toBe('0: must be a text');
    expect(fault({ properties: { a: { items: { required: ['b'] } } } }, { a: [{}] })).toMatch(/^a\.0\.b: /);
    expect(fault({ type: 'object', properties: { a: { minLength: 1 } }, required: ['a'] }, {})).toBe(
      'a: is missing',
    );
    expect(fault({ type: 'string', enum: ['a', 'b'] }, 1)).toBe('must be "a" or "b"');
  });

  it('does not accept keywords that it cannot check', () => {
    expect([{ if: {} }, { not: { type: 'string' } }, { $ref: '#/$defs/a' }].map(isSupported)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('names a missing member that it does not describe', () => {
    expect(compileSchema({ required: ['a'] })({})).toBe('a: is missing');
  });
});
