import { startTestApp, type TestApp } from './support/app.js';
import { dataOf, tokensOf } from './support/event-source.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow, replyFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

const forms = [undefined, true, 'true'];

describe('POST /api/v1/prediction/:flowId', () => {
  let service: TestApp;
  let model: FakeModel;
  let echo: string;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    [service, model] = [await startTestApp(), await startFakeModel()];
    await client.admin('POST', 'credit/default/top-ups', { amount: 100_000, reference: 'tests' });
    echo = await client.flow(echoFlow());
  });

  afterAll(async () => {
    await service.close();
    await model.close();
  });

  describe('answers', () => {
    it('as ordinary JSON if streaming is absent or false', async () => {
      for (const streaming of [undefined, false, 'false']) {
        const answer = await client.predict(echo, { question: 'Hello', streaming });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-type')).toContain('application/json');
        expect(answer.body).toEqual({
          text: 'You said: Hello',
          question: 'Hello',
          chatId: expect.any(String),
          chatMessageId: expect.any(String),
          sessionId: answer.body.chatId,
          executionId: answer.headers.get('x-execution-id'),
          usage: { credits: 1 },
        });
      }
    });

    it('as ordinary JSON, without an error, if the flow does not end in a streamable node', async () => {
      const nodes = [
        { id: 'start', kind: 'start' },
        { id: 'set', kind: 'set-state', config: { state: { seen: 'yes' } } },
      ];
      const flow = await client.flow({ name: 'Silent', nodes, edges: [{ from: 'start', to: 'set' }] });
      const answer = await client.predict(flow, { question: 'Hi', streaming: true });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain('application/json');
      expect((await client.send('GET', `/api/v1/chatflows-streaming/${flow}`)).body).toEqual({
        isStreaming: false,
      });
      expect((await client.send('GET', `/api/v1/chatflows-streaming/${echo}`)).body).toEqual({
        isStreaming: true,
      });
    });

    it('multipart bodies, with files as uploads and objects as JSON text', async () => {
      const flow = await client.flow(
        replyFlow('{{question}}|{{$vars.who}}|{{uploads.0.name}}|{{uploads.0.mime}}|{{uploads.0.size}}'),
      );
      const body = new FormData();
      body.set('question', 'Look');
      body.set('chatId', 'form-chat');
      body.set('overrideConfig', JSON.stringify({ vars: { who: 'Ann' } }));
      body.append('files', new Blob(['hello'], { type: 'text/plain' }), 'note.txt');
      const answer = await client.predict(flow, body);
      expect(answer.body).toMatchObject({
        text: 'Look|Ann|note.txt|text/plain|5',
        chatId: 'form-chat',
      });
      body.set('overrideConfig', '{broken');
      const refused = await client.predict(flow, body);
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'overrideConfig']);
    });

    it('forms with files in fields of any name, in order, except empty ones', async () => {
      const flow = await client.flow(replyFlow('{{uploads.0.name}}|{{uploads.1.name}}|{{uploads.1.size}}'));
      const body = new FormData();
      body.set('question', 'Look');
      body.set('streaming', 'True');
      body.append('files', new Blob([]), '');
      body.append('file', new Blob(['a']), 'a.txt');
      body.append('uploads', new Blob(['bcd']), 'b.txt');
      const answer = await client.predict(flow, body);
      expect(answer.text).toContain('a.txt|b.txt|3');
      expect(answer.headers.get('content-type')).toContain('text/event-stream');
      body.append('photo', new Blob([]), 'c.jpg');
      const refused = await client.predict(flow, body);
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [{ path: 'files.2', message: 'the file has no bytes' }],
      ]);
    });

    it('text files of forms by their declared charset, or 415', async () => {
      const flow = await client.flow(replyFlow('{{file_attachment}}'));
      const send = (bytes: Buffer, charset: string) => {
        const body = new FormData();
        body.set('question', 'Read this');
        body.append('files', new Blob([bytes], { type: `text/plain; charset=${charset}` }), 'note.txt');
        return client.predict(flow, body);
      };
      const wide = Buffer.from('Küche 5 €', 'utf16le');
      const latin = Buffer.from('K\xfcche 5 \x80', 'latin1');
      for (const [bytes, charset] of [
        [wide, 'utf-16le'],
        [Buffer.from(wide).swap16(), 'utf-16be'],
        [latin, 'windows-1252'],
        [latin, 'utf-8'],
      ] as const)
        expect((await send(bytes, charset)).body.text).toBe("<doc name='note.txt'>Küche 5 €</doc>");
      const refused = await send(latin, 'koi8-r');
      expect([refused.status, refused.body.code]).toEqual([415, 'unsupported_media_type']);
    });

    it('with token usage of the models and the recorded time to the first token', async () => {
      const flow = await client.flow(chatFlow(model.url));
      const { body } = await client.predict(flow, { question: 'Hi' });
      expect(body).toMatchObject({
        text: 'Hello there',
        usage: { credits: 1, inputTokens: 7, outputTokens: 2 },
      });
      const record = await client.ended(body.executionId);
      expect(record).toMatchObject({ status: 'succeeded', tokens: { inputTokens: 7, outputTokens: 2 } });
      expect(record.firstTokenMs).toBeGreaterThanOrEqual(0);
    });

    it('with agentFlowExecutedData only if the flow exposes its trace', async () => {
      const open = await client.flow(echoFlow({ exposeTrace: true }));
      const { body } = await client.predict(open, { question: 'Hi' });
      expect(body.agentFlowExecutedData.map((node: { nodeId: string }) => node.nodeId)).toEqual([
        'start',
        'reply',
      ]);
      const stream = await client.stream(open, { question: 'Hi' });
      await stream.done;
      const lists = dataOf(stream.events, 'agentFlowExecutedData') as { data?: unknown }[][];
      expect(lists.at(-1)!.map(({ data }) => data)).toEqual([
        expect.objectContaining({ id: 'start' }),
        expect.objectContaining({ id: 'reply', output: { content: 'You said: Hi' } }),
      ]);
      expect(
        lists
          .slice(0, -1)
          .flat()
          .filter(({ data }) => data !== undefined),
      ).toEqual([]);
    });

    it('with a record and a trace of every call', async () => {
      const { body } = await client.predict(echo, { question: 'On record', chatId: 'recorded' });
      const record = await client.ended(body.executionId);
      expect(record).toMatchObject({
        kind: 'prediction',
        flowId: echo,
        chatId: 'recorded',
        status: 'succeeded',
        httpStatus: 200,
        credits: 1,
        question: 'On record',
        answer: 'You said: On record',
      });
      expect(record.nodes.map((node: { nodeId: string }) => node.nodeId)).toEqual(['start', 'reply']);
    });
  });

  describe('overrideConfig', () => {
    it('injects variables, declared or not, and names the locked ones in warnings', async () => {
      const flow = await client.flow(
        replyFlow('{{$vars.open}} {{$vars.fixed}} {{$vars.other}} {{$vars.__proto__}}', {
          vars: { open: { value: 'a' }, fixed: { value: 'b', locked: true } },
        }),
      );
      const plain = await client.predict(flow, { question: 'q' });
      expect(plain.body.text).toBe('a b {{$vars.other}} {{$vars.__proto__}}');
      expect(plain.body.warnings).toBeUndefined();
      const vars = '{"open":"A $& {{question}}","fixed":"B","other":"C","__proto__":"P"}';
      const { body } = await client.predict(flow, `{"question":"q","overrideConfig":{"vars":${vars}}}`);
      expect(body.text).toBe('A $& {{question}} b C P');
      expect(body.warnings).toEqual([
        {
          code: 'variable_locked',
          message: expect.stringContaining('"fixed"'),
          path: 'overrideConfig.vars.fixed',
        },
      ]);
    });

    it('accepts node inputs that the flow allows, and nothing else', async () => {
      const flow = await client.flow(replyFlow('fixed', { overrides: ['reply.message'] }));
      const overrideConfig = {
        reply: { message: 'changed' },
        systemMessage: 'x',
        start: { state: { a: 1 } },
      };
      expect((await client.predict(flow, { question: 'q', overrideConfig })).body.text).toBe('changed');
      expect((await client.predict(echo, { question: 'q', overrideConfig })).body.text).toBe('You said: q');
      const misspelt = await client.predict(flow, { question: 'q', overrideConfig: { mesage: 'x' } });
      expect(misspelt.body).toMatchObject({
        text: 'fixed',
        warnings: [{ code: 'override_not_allowed', path: 'overrideConfig.mesage', suggestion: 'message' }],
      });
    });

    it.each([
      ['session_id', 'sessionId'],
      ['Vars', 'vars'],
      ['startstate', 'startState'],
    ])('suggests its own members for misspelt ones: %s', async (misspelt, suggestion) => {
      const { body } = await client.predict(echo, { question: 'q', overrideConfig: { [misspelt]: 'x' } });
      const path = `overrideConfig.${misspelt}`;
      expect(body.warnings).toEqual([expect.objectContaining({ path, suggestion })]);
    });

    it('refuses a value that does not fit its node with 400, and charges nothing', async () => {
      const flow = await client.flow(replyFlow('fixed', { overrides: ['reply.message'] }));
      for (const streaming of forms) {
        const overrideConfig = { message: { not: 'a text' } };
        const { status, body } = await client.predict(flow, { question: 'q', streaming, overrideConfig });
        expect([status, body.code]).toEqual([400, 'invalid_request']);
        expect(body.errors).toEqual([
          { path: 'overrideConfig', message: 'node "reply": message must be a text' },
        ]);
      }
    });

    it('accepts startState as the first values of the flow state', async () => {
      const flow = await client.flow(replyFlow('{{$flow.state.city}}'));
      const overrideConfig = { startState: { city: 'Leeds' } };
      const first = await client.predict(flow, { question: 'q', chatId: 'st', overrideConfig });
      expect(first.body.text).toBe('Leeds');
      expect((await client.predict(flow, { question: 'q', chatId: 'st' })).body.text).toBe('Leeds');
    });
  });

  describe('refuses', () => {
    it('bodies that break the schema, with the path of each fault, whatever streaming is set to', async () => {
      for (const streaming of forms) {
        for (const [body, path] of [
          [{ streaming }, 'question'],
          [{ streaming, question: ['x'] }, 'question'],
          [{ streaming, question: 'q', chatId: 'a\nb' }, 'chatId'],
          [{ streaming, question: 'q', overrideConfig: { vars: [] } }, 'overrideConfig.vars'],
          [{ streaming, question: 'q', uploads: [{ type: 'file', data: 'data:x;base64,%%' }] }, 'uploads.0'],
          [{ streaming, question: 'q', uploads: [{ type: 'url', data: 'http://a.example/1' }] }, 'uploads.0'],
        ] as const) {
          const answer = await client.predict(echo, body);
          expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
          expect(answer.headers.get('content-type')).toContain('application/problem+json');
          expect(answer.body.errors.map((fault: { path: string }) => fault.path)).toEqual([path]);
          expect(answer.body.executionId).toBe(answer.headers.get('x-execution-id'));
        }
      }
    });

    it('bodies that are not JSON, too deep, too long or of another type', async () => {
      const send = (body: string, type = 'application/json') =>
        client.predict(echo, body, { 'content-type': type });
      const deep = `{"question":${'['.repeat(100)}${']'.repeat(100)}}`;
      expect((await send('{"question":')).body.code).toBe('invalid_request');
      expect((await send(deep)).body.code).toBe('json_too_deep');
      const encoded = await send('question=q', 'application/x-www-form-urlencoded');
      expect([encoded.status, encoded.body.message]).toEqual([
        415,
        'Send the body as application/json or multipart/form-data.',
      ]);
      const long = await client.predict(echo, { question: 'x'.repeat(1024 * 1024 + 1), streaming: true });
      expect([long.status, long.body.code]).toEqual([413, 'question_too_long']);
      expect((await client.predict(echo, { question: 'x'.repeat(1024 * 1024) })).status).toBe(200);
    });

    it('in a plain sentence for callers that accept only text, with the real status', async () => {
      const answer = await client.predict(echo, { streaming: true }, { accept: 'text/event-stream' });
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toContain('text/plain');
      expect(answer.text).toMatch(/^The request is not valid/);
    });

    it('with the real status 401, 402, 403, 404 and 429 for a streaming caller too', async () => {
      const key = (await client.admin('POST', 'api-keys', { name: 'tests' })).body;
      const flows = {
        401: await client.flow(echoFlow({ access: { apiKeyId: key.id } })),
        402: await client.flow(echoFlow({ account: 'nobody' })),
        403: await client.flow(echoFlow({ access: { allowedDomains: ['good.example'] } })),
        404: 'no-such-flow',
        429: await client.flow(echoFlow({ access: { rateLimit: { limit: 1, windowSeconds: 3600 } } })),
      };
      await client.predict(flows[429], { question: 'q' });
      const codes = {
        401: 'invalid_api_key',
        402: 'insufficient_credit',
        403: 'domain_not_allowed',
        404: 'flow_not_found',
        429: 'rate_limited',
      };
      for (const streaming of forms) {
        for (const status of [401, 402, 403, 429, 404] as const) {
          const body = { question: 'q', streaming, chatId: `refused-${status}` };
          const answer = await client.predict(flows[status], body, { origin: 'https://bad.example' });
          expect([answer.status, answer.body?.code]).toEqual([status, codes[status]]);
          const record = await client.ended(answer.headers.get('x-execution-id')!);
          expect(record).toMatchObject({
            status: 'rejected',
            httpStatus: status,
            code: codes[status],
            credits: 0,
          });
        }
      }
      await client.admin('DELETE', 'address-blocks/127.0.0.1');
      const good = { authorization: `Bearer ${key.key}` };
      expect((await client.predict(flows[401], { question: 'q' }, good)).status).toBe(200);
    });
  });

  describe('a failing flow', () => {
    const failure = { error: { status: 400, message: 'the model is broken' } };

    it('is 500 flow_failed with a neutral sentence and the execution id, and is refunded', async () => {
      const flow = await client.flow(chatFlow(model.url));
      const before = (await client.admin('GET', 'credit/default')).body.balance;
      model.answers.push(failure);
      const answer = await client.predict(flow, { question: 'q', chatId: 'failing' });
      expect([answer.status, answer.body.code]).toEqual([500, 'flow_failed']);
      expect(answer.body.failedNode).toBeUndefined();
      expect(answer.text).not.toContain('broken');
      expect(answer.body.executionId).toBe(answer.headers.get('x-execution-id'));
      expect((await client.admin('GET', 'credit/default')).body.balance).toBe(before);
      const record = await client.ended(answer.body.executionId);
      expect(record).toMatchObject({
        status: 'failed',
        httpStatus: 500,
        code: 'flow_failed',
        failedNode: { id: 'llm', label: 'Think' },
      });
      expect(record.nodes.at(-1)).toMatchObject({ nodeId: 'llm', status: 'failed' });
    });

    it('names the node, with its own message, to a caller who presented the key of the flow', async () => {
      const key = (await client.admin('POST', 'api-keys', { name: 'owner' })).body;
      const flow = await client.flow(chatFlow(model.url, { access: { apiKeyId: key.id } }));
      const headers = { authorization: `Bearer ${key.key}` };
      model.answers.push(failure);
      const { body, status } = await client.predict(flow, { question: 'q' }, headers);
      expect(status).toBe(500);
      expect(body.failedNode).toEqual({ id: 'llm', label: 'Think' });
      expect(body.message).toContain('broken');
      model.answers.push(failure);
      const stream = await client.stream(flow, { question: 'q' }, headers);
      await stream.done;
      expect(dataOf(stream.events, 'error')).toEqual([expect.stringContaining('broken')]);
    });

    it('is an event in a stream that has opened', async () => {
      const flow = await client.flow(chatFlow(model.url));
      model.answers.push(failure);
      const stream = await client.stream(flow, { question: 'q' });
      await stream.done;
      expect(stream.status).toBe(200);
      expect(stream.events.slice(-3).map(({ event, data }) => [event, data])).toEqual([
        ['agentFlowEvent', 'ERROR'],
        ['error', expect.stringMatching(/^The flow failed/)],
        ['end', '[DONE]'],
      ]);
    });

    it('leaves memory and state unchanged', async () => {
      const flow = await client.flow({
        ...chatFlow(model.url),
        nodes: [
          { id: 'start', kind: 'start' },
          { id: 'set', kind: 'set-state', config: { state: { last: '{{question}}' } } },
          {
            id: 'llm',
            kind: 'llm',
            config: {
              model: { provider: 'openai-compatible', name: 'fake', baseUrl: model.url },
              userMessage: 'before: {{$flow.state.last}}',
            },
          },
        ],
        edges: [
          { from: 'start', to: 'set' },
          { from: 'set', to: 'llm' },
        ],
      });
      const chat = { chatId: 'unharmed' };
      await client.predict(flow, { question: 'one', ...chat });
      model.answers.push(failure);
      expect((await client.predict(flow, { question: 'two', ...chat })).status).toBe(500);
      await client.predict(flow, { question: 'three', ...chat });
      const { messages } = model.requests.at(-1)!.body;
      expect(JSON.stringify(messages)).not.toContain('two');
      expect(JSON.stringify(messages)).toContain('Hello there');
    });
  });

  describe('Idempotency-Key', () => {
    it('replays the stored answer, with a record of its own, and charges once', async () => {
      const headers = { 'idempotency-key': 'key-1' };
      const body = { question: 'Once', chatId: 'idem' };
      const first = await client.predict(echo, body, headers);
      const balance = (await client.admin('GET', 'credit/default')).body.balance;
      const second = await client.predict(echo, { chatId: 'idem', question: 'Once' }, headers);
      expect(second.body).toEqual(first.body);
      expect(first.headers.get('idempotent-replay')).toBeNull();
      expect(second.headers.get('idempotent-replay')).toBe('true');
      const replayId = second.headers.get('x-execution-id')!;
      expect(replayId).not.toBe(first.body.executionId);
      expect(await client.ended(replayId)).toMatchObject({
        replayOf: first.body.executionId,
        credits: 0,
        httpStatus: 200,
      });
      expect((await client.admin('GET', 'credit/default')).body.balance).toBe(balance);
    });

    it('replays it to a streaming caller as a stream', async () => {
      const headers = { 'idempotency-key': 'key-2' };
      const first = await client.predict(echo, { question: 'Once more' }, headers);
      const stream = await client.stream(echo, { question: 'Once more' }, headers);
      await stream.done;
      expect(stream.headers.get('idempotent-replay')).toBe('true');
      expect(stream.events.map(({ event }) => event)).toEqual([
        'agentFlowEvent',
        'token',
        'agentFlowEvent',
        'metadata',
        'end',
      ]);
      expect(tokensOf(stream.events)).toBe(first.body.text);
      expect(dataOf(stream.events, 'metadata')).toEqual([
        expect.objectContaining({ executionId: first.body.executionId }),
      ]);
    });

    it('is 422 for another request, 409 while the first runs, and 400 if it is malformed', async () => {
      const flow = await client.flow(chatFlow(model.url));
      const held = new Hold();
      model.answers.push({ tokens: ['slow'], held });
      const requestsBefore = model.requests.length;
      const headers = { 'idempotency-key': 'key-3' };
      const first = client.predict(flow, { question: 'a' }, headers);
      await eventually(() => model.requests.length > requestsBefore);
      const during = await client.predict(flow, { question: 'a' }, headers);
      expect([during.status, during.body.code]).toEqual([409, 'idempotency_key_in_use']);
      held.letGo();
      expect((await first).status).toBe(200);
      const other = await client.predict(flow, { question: 'b' }, headers);
      expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
      const bad = await client.predict(flow, { question: 'a' }, { 'idempotency-key': 'x'.repeat(256) });
      expect(bad.status).toBe(400);
    });

    it('stores flow_failed, and releases the key if the call was refused', async () => {
      const flow = await client.flow(chatFlow(model.url));
      model.answers.push({ error: { status: 400, message: 'no' } });
      const headers = { 'idempotency-key': 'key-4' };
      const first = await client.predict(flow, { question: 'a' }, headers);
      const again = await client.predict(flow, { question: 'a' }, headers);
      expect(again.status).toBe(500);
      expect(again.headers.get('idempotent-replay')).toBe('true');
      expect(again.body).toEqual(first.body);

      const poor = await client.flow(echoFlow({ account: 'poor' }));
      expect((await client.predict(poor, { question: 'a' }, headers)).status).toBe(402);
      await client.admin('POST', 'credit/poor/top-ups', { amount: 1, reference: 'r' });
      expect((await client.predict(poor, { question: 'a' }, headers)).status).toBe(200);
    });
  });

  it('names the account that cannot pay to the holder of the key and to admins alone', async () => {
    const key = (await client.admin('POST', 'api-keys', { name: 'payer' })).body;
    const account = 'Müller & Söhne';
    const open = await client.flow(echoFlow({ account }));
    const keyed = await client.flow(echoFlow({ account, access: { apiKeyId: key.id } }));
    const holder = { authorization: `Bearer ${key.key}` };
    const refused = async (
      answer: Promise<{ status: number; body: { message: string; detail: string } }>,
    ) => {
      const { status, body } = await answer;
      expect(status).toBe(402);
      return body.message;
    };
    for (const chatId of [undefined, 'known']) {
      const body = { question: 'a', ...(chatId === undefined ? {} : { chatId }) };
      expect(await refused(client.predict(open, body))).not.toContain(account);
      // An unchecked key makes no holder.
      expect(await refused(client.predict(open, body, holder))).not.toContain(account);
      expect(await refused(client.predict(keyed, body, holder))).toContain(account);
      expect(await refused(client.admin('POST', `flows/${open}/run`, body))).toContain(account);
    }
  });

  describe('from the console', () => {
    it('runs without key, domain or rate limit, charged and recorded', async () => {
      const access = {
        apiKeyId: (await client.admin('POST', 'api-keys', { name: 'of others' })).body.id as string,
        allowedDomains: ['good.example'],
        rateLimit: { limit: 1, windowSeconds: 9 },
      };
      const flow = await client.flow(echoFlow({ access }));
      for (let run = 0; run < 2; run++) {
        const { status, body } = await client.admin('POST', `flows/${flow}/run`, { question: 'q' });
        expect([status, body.text]).toEqual([200, 'You said: q']);
        expect(await client.ended(body.executionId)).toMatchObject({ credits: 1, status: 'succeeded' });
      }
      expect((await client.send('POST', `/api/v1/flows/${flow}/run`, { question: 'q' })).body.code).toBe(
        'invalid_admin_key',
      );
      expect((await client.admin('POST', 'flows/no-such-flow/run', { question: 'q' })).body.code).toBe(
        'not_found',
      );
    });
  });
});
