import type { FakeRequest } from './support/fake-model.js';
import { ModelFixture } from './support/model-fixture.js';

describe('a flow as a tool of an agent', () => {
  const fixture = new ModelFixture();
  const { client } = fixture;
  beforeEach(() => {
    fixture.model.otherwise = { tokens: ['Done'] };
  });

  const flow = (id: string, kind: string, config: object) => ({
    ...{ id, name: id },
    nodes: [
      { id: 'start', kind: 'start' },
      { id: 'node', kind, config },
    ],
    edges: [{ from: 'start', to: 'node' }],
  });
  const asking = (flowId: string) => ({ tools: [{ tool: 'flow', name: 'ask', flowId }] });
  const toolResult = ({ body }: FakeRequest) =>
    (body.messages as { role: string; content: string }[]).find(({ role }) => role === 'tool')?.content;

  it('runs within the run: below the call in its trace, at no cost of its own', async () => {
    await client.flow(flow('echo', 'reply', { message: 'You said {{question}}' }));
    const id = await client.flow(flow('asks', 'agent', asking('echo')));
    fixture.model.answers.push({ toolCalls: [{ name: 'ask', arguments: '{"question":"hello"}' }] });
    const { body } = await client.predict(id, { question: 'Ask it' });
    expect(body).toMatchObject({ text: 'Done', usage: { credits: 1 } });
    expect(toolResult(fixture.model.requests[1]!)).toBe('You said hello');
    const { body: record } = await client.admin('GET', `executions/${body.executionId as string}`);
    const runs = record.nodes as { nodeId: string; runId: string; parent?: string; kind: string }[];
    const call = runs.find(({ nodeId }) => nodeId === 'node/ask')!;
    expect(call).toMatchObject({ kind: 'tool', parent: runs.find(({ kind }) => kind === 'agent')!.runId });
    expect(runs.find(({ kind }) => kind === 'reply')).toMatchObject({ parent: call.runId });
  });

  it('ends if it calls itself, with an error to the innermost model', async () => {
    const id = await client.flow(flow('mirror', 'agent', asking('mirror')));
    fixture.model.otherwise = (request) => {
      const result = toolResult(request);
      return result === undefined
        ? { toolCalls: [{ name: 'ask', arguments: '{"question":"again"}' }] }
        : { tokens: [result] };
    };
    const { body } = await client.predict(id, { question: 'Go' });
    expect(body.text).toContain('more than 8 levels deep');
    expect(fixture.model.requests.length).toBeLessThan(20);
  });
});
