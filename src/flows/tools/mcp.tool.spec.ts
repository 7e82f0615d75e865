import type { ServerResponse } from 'node:http';
import { failureOf, resultOf } from '../../../test/fixtures/flows/flow-runs.js';
import { runNodes } from '../../../test/fixtures/flows/run-nodes.js';
import { eventually } from '../../../test/support/eventually.js';
import { offerSums, startMcpServer, type TestMcpServer } from '../../../test/support/mcp-server.js';
import type { Json } from '../engine/json.js';

const servers = {} as Record<'current' | 'previous', TestMcpServer>;

beforeAll(async () => {
  for (const revision of ['current', 'previous'] as const) servers[revision] = await startMcpServer(revision);
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
});
beforeEach(() => {
  for (const server of Object.values(servers)) {
    server.requests.length = 0;
    server.instead = undefined;
    server.offer = offerSums;
  }
});

const call = (
  server: TestMcpServer,
  config: Record<string, Json> = {},
  { allowed = true, signal }: { allowed?: boolean; signal?: AbortSignal } = {},
) =>
  runNodes(
    [
      {
        kind: 'tool',
        config: {
          tool: 'mcp',
          url: server.url,
          name: 'add',
          arguments: { a: 2, b: 3 },
          timeoutMs: 3_000,
          ...config,
        },
      },
    ],
    {},
    { env: allowed ? { OUTBOUND_ALLOW: server.host } : {}, ...(signal ? { signal } : {}) },
  );

const methodsOf = ({ requests }: TestMcpServer) =>
  requests.map(({ method, body }) => (body?.method as string | undefined) ?? method);

describe.each(['current', 'previous'] as const)('a server of the %s revision', (revision) => {
  it('lists its tools and is called, and no connection is left', async () => {
    const server = servers[revision];
    expect(resultOf(await call(server)).text).toBe('5');
    expect(methodsOf(server)).toEqual(expect.arrayContaining(['tools/list', 'tools/call']));
    expect(methodsOf(server)).not.toContain('GET');
    if (revision === 'previous') expect(methodsOf(server)).toContain('DELETE');
    await eventually(() => server.connections() === 0);
  });

  it('is told what a tool says of its failure', async () => {
    expect(failureOf(await call(servers[revision], { name: 'fail', arguments: {} }))).toBe('It broke');
  });

  it('gets the headers of the settings and an Idempotency-Key with each call', async () => {
    const server = servers[revision];
    await call(server, { headers: { 'X-Api-Key': '{{$vars.none}}-k' } });
    for (const { headers } of server.requests) expect(headers['x-api-key']).toBe('{{$vars.none}}-k');
    const calls = server.requests.filter(({ body }) => body?.method === 'tools/call');
    expect(calls[0]!.headers['idempotency-key']).toContain('mcp');
  });
});

