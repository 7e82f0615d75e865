import { startTestApp, type TestApp } from './support/app.js';
import { ServiceClient } from './support/service-client.js';

const NEUTRAL = /^The flow failed\. Its owner finds the reason in the execution log/;

describe('a flow whose model is missing', () => {
  let service: TestApp;
  let open: string;
  let keyed: string;
  let key: string;
  const client = new ServiceClient(() => service);

  const flow = (access: object, config: object = {}) =>
    client.flow({
      name: 'asks a model',
      access,
      nodes: [
        { id: 'start', kind: 'start', config: {} },
        { id: 'ask', kind: 'llm', label: 'Ask', config },
      ],
      edges: [{ from: 'start', to: 'ask' }],
    });

  beforeAll(async () => {
    service = await startTestApp({ env: { SAMPLES: 'off' } });
    const made = await client.admin('POST', 'api-keys', { name: 'caller' });
    key = made.body.key;
    open = await flow({});
    keyed = await flow({ apiKeyId: made.body.id });
  });

  afterAll(() => service.close());

  const ask = (flowId: string, bearer?: string) =>
    client.predict(
      flowId,
      { question: 'Hello' },
      bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    );

  it('names the missing variable to the holder of its key and to an admin', async () => {
    for (const { status, body } of [await ask(keyed, key), await ask(open, service.adminKey)]) {
      expect([status, body.code]).toEqual([500, 'flow_failed']);
      expect(body.detail).toContain('DEFAULT_MODEL_NAME');
      expect(body.message).toBe(body.detail);
      expect(body.failedNode).toEqual({ id: 'ask', label: 'Ask' });
    }
  });

  it('names it in a stream too', async () => {
    const authorization = `Bearer ${service.adminKey}`;
    const stream = await client.stream(open, { question: 'Hello' }, { authorization });
    await stream.done;
    expect(stream.events.find(({ event }) => event === 'error')?.data).toContain('DEFAULT_MODEL_NAME');
  });

  it('does not name it to others', async () => {
    for (const { status, body } of [await ask(open), await ask(open, 'not-the-admin-key')]) {
      expect([status, body.code, body.failedNode]).toEqual([500, 'flow_failed', undefined]);
      expect(body.detail).toMatch(NEUTRAL);
    }
  });

  it('does not name it to a caller without a key who repeats the call of an admin', async () => {
    const headers = { 'idempotency-key': 'e4b1a3c8-57f1-4c57-9d8e-3f0f3f2f8a11' };
    const first = { ...headers, authorization: `Bearer ${service.adminKey}` };
    const answer = await client.predict(open, { question: 'Again' }, first);
    const repeated = await client.predict(open, { question: 'Again' }, headers);
    expect(answer.body.detail).toContain('DEFAULT_MODEL_NAME');
    expect(repeated.headers.get('idempotent-replay')).toBe('true');
    expect(repeated.body.detail).toMatch(NEUTRAL);
    expect(repeated.body.failedNode).toBeUndefined();
  });

  it('names the credential that a node lacks', async () => {
    const flowId = await flow({}, { model: { provider: 'openai', name: 'one' } });
    expect((await ask(flowId, service.adminKey)).body.detail).toContain('credentialId');
  });
});
