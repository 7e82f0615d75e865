import { cursorAt } from './cursor.js';
import type { Schema } from './json-schema.js';
import { readLoosely } from './loose-json.js';
import { templateNames } from './named-values.js';
import { overridablePaths } from './overridable-paths.js';
import { suggestionsFor } from './suggestions.js';

const node = (kind: string, config: Schema): Schema => ({
  type: 'object',
  properties: { id: { type: 'string' }, kind: { const: kind, description: `about ${kind}` }, config },
  required: ['id', 'kind', ...(config.required ? ['config'] : [])],
});
const kinds = [
  node('start', { type: 'object', properties: { state: { type: 'object' } } }),
  node('reply', {
    type: 'object',
    properties: { message: { type: 'string' } },
    required: ['message'],
  }),
  node('http', {
    type: 'object',
    properties: {
      method: { type: 'string', enum: ['GET', 'POST'] },
      credentialId: { type: 'string' },
      headers: {
        anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object', properties: { key: {} } } }],
      },
    },
  }),
  node('condition', { type: 'object' }),
];
const schema: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'What people see.' },
    exposeTrace: { type: 'boolean' },
    access: { type: 'object', properties: { apiKeyId: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
    overrides: { type: 'array', items: { type: 'string' } },
    nodes: {
      type: 'array',
      items: { anyOf: kinds },
    },
    edges: {
      type: 'array',
      items: { type: 'object', properties: { from: {}, to: {}, on: {} }, required: ['from', 'to'] },
    },
  },
  required: ['name', 'nodes'],
};
const known = {
  apiKeys: [{ id: 'k1', name: 'Website' }],
  credentials: [{ id: 'c1', name: 'Archive', kind: 'api-key' }],
};

/** `|` is the cursor. */
function offered(marked: string) {
  const position = marked.indexOf('|');
  const text = marked.replace('|', '');
  const root = readLoosely(text);
  const cursor = cursorAt(root, position);
  return cursor ? suggestionsFor(cursor, schema, root, known) : [];
}
const labels = (marked: string) => offered(marked).map(({ label }) => label);

