import type { Schema } from '../editor/json-schema.js';
import { newConfig, newValue } from '../editor/new-value.js';
import { labelOf, wayOf, waysOf } from './field-kind.js';

const tool = (name: string, more: Schema = {}): Schema => ({
  type: 'object',
  properties: { tool: { type: 'string', const: name }, ...more.properties },
  required: ['tool', ...(more.required ?? [])],
});

describe('the way in which a value is entered', () => {
  const looks = (schema: Schema) => waysOf(schema, {}).map(({ look }) => look);

  it('follows its schema', () => {
    expect(looks({ type: 'string' })).toEqual(['text']);
    expect(looks({ type: 'string', enum: ['a', 'b'] })).toEqual(['choice']);
    expect(looks({ type: 'integer' })).toEqual(['number']);
    expect(looks({ type: ['string', 'number', 'boolean', 'null'] })).toEqual(['text']);
    expect(looks({ type: 'object' })).toEqual(['names']);
    expect(looks({ type: 'object', properties: {} })).toEqual(['members']);
    expect(looks({ anyOf: [{ anyOf: [{ type: 'string' }, { type: 'array' }] }, { type: 'null' }] })).toEqual([
      ...['text', 'list'],
    ]);
    expect(looks({})).toEqual(['raw']);
  });

  it('is that of the alternative that the value is now', () => {
    const ways = waysOf({ oneOf: [tool('http'), tool('flow')] }, {});
    expect(ways.map(({ mark }) => mark)).toEqual([
      ['tool', 'http'],
      ['tool', 'flow'],
    ]);
    expect(wayOf(ways, { tool: 'flow' })?.mark?.[1]).toBe('flow');
    expect(wayOf(ways, undefined)?.mark?.[1]).toBe('http');
    expect(wayOf(ways, 'neither')).toBeUndefined();
    expect(wayOf(waysOf({ type: ['string', 'number'] }, {}), 7)?.look).toBe('text');
  });

  it('is labelled in words', () => {
    expect(['maxTokens', 'timeoutMs', 'baseUrl', 'credentialId', 'url'].map(labelOf)).toEqual([
      ...['Max tokens', 'Timeout (ms)', 'Base URL', 'Credential id', 'URL'],
    ]);
  });
});

describe('a new value', () => {
  it('has the required members, and the first of its alternatives', () => {
    const message = { type: 'string' };
    const schema = tool('http', { properties: { url: message, more: message }, required: ['url'] });
    expect(newValue({ oneOf: [schema, tool('flow')] }, {})).toEqual({ tool: 'http', url: '' });
    const conditions: Schema = { type: 'array', items: { type: 'object', properties: {} } };
    const config: Schema = { type: 'object', properties: { conditions }, required: ['conditions'] };
    const node: Schema = { properties: { kind: { const: 'condition' }, config } };
    const root: Schema = { properties: { nodes: { items: { anyOf: [node] } } } };
    expect(newConfig(root, 'condition')).toEqual({ conditions: [{}] });
    expect(newConfig(root, 'unknown')).toEqual({});
  });
});
