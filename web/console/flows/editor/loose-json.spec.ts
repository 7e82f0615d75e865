import { type LooseNode, nodeAt, readLoosely, textAt } from './loose-json.js';

/** Back to a value, to compare with `JSON.parse`. */
function valueOf(node: LooseNode | undefined): unknown {
  if (node?.type === 'array') return node.items.map(valueOf);
  if (node?.type !== 'object') return node?.value;
  return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(value)]));
}

describe('JSON that is still being written', () => {
  it.each([
    '{}',
    '[]',
    '"a \\"quoted\\" \\u00e9 text"',
    '-1.5e3',
    'null',
    '{"a":{"b":[1,true,null,{"c":"{}[],:"}]},"":0}',
    '[[[]],{"a":[]}]',
  ])('is read as JSON when it is complete: %s', (text) => {
    expect(valueOf(readLoosely(text))).toEqual(JSON.parse(text));
    const spaced = JSON.stringify(JSON.parse(text), null, 2);
    expect(valueOf(readLoosely(spaced))).toEqual(JSON.parse(text));
  });

  it.each([
    ['{"a": , "b": 1}', { a: undefined, b: 1 }],
    ['{"a" "b": 1}', { a: undefined, b: 1 }],
    ['{"a": {"b": [1, 2', { a: { b: [1, 2] } }],
    ['{"a": "no end\n "b": 2}', { a: 'no end', b: 2 }],
    ['{ki}', { ki: undefined }],
    ['{"a": tru, "b": 1}', { a: undefined, b: 1 }],
    ['[1 2, , 3', [1, 2, 3]],
    ['{"a": [1}', { a: [1] }],
    ['{"a": "x\\', { a: 'x\\' }],
  ])('is read when it is incomplete: %s', (text, value) => {
    expect(valueOf(readLoosely(text))).toEqual(value);
  });

  it('has the last of equal names, as in JSON', () => {
    expect(textAt(readLoosely('{"a":"1","a":"2"}'), 'a')).toBe('2');
    expect(nodeAt(readLoosely('{"a":1}'), ['__proto__'])).toBeUndefined();
    expect(nodeAt(readLoosely('{"__proto__":1}'), ['__proto__'])).toMatchObject({ value: 1 });
  });

  it('is read to an end for any input and depth', () => {
    for (const text of ['', ' ', ',,:', ']', '}', '{]', '[}', '"', '{"', '[[}]]', '\\', '{:}', '{,:"":,}'])
      expect(() => readLoosely(text)).not.toThrow();
    for (const deep of ['['.repeat(200_000), '{"a":'.repeat(200_000)])
      expect(() => readLoosely(deep)).not.toThrow();
  });
});
