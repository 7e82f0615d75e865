import { jsonErrorAt } from './json-error.js';

describe('the place at which a text stops being JSON', () => {
  it.each([
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['{a: 1}', 1],
    ['[1 2]', 3],
    ['[1, }', 4],
    ['{"a": tru}', 6],
    ['{"a": "b\nc"}', 6],
    ['[01]', 2],
    ['{} x', 3],
    ['{"a": [1, 2', 11],
    ['', 0],
    ['not', 0],
    ['{"a": {"b": [true, null, -1.5e3, "\\u00e9"]}} ,', 45],
  ])('%j: %i', (text, at) => {
    expect(jsonErrorAt(text)).toBe(at);
    expect(() => JSON.parse(text) as unknown).toThrow();
  });
});
