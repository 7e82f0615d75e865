import type { Schema } from './json-schema.js';
import { schemaFaults } from './schema-faults.js';

const schema: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 5 },
    price: { type: 'integer', minimum: 0, maximum: 9 },
    limit: {
      anyOf: [
        { type: 'object', properties: { of: { type: 'integer' } }, required: ['of'] },
        { type: 'null' },
      ],
    },
    vars: { type: 'object', additionalProperties: { type: 'object', required: ['value'] } },
    body: { $ref: '#/$defs/any' },
    value: { type: ['string', 'null'] },
    brand: { type: 'object', properties: { logo: {} }, additionalProperties: false },
    domains: { type: 'array', maxItems: 2, items: { type: 'string', pattern: '^[a-z]+$' } },
    nodes: {
      type: 'array',
      minItems: 1,
      items: {
        anyOf: [
          {
            type: 'object',
            properties: { id: { type: 'string' }, kind: { const: 'start' } },
            required: ['id', 'kind'],
          },
          {
            type: 'object',
            properties: {
              kind: { const: 'reply' },
              config: {
                type: 'object',
                properties: { message: { type: 'string' }, role: { enum: ['a', 'b'] } },
                required: ['message'],
              },
            },
            required: ['kind', 'config'],
          },
        ],
      },
    },
  },
  required: ['name', 'nodes'],
  $defs: { any: { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/any' } }] } },
};
const start = { id: 'start', kind: 'start' };
const faults = (more: object) =>
  schemaFaults({ name: 'x', nodes: [start], ...more }, schema).map(
    ({ path, message }) => `${path}: ${message}`,
  );

describe('faults against a schema', () => {
  it('are empty for a valid value', () => {
    expect(
      faults({ price: 1, limit: null, value: null, vars: { a: { value: 1 } }, body: ['x', ['y']], more: 1 }),
    ).toEqual([]);
  });

  it.each([
    [{ name: '' }, ['name: must not be empty']],
    [{ name: 'longer' }, ['name: must have at most 5 characters']],
    [{ name: 5 }, ['name: must be a text']],
    [{ price: 1.5 }, ['price: must be a whole number']],
    [{ price: -1 }, ['price: must be at least 0']],
    [{ price: 10 }, ['price: must be at most 9']],
    [{ limit: 5 }, ['limit: must be an object or null']],
    [{ limit: {} }, ['limit: "of" is missing']],
    [{ vars: { a: 1 } }, ['vars.a: must be an object']],
    [{ vars: JSON.parse('{"__proto__":{}}') as object }, ['vars.__proto__: "value" is missing']],
    [{ body: [1] }, ['body.0: must be a text or a list']],
    [{ value: 1 }, ['value: must be a text or null']],
    [{ brand: { logo: 1, odd: 1 } }, ['brand.odd: is not known here']],
    [{ domains: ['A'] }, ['domains.0: must match ^[a-z]+$']],
    [{ domains: ['a', 'b', 'c'] }, ['domains: must have at most 2 items']],
    [{ nodes: [] }, ['nodes: must have at least 1 item']],
    [{ nodes: [{ id: 'x' }] }, ['nodes.0: "kind" is missing']],
    [{ nodes: [{ kind: 'odd' }] }, ['nodes.0.kind: must be one of "start", "reply"']],
    [{ nodes: [start, { kind: 'reply' }] }, ['nodes.1: "config" is missing']],
    [
      { nodes: [{ kind: 'reply', config: { message: 1, role: 'c' } }] },
      ['nodes.0.config.message: must be a text', 'nodes.0.config.role: must be one of "a", "b"'],
    ],
    [{ nodes: ['x'] }, ['nodes.0: must be an object']],
  ])('%j', (more, expected) => expect(faults(more)).toEqual(expected));

  it('name missing members of the definition', () => {
    expect(schemaFaults({}, schema)).toEqual([
      { path: '', message: '"name" is missing' },
      { path: '', message: '"nodes" is missing' },
    ]);
    expect(schemaFaults(null, schema)).toEqual([{ path: '', message: 'must be an object' }]);
  });
});
