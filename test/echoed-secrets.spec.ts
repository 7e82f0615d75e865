import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { ServiceClient } from './support/service-client.js';
import { takenOver } from './support/taken-over.js';

const KEY = 'k3y/of+the-Provider=4711';
const PASSWORD = 'pa"ss <wörd> & more';
const LITERAL = 'literal-secret-of-the-header-0815';
const QUERY = 'literal+of/the query&42';

/** Requests received by the target. Its answer contains every spelling of every secret. */
const received: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];
let answer: (request: IncomingMessage) => { status?: number; type?: string; body: string };

/** The end of the wait of `/slow`. */
let held = Promise.resolve();
let letGo = (): void => undefined;

const target = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    received.push({ url: request.url ?? '', headers: request.headers, body });
    const { status = 200, type = 'application/json', body: predicted } = answer(request);
    response.writeHead(status, { 'Content-Type': type });
    if (request.url === '/slow') void held.then(() => response.end(predicted));
    else response.end(predicted);
  });
});

const base64s = (text: string) =>
  ['', 'u', 'us'].flatMap((before) => {
    const encoded = Buffer.from(`${before}${text}~~~`).toString('base64');
    // The digits that depend on the text alone.
    return encoded.slice(Math.ceil((before.length * 8) / 6) + 1, -6);
  });

/** Spellings of a secret that must appear nowhere. */
const spellings = (secret: string): string[] => [
  ...[secret, secret.toLowerCase(), secret.toUpperCase(), encodeURIComponent(secret)],
  ...[JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString('hex')],
  ...base64s(secret),
];
const ALL = [KEY, PASSWORD, LITERAL, QUERY].flatMap(spellings);

const spelled = (secrets: readonly string[]) => ({
  verbatim: secrets,
  cases: secrets.map((secret) => [secret.toUpperCase(), secret.toLowerCase()]),
  base64: secrets.map((secret) => Buffer.from(`user:${secret}`).toString('base64')),
  encoded: secrets.map((secret) => encodeURIComponent(secret)),
  hex: secrets.map((secret) => Buffer.from(secret).toString('hex')),
  json: secrets.map((secret) => JSON.stringify(JSON.stringify(secret))),
});