describe('suggestions', () => {
  it('are the missing names, required ones first', () => {
    expect(labels('{"name": "x", |}')).toEqual([
      '"exposeTrace"',
      '"access"',
      '"overrides"',
      '"nodes"',
      '"edges"',
    ]);
    expect(offered('{|}')[0]).toMatchObject({
      label: '"name"',
      detail: 'required',
      first: true,
      info: 'What people see.',
    });
    expect(labels('{"na|"}')).toContain('"name"');
    expect(labels('{na|')).toContain('"name"');
    expect(offered('{"|": 1}')[0]!.insert).toBe('"name"');
    expect(offered('{"|"}')[0]!.insert).toBe('"name": "${}"');
  });

  it('are the kinds of nodes, and the config of the given kind, before or after it', () => {
    const kinds = ['"start"', '"reply"', '"http"', '"condition"'];
    expect(labels('{"nodes": [{"kind": |}]}')).toEqual(kinds);
    expect(labels('{"nodes": [{"kind": "re|"}]}')).toEqual(kinds);
    expect(offered('{"nodes": [{"kind": "|"}]}')[1]).toMatchObject({ info: 'about reply' });
    expect(labels('{"nodes": [{"kind": "reply", "config": {|}}]}')).toEqual(['"message"']);
    expect(labels('{"nodes": [{"config": {|}, "kind": "http"}]}')).toEqual([
      '"method"',
      '"credentialId"',
      '"headers"',
    ]);
  });

  it('cover all kinds while the kind is missing', () => {
    const [id, kind, config] = offered('{"nodes": [{|}]}');
    expect([id!.label, kind!.label, config!.label]).toEqual(['"id"', '"kind"', '"config"']);
    expect(kind).toMatchObject({ insert: '"kind": "${}"', detail: 'required', reopens: true });
    expect(config).toMatchObject({ insert: '"config": {${}}', detail: 'object' });
  });

  it('are whole nodes in the list of nodes', () => {
    expect(labels('{"nodes": [|]}')).toEqual(['{ start }', '{ reply }', '{ http }', '{ condition }']);
    expect(offered('{"nodes": [|]}')[1]!.insert).toBe(
      '{\n\t"id": "${}",\n\t"kind": "reply",\n\t"config": {\n\t\t"message": "${}"\n\t}\n}',
    );
  });

  it('are the possible values', () => {
    expect(labels('{"exposeTrace": |}')).toEqual(['true', 'false']);
    expect(labels('{"nodes": [{"kind": "http", "config": {"method": "|"}}]}')).toEqual(['"GET"', '"POST"']);
    expect(labels('{"nodes": [{"kind": "http", "config": {"headers": [{|}]}}]}')).toEqual(['"key"']);
    expect(labels('{"name": "|"}')).toEqual([]);
  });

  it('are the nodes of an edge and the branches of a node', () => {
    const nodes =
      '"nodes": [{"id": "start", "kind": "start"}, {"id": "if", "kind": "condition", "config": {"conditions": [{}, {}]}}]';
    expect(labels(`{${nodes}, "edges": [{"from": "|"}]}`)).toEqual(['"start"', '"if"']);
    expect(labels(`{${nodes}, "edges": [{"from": "if", "on": |}]}`)).toEqual(['"0"', '"1"', '"else"']);
    expect(labels(`{${nodes}, "edges": [{"from": "start", "on": |}]}`)).toEqual([]);
  });

  it('are the config values that callers may be allowed to set', () => {
    const model = { type: 'object', properties: { name: { type: 'string' }, baseUrl: { type: 'string' } } };
    const other = { type: 'object', properties: { provider: { const: 'x' }, seed: { type: 'number' } } };
    const llm = node('llm', { type: 'object', properties: { model: { anyOf: [model, other] }, text: {} } });
    const root: Schema = { ...schema, properties: { nodes: { items: { anyOf: [...kinds, llm] } } } };
    const nodes = ['start', 'http', 'llm', 'gone'].map((kind) => ({ id: `a-${kind}`, kind }));
    expect(overridablePaths(nodes, root)).toEqual([
      ...[
        'a-start.state',
        'a-http.method',
        'a-http.headers',
        'a-llm.model.name',
        'a-llm.model.seed',
        'a-llm.text',
      ],
    ]);
    const text = '"nodes": [{"id": "call", "kind": "http"}, {"id": "end", "kind": "reply"}]';
    const offers = ['"call.method"', '"call.headers"', '"end.message"'];
    expect(labels(`{${text}, "overrides": ["|"]}`)).toEqual(offers);
  });

  it('are the keys and credentials of the service, with their names', () => {
    expect(offered('{"access": {"apiKeyId": |}}')).toMatchObject([
      { label: '"k1"', detail: 'Website' },
      { label: 'null' },
    ]);
    expect(labels('{"nodes": [{"kind": "http", "config": {"credentialId": "|"}}]}')).toEqual(['"c1"']);
  });

  it('are references to parts of the definition', () => {
    const text =
      '{"vars": {"city": {}}, "nodes": [{"id": "start", "kind": "start", "config": {"state": {"step": 1}}}, {"id": "say", "kind": "reply"}]}';
    expect(templateNames(readLoosely(text)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['question', '$vars.city', '$flow.state.step', 'say', 'say.output']),
    );
  });

  it('are empty outside, and never throw', () => {
    expect(labels('{"name": "x"}|')).toEqual([]);
    const text =
      '{"name": "x", "nodes": [{"id": "a", "kind": "http", "config": {"headers": {"a": [1, {}]}}}], "edges": [{}]}';
    for (let at = 0; at <= text.length; at++)
      for (const cut of [text, text.slice(0, at)])
        expect(() => labels(`${cut.slice(0, at)}|${cut.slice(at)}`)).not.toThrow();
  });
});
