import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lastValueFrom, toArray } from 'rxjs';
import { type FakeModel, type FakeRequest, startFakeModel } from '../../../test/support/fake-model.js';
import { AppConfig } from '../../common/app-config.js';
import { Logger } from '../../common/logger.js';
import { OutboundHttp } from '../../common/outbound-http.js';
import { compileGraph } from '../engine/flow-graph.js';
import { type FlowInput, runFlow } from '../engine/flow-runner.js';
import type { Json } from '../engine/json.js';
import type { RunEvent } from '../engine/run-event.js';
import { CredentialSource } from '../models/credential-source.js';
import { LanguageModels } from '../models/language-models.js';
import { NodeKindRegistry } from './node-kind-registry.js';
import { BuiltInKinds } from './node-kinds.js';
import { pieces } from './reply.node.js';

let model: FakeModel;
let server: Server;
let asked: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
let respond: { status: number; type: string; body: string };
const clients: OutboundHttp[] = [];

beforeAll(async () => {
  model = await startFakeModel();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push({ method: request.method!, url: request.url!, headers: request.headers, body });
      response.writeHead(respond.status, { 'content-type': respond.type }).end(respond.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await model.close();
  server.close().closeAllConnections();
  for (const client of clients) await client.onModuleDestroy();
});
beforeEach(() => {
  asked = [];
  model.requests.length = 0;
  model.answers.length = 0;
  respond = { status: 200, type: 'application/json', body: '{"town":{"name":"Leeds"}}' };
});

const port = () => (server.address() as AddressInfo).port;

const kindsFor = (env: Record<string, string> = {}) => {
  const config = AppConfig.from({ DATA_DIR: '/nowhere', OUTBOUND_ALLOW: `127.0.0.1:${port()}`, ...env });
  const registry = new NodeKindRegistry();
  const [http, credentials] = [new OutboundHttp(config), new CredentialSource()];
  clients.push(http);
  new BuiltInKinds(
    registry,
    new LanguageModels(config, credentials, new Logger('silent')),
    http,
    credentials,
  );
  return registry.all;
};

type Nodes = { kind: string; config: Record<string, Json> }[];

/** Runs start and then the given nodes, one after another (`n0`, `n1` …). */
const run = async (
  nodes: Nodes,
  input: Partial<FlowInput> = {},
  options: { env?: Record<string, string>; signal?: AbortSignal; start?: Record<string, Json> } = {},
): Promise<RunEvent[]> => {
  const graph = compileGraph({
    nodes: [
      { id: 'start', kind: 'start', config: options.start ?? {} },
      ...nodes.map((node, index) => ({ id: `n${index}`, ...node })),
    ],
    edges: nodes.map((_, index) => ({ from: index === 0 ? 'start' : `n${index - 1}`, to: `n${index}` })),
  });
  const given: FlowInput = {
    executionId: 'e',
    flowId: 'f',
    chatId: 'c',
    sessionId: 'c',
    question: 'How are you?',
    uploads: [],
    history: async (limit) =>
      [1, 2, 3]
        .flatMap((n) => [
          { role: 'user' as const, content: `q${n}` },
          { role: 'assistant' as const, content: `a${n}` },
        ])
        .slice(-(limit ?? 100)),
    vars: new Map(),
    publicUrl: '',
    state: {},
    ...input,
  };
  const { signal = new AbortController().signal } = options;
  let id = 0;
  const now = () => 0;
  return lastValueFrom(
    runFlow(graph, kindsFor(options.env), given, { signal, now, newId: () => `${++id}` }).pipe(toArray()),
  );
};
const resultOf = (events: RunEvent[]) => {
  const last = events.at(-1)!;
  if (last.type !== 'finished') throw new Error(JSON.stringify(last));
  return last.result;
};
const failureOf = (events: RunEvent[]) => {
  const last = events.at(-1)!;
  if (last.type !== 'failed') throw new Error(JSON.stringify(last));
  return last.failure.message;
};
const tokensOf = (events: RunEvent[]) =>
  events.flatMap((event) => (event.type === 'token' ? [event.text] : []));
const outputOf = (events: RunEvent[], nodeId: string) =>
  events.flatMap((event) =>
    event.type === 'node-ended' && event.run.nodeId === nodeId ? [event.run] : [],
  )[0]!;
const branchOf = async (condition: Json, input: Partial<FlowInput> = {}) =>
  outputOf(await run([{ kind: 'condition', config: { conditions: [condition] } }], input), 'n0').output;

describe('start', () => {
  it('gives the state its first values, and leaves those that the chat knows', async () => {
    const events = await run(
      [{ kind: 'reply', config: { message: '{{$flow.state.a}}{{$flow.state.b}}' } }],
      { state: { a: 1 } },
      { start: { state: { a: 0, b: 0 } } },
    );
    expect(resultOf(events)).toMatchObject({ text: '10', state: { a: 1, b: 0 }, stateChanged: true });
  });
});

describe('reply', () => {
  it('streams its message in a few pieces, cut after words', async () => {
    const events = await run([{ kind: 'reply', config: { message: 'You asked: {{question}}' } }]);
    expect(tokensOf(events)).toEqual(['You ', 'asked: ', 'How ', 'are ', 'you?']);
    expect(resultOf(events).text).toBe('You asked: How are you?');
  });

  it('never makes more than eight pieces, and loses nothing', () => {
    for (const text of ['', 'x', ' ', 'x'.repeat(10_000), 'a b '.repeat(5_000), '  a  b  ']) {
      expect(pieces(text).join('')).toBe(text);
      expect(pieces(text).length).toBeLessThanOrEqual(8);
    }
  });
});

describe('set-state', () => {
  it('sets values and keeps their types', async () => {
    const config = { state: { q: '{{question}}!', list: '{{$vars.list}}' } };
    const nodes = [
      { kind: 'set-state', config },
      { kind: 'reply', config: { message: '{{$flow.state.list.1}}' } },
    ];
    const result = resultOf(await run(nodes, { vars: new Map([['list', [1, 2]]]) }));
    expect(result).toMatchObject({ text: '2', state: { q: 'How are you?!', list: [1, 2] } });
  });
});

describe('condition', () => {
  const string = (value1: string, operation: string, value2 = '') => ({
    type: 'string',
    value1,
    operation,
    value2,
  });
  const number = (value1: Json, operation: string, value2: Json = 0) => ({
    type: 'number',
    value1,
    operation,
    value2,
  });

  it.each<[Json, boolean]>([
    [string('abc', 'contains', 'b'), true],
    [string('abc', 'notContains', 'b'), false],
    [string('abc', 'startsWith', 'ab'), true],
    [string('abc', 'endsWith', 'bc'), true],
    [string('abc', 'equal', 'ABC'), false],
    [string('abc', 'notEqual', 'x'), true],
    [string('room 12', 'regex', '^room \\d+$'), true],
    [string('room', 'regex', '('), false],
    [string('  ', 'isEmpty'), true],
    [string('{{$flow.state.nothing}}', 'isEmpty'), true],
    [string('{{$flow.state.nothing}}', 'notEmpty'), false],
    [string('{{question}}', 'notEmpty'), true],
    [number('11', 'larger', 2), true],
    [number('1e1', 'equal', 10), true],
    [number('3', 'smaller', '3'), false],
    [number('3', 'smallerEqual', '3'), true],
    [number('3', 'largerEqual', '4'), false],
    [number('x', 'smaller', '4'), false],
    [number('x', 'notEqual', '4'), true],
    [number('', 'isEmpty'), true],
    [{ type: 'boolean', value1: 'TRUE', operation: 'equal', value2: true }, true],
    [{ type: 'boolean', value1: '', operation: 'notEqual', value2: true }, true],
  ])('%j is %s', async (condition, expected) => {
    expect(await branchOf(condition)).toMatchObject({ branch: expected ? '0' : 'else' });
  });

  it('reads a hostile pattern in linear time', async () => {
    const started = performance.now();
    await branchOf(string('{{question}}', 'regex', '^(a+)+$'), { question: `${'a'.repeat(50_000)}!` });
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe('http', () => {
  const http = (config: Record<string, Json>) => [
    { kind: 'http', config: { url: `http://127.0.0.1:${port()}/x`, ...config } },
  ];

  it('gives status, headers and data, and answers the body', async () => {
    const events = await run(http({ query: { q: '{{question}}' }, headers: { 'X-Token': 'secret' } }));
    expect(asked[0]).toMatchObject({
      method: 'GET',
      url: '/x?q=How+are+you%3F',
      headers: { 'x-token': 'secret' },
    });
    expect(outputOf(events, 'n0').output).toMatchObject({ status: 200, data: { town: { name: 'Leeds' } } });
    expect(JSON.stringify(outputOf(events, 'n0').input)).not.toContain('secret');
    expect(resultOf(events).text).toBe('{"town":{"name":"Leeds"}}');
  });

  it('takes headers and query as lists of key and value, too', async () => {
    const headers = [{ key: 'X-Token', value: 'secret' }];
    const events = await run(http({ query: [{ key: 'q', value: '{{question}}' }], headers }));
    expect(asked[0]).toMatchObject({ url: '/x?q=How+are+you%3F', headers: { 'x-token': 'secret' } });
    expect(JSON.stringify(outputOf(events, 'n0').input)).not.toContain('secret');
  });

  it('fails when the target answers 400 or more', async () => {
    respond = { status: 404, type: 'text/plain', body: 'not here' };
    expect(failureOf(await run(http({})))).toBe('The target answered 404: not here');
  });

  it('keeps what a caller wrote inside of its member of a JSON body', async () => {
    await run(http({ method: 'POST', body: { q: '{{question}}', n: 1 } }), { question: '","admin":"1' });
    expect(JSON.parse(asked[0]!.body)).toEqual({ q: '","admin":"1', n: 1 });
    expect(asked[0]!.headers['content-type']).toBe('application/json');
  });

  it('encodes forms', async () => {
    await run(
      http({ method: 'POST', bodyType: 'xWwwFormUrlencoded', body: { a: 'x&y', b: '{{question}}' } }),
    );
    expect(asked[0]!.body).toBe('a=x%26y&b=How+are+you%3F');
    await run(http({ method: 'POST', bodyType: 'formData', body: [{ key: 'a', value: 'x' }] }));
    expect(asked[1]!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(asked[1]!.body).toContain('name="a"');
  });

  it('does not reach a private address that is not allowed', async () => {
    const events = await run(http({}), {}, { env: { OUTBOUND_ALLOW: '127.0.0.1:1' } });
    expect(failureOf(events)).toMatch(/not public/);
    expect(asked).toHaveLength(0);
  });
});

describe('llm', () => {
  const choice = () => ({ provider: 'openai-compatible', name: 'fake', baseUrl: model.url });
  const llm = (config: Record<string, Json> = {}) => [
    { kind: 'llm', config: { model: choice(), ...config } },
  ];
  const sent = (request: FakeRequest | undefined = model.requests[0]) =>
    (request!.body.messages as { role: string; content: unknown }[]).map(({ role, content }) => [
      role,
      content,
    ]);

  it('streams the tokens of the model, counts them, and remembers the chat', async () => {
    const events = await run(llm({ messages: [{ role: 'system', content: 'Be {{$vars.mood}}.' }] }), {
      vars: new Map([['mood', 'kind']]),
    });
    expect(tokensOf(events)).toEqual(['Hello', ' there']);
    expect(resultOf(events)).toMatchObject({
      text: 'Hello there',
      tokens: { inputTokens: 7, outputTokens: 2 },
    });
    expect(sent().at(0)).toEqual(['system', 'Be kind.']);
    expect(sent().slice(1, 3)).toEqual([
      ['user', 'q1'],
      ['assistant', 'a1'],
    ]);
    expect(sent().at(-1)).toEqual(['user', 'How are you?']);
  });

  it('remembers a window, or nothing', async () => {
    await run(llm({ memory: { kind: 'window', size: 1 } }));
    expect(sent()).toEqual([
      ['user', 'q3'],
      ['assistant', 'a3'],
      ['user', 'How are you?'],
    ]);
    await run(llm({ memory: { kind: 'none' }, userMessage: 'Translate: {{question}}' }));
    expect(sent(model.requests[1])).toEqual([['user', 'Translate: How are you?']]);
  });

  it('summarises what is older than the window', async () => {
    model.answers.push({ tokens: ['They', ' talked.'] });
    const events = await run(llm({ memory: { kind: 'summary', size: 1 } }));
    expect(sent(model.requests[1])[0]).toEqual(['user', 'Summary of our conversation so far: They talked.']);
    expect(sent(model.requests[1])).toHaveLength(4);
    expect(resultOf(events).tokens).toEqual({ inputTokens: 14, outputTokens: 4 });
  });

  it('does not ask twice when the config holds the question', async () => {
    await run(llm({ messages: [{ role: 'user', content: 'Say: {{question}}' }], memory: { kind: 'none' } }));
    expect(sent()).toEqual([['user', 'Say: How are you?']]);
  });

  it('shows the pictures of the call to the model', async () => {
    const bytes = Buffer.from('picture');
    await run(llm({ memory: { kind: 'none' } }), {
      uploads: [{ type: 'file', name: 'a.png', mime: 'image/png', bytes }],
    });
    expect(JSON.stringify(sent())).toContain(`data:image/png;base64,${bytes.toString('base64')}`);
  });

  it('uses DEFAULT_MODEL_* where the node names no model, and sends that key nowhere else', async () => {
    const env = {
      DEFAULT_MODEL_BASE_URL: model.url,
      DEFAULT_MODEL_NAME: 'standard',
      DEFAULT_MODEL_API_KEY: 'sk-own',
    };
    expect(resultOf(await run([{ kind: 'llm', config: {} }], {}, { env })).text).toBe('Hello there');
    expect(model.requests[0]).toMatchObject({ authorization: 'Bearer sk-own', body: { model: 'standard' } });
    const elsewhere = { ...choice(), baseUrl: `${model.url}/other` };
    await run(llm({ model: elsewhere }), {}, { env });
    expect(model.requests[1]!.authorization).toBeUndefined();
    expect(failureOf(await run([{ kind: 'llm', config: {} }]))).toMatch(/DEFAULT_MODEL_NAME/);
  });

  it('gives structured output as json, and its members to templates', async () => {
    model.answers.push({ tokens: ['{"room":', '"Kitchen"}'] });
    const structured = llm({
      structuredOutput: [{ key: 'room', type: 'string', description: 'Which room' }],
    });
    expect(resultOf(await run(structured))).toMatchObject({ json: { room: 'Kitchen' } });
    expect(model.requests[0]!.body.response_format.json_schema.schema.required).toEqual(['room']);
    model.answers.push({ tokens: ['```json\n{"room":"Hall"}\n```'] });
    const nodes = [...structured, { kind: 'reply', config: { message: 'In {{n0.output.room}}' } }];
    expect(resultOf(await run(nodes)).text).toBe('In Hall');
    model.answers.push({ tokens: ['I do not know'] });
    expect(failureOf(await run(structured))).toMatch(/structuredOutput/);
  });

  it('tries again after a refusal that passes', async () => {
    const headers = { 'retry-after': '0' };
    model.answers.push({ error: { status: 429, message: 'slow down', headers } });
    model.answers.push({ error: { status: 503, message: 'busy', headers } });
    expect(resultOf(await run(llm())).text).toBe('Hello there');
    expect(model.requests).toHaveLength(3);
  });

  it('fails with what the provider said, but without the key', async () => {
    const env = {
      DEFAULT_MODEL_BASE_URL: model.url,
      DEFAULT_MODEL_NAME: 'm',
      DEFAULT_MODEL_API_KEY: 'sk-own',
    };
    model.answers.push({ error: { status: 401, message: 'no such key sk-own' } });
    const events = await run([{ kind: 'llm', config: {} }], {}, { env });
    expect(failureOf(events)).toBe('The model answered 401: no such key [masked]');
    expect(model.requests).toHaveLength(1);
  });

  it('fails when the model breaks off or is not there', async () => {
    model.answers.push({ tokens: ['a', 'b', 'c'], breakAfter: 1, tokenMs: 5 });
    expect(failureOf(await run(llm()))).toMatch(/^The model failed/);
    const gone = { ...choice(), baseUrl: 'http://127.0.0.1:1/v1' };
    expect(failureOf(await run(llm({ model: gone })))).toMatch(/^The model failed/);
  });

  it('stops the model when the run is aborted', async () => {
    model.answers.push({ tokens: Array.from({ length: 1_000 }, () => 'x '), tokenMs: 5 });
    const controller = new AbortController();
    setTimeout(() => controller.abort('caller_left'), 80);
    const events = await run(llm(), {}, { signal: controller.signal });
    expect(events.at(-1)).toEqual({ type: 'aborted', reason: 'caller_left' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(model.requests[0]!.aborted).toBe(true);
  });
});
