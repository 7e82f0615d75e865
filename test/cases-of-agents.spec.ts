import type { CaseRunView } from '../src/api/cases.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { defaultModel, type FakeModel, startFakeModel } from './support/fake-model.js';
import { startMcpServer, type TestMcpServer } from './support/mcp-server.js';
import { ServiceClient } from './support/service-client.js';

/** Cases of flows that call tools and other flows, with everything that they called gone. */
describe('a case with recorded calls', () => {
  let service: TestApp;
  let model: FakeModel;
  let server: TestMcpServer;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    model = await startFakeModel();
    server = await startMcpServer('current');
    service = await startTestApp({ env: { OUTBOUND_ALLOW: server.host, ...defaultModel(model) } });
  });
  afterAll(() => service.close());

  const ended = async (flow: string, body: object): Promise<CaseRunView> => {
    const { id } = (await client.admin('POST', `flows/${flow}/cases/run`, body)).body as { id: string };
    let view: CaseRunView | undefined;
    await eventually(async () => {
      view = (await client.admin('GET', `flows/${flow}/cases/runs/${id}`)).body as CaseRunView;
      return view.status !== 'running';
    });
    return view!;
  };
  const flowOf = (name: string, ...nodes: { id: string }[]) =>
    client.flow({
      name,
      nodes: [{ id: 'start', kind: 'start' }, ...nodes],
      edges: nodes.map(({ id }, index) => ({ from: index === 0 ? 'start' : nodes[index - 1]!.id, to: id })),
    });

  it('repeats an agent with tools of a server, a flow with its calls, and a question to a human', async () => {
    const summing = await flowOf('Summing', {
      ...{ id: 'agent', kind: 'agent' },
      config: { tools: [{ tool: 'mcp', url: server.url, allow: ['add'] }, { tool: 'date-time' }] },
    } as never);
    const outer = await flowOf(
      'Outer',
      { id: 'inner', kind: 'execute-flow', config: { flowId: summing, question: '{{question}}' } } as never,
      { id: 'ask', kind: 'human-input', config: { message: 'Is {{inner}} right?' } } as never,
    );
    const adds = { tokens: ['Adding'], toolCalls: [{ name: 'add', arguments: '{"a":2,"b":3}' }] };
    model.answers.push(adds, { tokens: ['It is 5'] }, adds, { tokens: ['It is 5'] });
    const answered = [
      [summing, (await client.predict(summing, { question: '2 and 3' })).body],
      [outer, (await client.predict(outer, { question: '2 and 3' })).body],
    ] as const;
    await Promise.all([model.close(), server.close()]);
    for (const [flow, { executionId, text }] of answered) {
      expect(text).toContain('It is 5');
      const { results } = await ended(flow, { executionIds: [executionId] });
      expect(results).toMatchObject([{ passed: true, answer: text, requests: [], unused: [] }]);
    }
  });
});
