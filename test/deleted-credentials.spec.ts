import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CaseRunView } from '../src/api/cases.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, startFakeModel } from './support/fake-model.js';
import { startMcpServer, type TestMcpServer } from './support/mcp-server.js';
import { ServiceClient } from './support/service-client.js';

/** Flows whose credentials were deleted after they ran. */
describe('after its credentials were deleted, a flow', () => {
  let service: TestApp;
  let model: FakeModel;
  let server: TestMcpServer;
  let target: Server;
  let host: string;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    model = await startFakeModel();
    server = await startMcpServer('current');
    target = createServer((_request, response) => void response.end('warm')).listen(0, '127.0.0.1');
    await eventually(() => target.listening);
    host = `127.0.0.1:${(target.address() as AddressInfo).port}`;
    service = await startTestApp({ env: { OUTBOUND_ALLOW: `${host},${server.host}` } });
  });
  afterAll(async () => {
    await service.close();
    await Promise.all([model.close(), server.close()]);
    target.close().closeAllConnections();
  });

  const credential = async (): Promise<string> => {
    const secret = { name: 'Passing', kind: 'api-key', data: { apiKey: 'sk-passing-0123456789' } };
    return (await client.admin('POST', 'credentials', secret)).body.id as string;
  };
  const remove = (id: string) => client.admin('DELETE', `credentials/${id}`);
  const choice = (credentialId: string) => ({
    model: { provider: 'openai-compatible', name: 'fake', baseUrl: model.url, credentialId },
    memory: { kind: 'none' },
  });
  const chain = (...nodes: { id: string; kind: string; config: object }[]) => ({
    nodes: [{ id: 'start', kind: 'start' }, ...nodes],
    edges: nodes.map(({ id }, index) => ({
      ...(index === 0 ? { from: 'start' } : { from: nodes[index - 1]!.id }),
      ...(nodes[index - 1]?.kind === 'condition-agent' ? { on: '0' } : {}),
      to: id,
    })),
  });

  it('still runs its recorded cases: a recorded call opens no model and no credential', async () => {
    const credentialId = await credential();
    const { model: named } = choice(credentialId);
    const flow = await client.flow({
      name: 'Recorded',
      ...chain(
        { id: 'get', kind: 'http', config: { url: `http://${host}/`, credentialId } },
        {
          id: 'choose',
          kind: 'condition-agent',
          config: { model: named, input: '{{get}}', scenarios: ['warm'] },
        },
        { id: 'ask', kind: 'llm', config: choice(credentialId) },
        {
          id: 'sum',
          kind: 'agent',
          config: {
            ...choice(credentialId),
            tools: [{ tool: 'mcp', url: server.url, allow: ['add'], credentialId }],
          },
        },
        { id: 'human', kind: 'human-input', config: { message: 'Ask', messageFrom: 'model', model: named } },
      ),
    });
    const adds = { toolCalls: [{ name: 'add', arguments: '{"a":2,"b":3}' }] };
    model.answers.push(
      { tokens: ['0'] },
      { tokens: ['Very'] },
      adds,
      { tokens: ['5'] },
      { tokens: ['Is 5 right?'] },
    );
    const { executionId, text } = (await client.predict(flow, { question: 'How warm?' })).body;
    expect(text).toContain('Is 5 right?');
    await remove(credentialId);
    const asked = model.requests.length;
    const begun = await client.admin('POST', `flows/${flow}/cases/run`, { executionIds: [executionId] });
    let view: CaseRunView | undefined;
    await eventually(async () => {
      view = (await client.admin('GET', `flows/${flow}/cases/runs/${begun.body.id}`)).body as CaseRunView;
      return view.status !== 'running';
    });
    expect(view!.results).toMatchObject([{ passed: true, answer: text, requests: [], unused: [] }]);
    expect(model.requests).toHaveLength(asked);
  });

  it('fails where it needs one, in a sentence that names it and what to do, and sends nothing', async () => {
    const credentialId = await credential();
    const http = {
      id: 'get',
      kind: 'http',
      config: { method: 'POST', url: `http://${host}/`, credentialId },
    };
    const flows = await Promise.all(
      [http, { id: 'ask', kind: 'llm', config: choice(credentialId) }].map((node) =>
        client.flow({ name: 'Failing', ...chain(node) }),
      ),
    );
    await remove(credentialId);
    const asked = model.requests.length;
    for (const flow of flows) {
      const { status, body } = await client.predict(flow, { question: 'Hi' });
      expect([status, body.code]).toEqual([500, 'flow_failed']);
      const record = await client.ended(body.executionId as string);
      expect(JSON.stringify(record)).toContain(
        `There is no credential \\"${credentialId}\\". Create it, or take credentialId out of the node.`,
      );
    }
    expect(model.requests).toHaveLength(asked);
  });

  it('restores a version that names one as a draft, says so at once, and the draft is not run', async () => {
    const credentialId = await credential();
    const calling = chain({ id: 'ask', kind: 'llm', config: choice(credentialId) });
    const flow = await client.flow({ name: 'Restored', ...calling });
    const silent = chain({ id: 'reply', kind: 'reply', config: { message: 'Silent' } });
    await client.admin('PUT', `flows/${flow}`, { name: 'Restored', ...silent });
    await remove(credentialId);
    const path = 'nodes.1.config.model.credentialId';
    const restored = await client.admin('POST', `flows/${flow}/versions/1/restore`);
    expect([restored.status, restored.body]).toMatchObject([
      200,
      { ...calling, errors: [{ path }], warnings: [{ code: 'restored_fault', path }] },
    ]);
    for (const [route, body] of [
      ['run', { question: 'Hi', version: 'draft' }],
      ['publish', {}],
    ] as const) {
      const refused = await client.admin('POST', `flows/${flow}/${route}`, body);
      expect([refused.status, refused.body.code, refused.body.errors]).toMatchObject([
        400,
        'invalid_flow',
        [{ path, message: `there is no credential "${credentialId}"` }],
      ]);
    }
    expect((await client.predict(flow, { question: 'Hi' })).body.text).toBe('Silent');
  });
});