describe('a secret of a flow that a target echoes', () => {
  let service: TestApp;
  let place: string;
  const client = new ServiceClient(() => service);
  const outputs: string[] = [];
  let credentials: { key: string; basic: string };

  beforeAll(async () => {
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    place = `127.0.0.1:${(target.address() as AddressInfo).port}`;
    service = await startTestApp({ env: { OUTBOUND_ALLOW: place } });
    const make = async (body: object) => (await client.admin('POST', 'credentials', body)).body.id as string;
    credentials = {
      key: await make({ name: 'key', kind: 'api-key', data: { apiKey: KEY } }),
      basic: await make({ name: 'b', kind: 'basic', data: { username: 'user', password: PASSWORD } }),
    };
  });

  afterAll(async () => {
    await service.close();
    target.closeAllConnections();
    target.close();
  });

  const ask = (config: object = {}, more: object = {}) => ({
    id: 'ask',
    kind: 'http',
    config: { method: 'POST', url: `http://${place}/echo`, credentialId: credentials.key, ...config },
    ...more,
  });
  const flowOf = (nodes: { id: string }[], more: object = {}) =>
    client.flow({
      name: 'Ask',
      exposeTrace: true,
      nodes: [{ id: 'start', kind: 'start' }, ...nodes],
      edges: nodes.map(({ id }, index) => ({ from: nodes[index - 1]?.id ?? 'start', to: id })),
      ...more,
    });
  /** Collects every answer, event and record of a call. */
  const call = async (flow: string, body: object = {}) => {
    const predicted = await client.predict(flow, { question: 'x', ...body });
    const id = predicted.headers.get('x-execution-id')!;
    await client.ended(id);
    const record = await client.admin('GET', `executions/${id}`);
    outputs.push(predicted.text, record.text);
    return { said: predicted, record };
  };
  const leaks = (text: string) => ALL.filter((spelling) => text.includes(spelling));

  it('is masked in the answer and the trace, in every spelling', async () => {
    answer = () => ({ body: JSON.stringify(spelled([KEY, PASSWORD])) });
    for (const credentialId of [credentials.key, credentials.basic]) {
      const { said, record } = await call(await flowOf([ask({ credentialId })]));
      const secret = credentialId === credentials.key ? KEY : PASSWORD;
      expect(said.status).toBe(200);
      for (const text of [said.text, record.text]) {
        expect(spellings(secret).filter((spelling) => text.includes(spelling))).toEqual([]);
        expect(text).toContain('[masked]');
      }
    }
    outputs.length = 0;
  });

  it('is masked if it stands literally in headers, query or address, and is sent unmasked', async () => {
    answer = ({ url, headers }) => ({ body: JSON.stringify([url, headers, spelled([LITERAL, QUERY])]) });
    const places = {
      url: `http://${place}/echo?sig=${encodeURIComponent(QUERY)}&page=2`,
      headers: { Authorization: `Bearer ${LITERAL}`, 'X-Plain': 'not a secret at all' },
      query: { api_key: QUERY, city: 'a city to be shown' },
      credentialId: undefined,
    };
    const { said, record } = await call(await flowOf([ask(places)]));
    expect(received.at(-1)!.headers.authorization).toBe(`Bearer ${LITERAL}`);
    expect(new URL(received.at(-1)!.url, 'http://x').searchParams.getAll('api_key')).toEqual([QUERY]);
    for (const text of [said.text, record.text]) {
      expect(leaks(text)).toEqual([]);
      expect(text).toContain('not a secret at all');
    }
    expect(record.text).toContain('a city to be shown');
    expect(record.text).toContain('page=2');
    answer = () => ({ body: JSON.stringify(spelled([LITERAL])) });
    const asList = { headers: [{ key: 'X-Api-Key', value: `{{$vars.mine}}` }], credentialId: undefined };
    const own = await flowOf([ask(asList)], { vars: { mine: { value: LITERAL } } });
    expect(leaks((await call(own)).said.text)).toEqual([]);
  });

  it.each([
    ['user:pass+literal%20of%20the%20address', 'user:pass+literal of the address'],
    ['token-literal-of-the-address', 'token-literal-of-the-address:'],
    ['token-literal-of-the-address:', 'token-literal-of-the-address:'],
  ])('is masked if it is the login in the address (%s), and is sent', async (login, pair) => {
    answer = ({ headers }) => ({ body: JSON.stringify([headers, pair]) });
    const { said, record } = await call(
      await flowOf([ask({ url: `http://${login}@${place}/echo`, credentialId: undefined })]),
    );
    const sent = Buffer.from(pair).toString('base64');
    expect(received.at(-1)!.headers.authorization).toBe(`Basic ${sent}`);
    for (const text of [said.text, record.text]) {
      expect(text).toContain('[masked]');
      expect(text).not.toMatch(/literal/);
      expect(text).not.toContain(sent.slice(8, -6));
    }
  });

  it('is not masked if the caller sent it', async () => {
    answer = ({ headers }) => ({ body: JSON.stringify(headers['x-auth-user']) });
    const headers = { 'X-Auth-User': '{{question}}' };
    const flow = await flowOf([ask({ headers, credentialId: undefined })]);
    const { said } = await call(flow, { question: 'I said it myself' });
    expect(said.body.text).toBe('"I said it myself"');
  });

  it('is masked in a stream, also across chunks, and is available to later nodes', async () => {
    answer = ({ url }) => ({
      body: url === '/second' ? '"done"' : JSON.stringify({ next: `page?key=${KEY}` }),
    });
    const second = {
      id: 'second',
      kind: 'http',
      config: { method: 'POST', url: `http://${place}/second`, body: '{{ask.output.data.next}}' },
    };
    const reply = { id: 'reply', kind: 'reply', config: { message: 'Next is {{ask.output.data.next}}.' } };
    const flow = await flowOf([ask(), second, reply]);
    const stream = await client.stream(flow, { question: 'x' });
    await stream.done;
    const events = JSON.stringify(stream.events);
    expect(received.at(-1)!.body).toBe(`page?key=${KEY}`);
    expect(leaks(events)).toEqual([]);
    const tokens = stream.events.filter(({ event }) => event === 'token').map(({ data }) => data);
    expect(tokens.join('')).toBe('Next is page?key=[masked].');
    expect(events).toContain('agentFlowExecutedData');
  });

  it('is masked in the message of a failure, also if the message is truncated', async () => {
    for (const before of [0, 480, 490, 499, 8_180]) {
      answer = () => ({ status: 403, type: 'text/plain', body: `${'x'.repeat(before)}${KEY} ${KEY}` });
      const { said, record } = await call(await flowOf([ask()]));
      expect(said.status).toBe(500);
      expect(leaks(said.text + record.text)).toEqual([]);
      for (const part of [KEY.slice(0, 8), KEY.slice(0, 12)]) expect(record.text.includes(part)).toBe(false);
    }
  });

  it.each([3_980, 3_999, 16_380, 32_750])(
    'is masked if the trace is truncated after %d characters',
    async (at) => {
      answer = () => ({ type: 'text/plain', body: `${'x'.repeat(at)}${KEY}${'y'.repeat(60_000)}` });
      const { record } = await call(await flowOf([ask()]));
      expect(record.text).toContain('truncated');
      expect(record.text.includes(KEY.slice(0, 8))).toBe(false);
    },
  );

  it('is masked in a later run of the chat that finds it in its state', async () => {
    answer = () => ({ body: JSON.stringify({ token: KEY }) });
    const when = { type: 'string', value1: '{{question}}', operation: 'equal', value2: 'ask' };
    const nodes = [
      { id: 'start', kind: 'start', config: { state: { kept: '' } } },
      { id: 'if', kind: 'condition', config: { conditions: [when] } },
      ask({ updateState: { kept: '{{output.data.token}}' } }),
      { id: 'tell', kind: 'reply', config: { message: 'Kept: {{$flow.state.kept}}' } },
    ];
    const edges = [
      { from: 'start', to: 'if' },
      { from: 'if', to: 'ask', on: '0' },
      { from: 'if', to: 'tell', on: 'else' },
    ];
    const flow = await client.flow({ name: 'State', nodes, edges });
    await call(flow, { question: 'ask', chatId: 'state' });
    const { said } = await call(flow, { question: 'tell', chatId: 'state' });
    expect(said.body.text).toBe('Kept: [masked]');
  });

  describe('of a flow that is called', () => {
    const run = (flowId: string, more: object = {}) => ({
      id: 'run',
      kind: 'execute-flow',
      config: { flowId, question: '{{question}}', ...more },
    });

    it('is masked in a later run of the chat that finds it in its state', async () => {
      answer = () => ({ body: JSON.stringify({ token: `${KEY} ${LITERAL}` }) });
      const headers = { 'X-Api-Key': LITERAL };
      const called = await flowOf([ask({ headers, updateState: { kept: '{{output.data.token}}' } })]);
      const when = { type: 'string', value1: '{{question}}', operation: 'equal', value2: 'ask' };
      const nodes = [
        { id: 'start', kind: 'start', config: { state: { kept: '' } } },
        { id: 'if', kind: 'condition', config: { conditions: [when] } },
        run(called, { chat: 'same' }),
        { id: 'tell', kind: 'reply', config: { message: 'Kept: {{$flow.state.kept}}' } },
      ];
      const edges = [
        { from: 'start', to: 'if' },
        { from: 'if', to: 'run', on: '0' },
        { from: 'if', to: 'tell', on: 'else' },
      ];
      const flow = await client.flow({ name: 'Calls', nodes, edges });
      await call(flow, { question: 'ask', chatId: 'called' });
      const { said } = await call(flow, { question: 'tell', chatId: 'called' });
      expect(said.body.text).toBe('Kept: [masked] [masked]');
    });

    it('is masked if another process continues the run with the stored answer', async () => {
      answer = () => ({ body: JSON.stringify({ token: KEY }) });
      const slow = { id: 'slow', kind: 'http', config: { method: 'GET', url: `http://${place}/slow` } };
      const tell = { id: 'tell', kind: 'reply', config: { message: 'Got {{run.output.content}}' } };
      const flow = await flowOf([run(await flowOf([ask()])), slow, tell]);
      held = new Promise<void>((resolve) => (letGo = resolve));
      const accepted = await client.predict(flow, { question: 'x' }, { prefer: 'respond-async' });
      const { executionId: id } = accepted.body;
      await eventually(() => received.at(-1)!.url === '/slow');
      await takenOver(service, id as string);
      letGo();
      await client.ended(id);
      const { body } = await client.send('GET', accepted.headers.get('location')!);
      expect(body.answer.warnings).toContainEqual(expect.objectContaining({ code: 'effect_kept' }));
      expect(body.answer.text).toBe('Got {"token":"[masked]"}');
    });
  });

  it('appears in no output of these tests', () => {
    expect(outputs.length).toBeGreaterThan(15);
    expect(outputs.flatMap(leaks)).toEqual([]);
  });
});
