import { readLoosely } from './loose-json.js';
import { placeOf } from './places.js';
import { placed, readDefinition } from './read-definition.js';

const text = `{
  "name": "x",
  "nodes": [
    { "id": "start", "kind": "start" },
    { "id": "say", "config": { "message": 5, "a.b": { "c": 1 } } }
  ]
}`;
const at = (path: string) => {
  const { from, to } = placeOf(readLoosely(text), path);
  return text.slice(from, to);
};

describe('the place of a fault', () => {
  it.each([
    ['name', '"x"'],
    ['nodes', '"nodes"'],
    ['nodes.1.config.message', '5'],
    ['nodes.1.config', '"config"'],
    ['nodes.1', '{'],
    ['', '{'],
    ['nodes.1.config.a.b.c', '1'],
    ['nodes.1.config.missing', '"config"'],
    ['nodes.1.kind', '{'],
    ['nodes.7.id', '"nodes"'],
    ['edges.0.to', '{'],
    ['name.0', '"name"'],
  ])('%s', (path, shown) => expect(at(path)).toBe(shown));

  it('is the start of an empty text', () => {
    expect(placeOf(undefined, 'name')).toEqual({ from: 0, to: 0 });
  });
});

describe('a syntax error', () => {
  const faultOf = (broken: string) => {
    const reading = readDefinition(broken);
    if (!('fault' in reading)) throw new Error('is JSON');
    return reading.fault;
  };

  it('is reported with its place', () => {
    expect(faultOf('{"a": 1 "b": 2}').from).toBe(8);
    expect(faultOf('{"a": 1').from).toBe(6);
    expect(faultOf('{"a": x}').from).toBe(6);
    expect(faultOf('').from).toBe(0);
    for (const broken of ['{"a": 1 "b": 2}', '{', '', '[1,]', '{"a": "\n"}'])
      expect(faultOf(broken).message).toMatch(/^[A-Z][^\n]{5,90}\.$/);
  });

  it('keeps its place among faults found by path', () => {
    const { fault } = { fault: faultOf('{"name": tru}') };
    expect(placed('{"name": tru}', [fault, { path: 'name', message: 'x' }]).map(({ from }) => from)).toEqual([
      9,
      fault.from,
    ]);
  });
});
