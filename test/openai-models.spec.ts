import { request } from 'node:http';
import { startTestApp, type TestApp } from './support/app.js';
import { echoFlow } from './support/flows.js';
import { openAiClient, refusalOf } from './support/openai.js';
import { ServiceClient } from './support/service-client.js';

describe('models', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);
  const keys: { id: string; key: string }[] = [];

  beforeAll(async () => {
    service = await startTestApp();
    for (const name of ['a', 'b']) keys.push((await client.admin('POST', 'api-keys', { name })).body);
    const flows: [string, object][] = [
      ['told', { openai: true }],
      ['untold', {}],
      ['told-not', { openai: false }],
      ['keyed', { access: { apiKeyId: keys[0]!.id } }],
      ['listed', { openai: true, access: { allowedDomains: ['shop.example'] } }],
    ];
    for (const [id, more] of flows) await client.flow(echoFlow({ id, ...more }));
  });

  afterEach(() => client.admin('DELETE', 'address-blocks/127.0.0.1'));
  afterAll(() => service.close());

  const listed = async (headers: Record<string, string> = {}) => {
    const { status, body } = await client.send('GET', '/api/v1/openai/models', undefined, headers);
    return status === 200 ? body.data.map(({ id }: { id: string }) => id).sort() : [status, body.error.code];
  };

  it('are the flows that the key opens, and open ones that declare it', async () => {
    const { openai } = openAiClient(service.url, keys[0]!.key);
    const models = [];
    for await (const model of openai.models.list()) models.push(model);
    expect(models.map(({ id }) => id).sort()).toEqual(['keyed', 'listed', 'told']);
    expect(models.find(({ id }) => id === 'told')).toEqual({
      id: 'told',
      object: 'model',
      created: expect.any(Number),
      owned_by: 'flows',
      name: 'Echo',
    });
  });

  it('are without a key the open flows that declare it, and for a page only those that it may call', async () => {
    expect(await listed()).toEqual(['listed', 'told']);
    expect(await listed({ origin: 'https://other.example' })).toEqual(['told']);
  });

  it('are 401 for a key that opens nothing, or no longer anything', async () => {
    const connection = openAiClient(service.url, keys[1]!.key);
    const { error, sent } = await refusalOf(connection, () => connection.openai.models.list());
    expect([error.status, error.code, sent]).toEqual([401, 'invalid_api_key', 1]);
    expect(await listed({ authorization: 'Bearer nonsense' })).toEqual([401, 'invalid_api_key']);
    const { id, key } = (await client.admin('POST', 'api-keys', { name: 'c' })).body;
    await client.flow(echoFlow({ id: 'closed', access: { apiKeyId: id } }));
    const headers = { authorization: `Bearer ${key}` };
    expect(await listed(headers)).toEqual(['closed', 'listed', 'told']);
    await client.admin('DELETE', `api-keys/${id}`);
    expect(await listed(headers)).toEqual([401, 'invalid_api_key']);
  });

  it.each(['gone', 'untold', 'told-not', '', '__proto__', 'x'.repeat(1_000_000)])(
    'that do not exist are a strike: the third blocks the address, for the list too (%.20j)',
    async (model) => {
      const connection = openAiClient(service.url);
      const ask = (more: object = {}) =>
        refusalOf(connection, () =>
          connection.openai.chat.completions.create({
            model,
            messages: [{ role: 'user', content: 'Hi' }],
            ...more,
          }),
        );
      for (const stream of [false, true, false]) {
        const { error, sent } = await ask({ stream });
        expect([error.status, error.code, error.type, sent]).toEqual([
          404,
          'flow_not_found',
          'not_found_error',
          1,
        ]);
      }
      const { error, sent } = await ask();
      expect([error.status, error.code, sent]).toEqual([429, 'address_blocked', 1]);
      expect(await listed()).toEqual([429, 'address_blocked']);
    },
  );

  it('that do not exist are recorded, with the requested name', async () => {
    const body = {
      model: 'gone',
      metadata: { chat_id: 'lost' },
      messages: [{ role: 'user', content: 'Hello?' }],
    };
    const { headers, body: answer } = await client.send('POST', '/api/v1/openai/chat/completions', body);
    expect(answer.error.executionId).toBe(headers.get('x-execution-id'));
    expect(await client.ended(headers.get('x-execution-id')!)).toMatchObject({
      kind: 'prediction',
      flowId: 'gone',
      chatId: 'lost',
      question: 'Hello?',
      status: 'rejected',
      httpStatus: 404,
      code: 'flow_not_found',
    });
    const response = {
      model: 'gone',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hm?' }] }],
    };
    const second = await client.send('POST', '/api/v1/openai/responses', response);
    expect(await client.ended(second.headers.get('x-execution-id')!)).toMatchObject({ question: 'Hm?' });
  });

  it('are called in keyed flows that do not declare it, with the key', async () => {
    const { openai } = openAiClient(service.url, keys[0]!.key);
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const answer = await openai.chat.completions.create({ model: 'keyed', messages });
    expect(answer.choices[0]!.message.content).toBe('You said: Hi');
    expect((await client.predict('untold', { question: 'Hi' })).status).toBe(200);
  });

  it('are not counted, and neither is any other path below', async () => {
    for (let call = 0; call < 4; call++) {
      const { status, body } = await client.send('POST', '/api/v1/openai/embeddings', { model: 'gone' });
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    }
    const wrong = await client.send('DELETE', '/API/V1/OpenAI/models');
    expect([wrong.status, wrong.body.error.code, wrong.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD',
    ]);
    expect(await listed()).toEqual(['listed', 'told']);
  });

  it('are refused before their body arrives if the address is blocked', async () => {
    for (let miss = 0; miss < 3; miss++) await client.predict('gone', { question: 'x' });
    const status = await new Promise((resolve, reject) => {
      const call = request(`${service.url}/api/v1/openai/responses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': '1000000' },
      });
      call.on('response', (answer) => {
        resolve(answer.statusCode);
        call.destroy();
      });
      call.on('error', reject);
      call.flushHeaders();
    });
    expect(status).toBe(429);
    // A small body is read first, which does not change the answer.
    for (const body of ['{', {}, { model: 'told' }])
      expect((await client.send('POST', '/api/v1/openai/responses', body)).status).toBe(429);
  });
});
