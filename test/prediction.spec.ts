import { dataOf, tokensOf } from './support/event-source.js';
import { ServiceClient } from './support/service-client.js';
import { startTestApp, type TestApp } from './support/app.js';

const echo = {
  name: 'Echo',
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', label: 'Say it again', config: { message: 'You said: {{question}}' } },
  ],
  edges: [{ from: 'start', to: 'reply' }],
};

describe('POST /api/v1/prediction/:flowId', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);
  let flowId: string;

  beforeAll(async () => {
    service = await startTestApp({ env: { LOG_LEVEL: 'error' } });
    flowId = await client.flow(echo);
  });

  afterAll(async () => {
    await service.close();
  });

  it('returns the answer of the flow as JSON', async () => {
    const answer = await client.predict(flowId, { question: 'Hello there' });
    console.log(answer);
    expect(answer.status).toBe(200);
    const stream = await client.stream(flowId, { question: 'Hello there' });
    await stream.done;
    console.log(stream.headers, stream.events);
    console.log(JSON.stringify(await client.ended(answer.body.executionId)));
    expect(tokensOf(stream.events)).toBe(answer.body.text);
    expect(dataOf(stream.events, 'agentFlowEvent')).toEqual(['INPROGRESS', 'FINISHED']);
  });
});