describe('an MCP server', () => {
  const toolList = (response: ServerResponse, id: Json, tools: Json) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: { tools, resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
      }),
    );

  /** Another answer to one method of the protocol; the others as ever. */
  const answering =
    (method: string, answer: (response: ServerResponse, id: Json) => void): TestMcpServer['instead'] =>
    ({ body }, response) => {
      if (body?.method !== method) return false;
      answer(response, body.id as Json);
      return true;
    };

  it('offers what is allowed of it, and no more', async () => {
    const failed = failureOf(await call(servers.current, { allow: ['fail'] }));
    expect(failed).toContain('offers no tool');
    expect(resultOf(await call(servers.current, { allow: ['add', 'gone'] })).text).toBe('5');
  });

  it('is called by a name with dots', async () => {
    servers.current.offer = (offering) => {
      for (const name of ['sums.total', 'sums.mean'])
        offering.registerTool(name, {}, () => ({ content: [{ type: 'text', text: name }] }));
    };
    expect(resultOf(await call(servers.current, { name: 'sums.mean', arguments: {} })).text).toBe(
      'sums.mean',
    );
  });

  it('on a private address is reached only where that is allowed', async () => {
    expect(failureOf(await call(servers.current, {}, { allowed: false }))).toContain('is not public');
    expect(servers.current.requests).toHaveLength(0);
  });

  it('that is down fails the node with a sentence', async () => {
    const gone = await startMcpServer('current');
    await gone.close();
    expect(failureOf(await call(gone))).toMatch(/^The MCP server 127.0.0.1:\d+ did not list its tools: /);
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['a web page', (r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), 'content type'],
    ['nothing', () => undefined, 'did not answer in time'],
    [
      'a stream without end',
      (r) => {
        r.writeHead(200, { 'content-type': 'text/event-stream' });
        const more = setInterval(() => r.write(`: ${'x'.repeat(100_000)}\n`), 1);
        r.on('close', () => clearInterval(more));
      },
      'larger than',
    ],
    [
      '100 MB',
      (r) => r.writeHead(200, { 'content-type': 'application/json' }).end('"'.padEnd(100_000_000, 'x')),
      'larger than',
    ],
    [
      'nests of JSON',
      (r) => r.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(1_000_000)),
      '',
    ],
    ['a refusal', (r) => r.writeHead(403).end('go away'), ''],
  ])('that answers a call with %s fails it, in time, and keeps no connection', async (_, answer, said) => {
    const server = servers.current;
    server.instead = answering('tools/call', answer);
    const began = performance.now();
    // The tested limit must end the call even on a slow machine: size long before time.
    const timeoutMs = said === 'larger than' ? 60_000 : 1_000;
    expect(failureOf(await call(server, { timeoutMs }))).toContain(said);
    expect(performance.now() - began).toBeLessThan(timeoutMs + 5_000);
    await eventually(() => server.connections() === 0);
  });

  it('that still answers when the run has ended is not heard', async () => {
    const server = servers.current;
    let answerNow: (() => void) | undefined;
    server.instead = answering('tools/call', (response) => {
      answerNow = () => void response.end('{}');
    });
    const stop = new AbortController();
    const running = call(server, {}, { signal: stop.signal });
    await eventually(() => answerNow !== undefined);
    stop.abort('enough');
    expect((await running).at(-1)).toMatchObject({ type: 'aborted' });
    answerNow!();
    await eventually(() => server.connections() === 0);
  });

  it('that describes tools as no model can be told them offers the others', async () => {
    const server = servers.current;
    const tools: Json = [
      { name: 'text', inputSchema: 'text' },
      { name: 'list', inputSchema: { type: 'array' } },
      { name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } },
    ];
    server.instead = answering('tools/list', (response, id) => toolList(response, id, tools));
    const events = await call(server);
    expect(events.at(-1)!.type === 'finished' ? resultOf(events).text : failureOf(events)).toMatch(/5|tools/);
  });

  it('that describes a tool by references which double without end does not offer it', async () => {
    const server = servers.current;
    const $defs: Record<string, Json> = { l40: { type: 'string' } };
    for (let level = 0; level < 40; level++) {
      const next = { $ref: `#/$defs/l${level + 1}` };
      $defs[`l${level}`] = { anyOf: [next, { description: 'again', ...next }] };
    }
    const inputSchema = { type: 'object', properties: { a: { $ref: '#/$defs/l0' } }, $defs };
    const tools = [{ name: 'add', inputSchema }];
    server.instead = answering('tools/list', (response, id) => toolList(response, id, tools));
    expect(failureOf(await call(server))).toContain('offers no tool');
    expect(methodsOf(server)).not.toContain('tools/call');
  });

  it.each([
    ['once, where its address is what the author wrote', 'fixed', 1],
    [
      'each time, where something of the call stands in it, so that no caller fills the store',
      '{{question}}',
      2,
    ],
  ])('is asked for its tools %s', async (_, value, times) => {
    const server = servers.current;
    const config = { tool: 'mcp', url: server.url, name: 'add', arguments: { a: 2, b: 3 } };
    const node = { kind: 'tool', config: { ...config, headers: { 'X-Value': value } } };
    await runNodes([node, node], {}, { env: { OUTBOUND_ALLOW: server.host } });
    expect(methodsOf(server).filter((method) => method === 'tools/call')).toHaveLength(2);
    expect(methodsOf(server).filter((method) => method === 'tools/list')).toHaveLength(times);
  });

  it('that lists more than a megabyte fails the node with a sentence', async () => {
    const server = servers.current;
    const tools = [{ name: 'add', description: 'x'.repeat(1_055_000), inputSchema: { type: 'object' } }];
    server.instead = answering('tools/list', (response, id) => toolList(response, id, tools));
    expect(failureOf(await call(server))).toMatch(/lists \d+ characters of tools; more than 1048576/);
  });

  it('with a thousand tools is too much for an agent, which says what to do', async () => {
    const server = servers.current;
    const tools = Array.from({ length: 1_000 }, (_, index) => ({
      name: `t${index}`,
      inputSchema: { type: 'object' },
    }));
    server.instead = answering('tools/list', (response, id) => toolList(response, id, tools));
    const events = await runNodes(
      [{ kind: 'agent', config: { tools: [{ tool: 'mcp', url: server.url }] } }],
      {},
      { env: { OUTBOUND_ALLOW: server.host, DEFAULT_MODEL_NAME: 'none', DEFAULT_MODEL_API_KEY: 'none' } },
    );
    expect(failureOf(events)).toContain('1000 tools are too many for a model');
  });
});
