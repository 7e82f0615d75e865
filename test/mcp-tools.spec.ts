import { startTestApp, type TestApp } from './support/app.js';
import { offerSums, startMcpServer, type TestMcpServer } from './support/mcp-server.js';
import { ServiceClient } from './support/service-client.js';

describe('a flow with an MCP server', () => {
  let service: TestApp;
  let server: TestMcpServer;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    server = await startMcpServer('current');
    service = await startTestApp({ env: { OUTBOUND_ALLOW: server.host } });
  });
  afterAll(async () => {
    await service.close();
    await server.close();
  });

  const flow = (tool: object) => ({
    name: 'Sums',
    nodes: [
      { id: 'start', kind: 'start' },
      { id: 'sum', kind: 'tool', config: { tool: 'mcp', name: 'add', url: server.url, ...tool } },
    ],
    edges: [{ from: 'start', to: 'sum' }],
  });
  const saved = async (tool: object) => {
    const { body } = await client.admin('POST', 'flows', flow(tool));
    return body as { id: string; warnings?: { code: string; path: string; suggestion?: string }[] };
  };

  it('lists its tools when it is saved, and calls them in a run', async () => {
    const { id, warnings } = await saved({ arguments: { a: 2, b: 3 } });
    expect(warnings ?? []).toEqual([]);
    expect(server.requests.some(({ body }) => body?.method === 'tools/list')).toBe(true);
    server.requests.length = 0;
    expect((await client.predict(id, { question: 'sum' })).body).toMatchObject({ text: '5' });
    expect(server.requests.some(({ body }) => body?.method === 'tools/list')).toBe(false);
  });

  it('is saved with a warning if the server is down, or has no such tool', async () => {
    expect((await saved({ allow: ['addd', 'fail'] })).warnings).toMatchObject([
      { code: 'mcp_tool_unknown', path: 'nodes[1].config.allow[0]', suggestion: 'add' },
    ]);
    expect((await saved({ url: 'http://127.0.0.1:1/mcp' })).warnings).toMatchObject([
      { code: 'mcp_unreachable', path: 'nodes[1].config.url' },
    ]);
  });

  it.each([
    ['api-key', { apiKey: 'sk-of-the-mcp-server' }, 'authorization', 'Bearer sk-of-the-mcp-server'],
    ['header', { name: 'X-Sums', value: 'sesame-of-the-mcp-server' }, 'x-sums', 'sesame-of-the-mcp-server'],
  ])('calls with a stored credential of kind %s, which no record shows', async (kind, data, header, sent) => {
    const { body: kept } = await client.admin('POST', 'credentials', { name: kind, kind, data });
    server.requests.length = 0;
    server.offer = (offering) => {
      offerSums(offering);
      offering.registerTool('whoami', {}, () => ({
        content: [{ type: 'text', text: `You are ${String(server.requests.at(-1)?.headers[header])}` }],
      }));
    };
    const { id, warnings } = await saved({ name: 'whoami', credentialId: kept.id });
    expect(warnings ?? []).toEqual([]);
    const { body } = await client.predict(id, { question: 'who?' });
    expect(new Set(server.requests.map(({ headers }) => headers[header]))).toEqual(new Set([sent]));
    expect(server.requests.map(({ body: asked }) => asked?.method)).toContain('tools/call');
    const record = JSON.stringify(await client.ended(body.executionId));
    expect(record).toContain('You are');
    expect(record).not.toContain(sent.replace('Bearer ', ''));
    server.offer = offerSums;
  });

  it('is refused with an unknown credential', async () => {
    const { status, body } = await client.admin('POST', 'flows', flow({ credentialId: 'nobody' }));
    expect([status, body.errors[0].path]).toEqual([400, 'nodes.1.config.credentialId']);
  });
});
