import { randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from './support/app.js';
import { echoFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

describe('the endpoints of chat clients', () => {
  let service: TestApp;
  let flow: string;
  let keyed: string;
  let key: Record<string, string>;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp();
    const made = (await client.admin('POST', 'api-keys', { name: 'tests' })).body;
    key = { authorization: `Bearer ${made.key}` };
    flow = await client.flow(
      echoFlow({
        chat: {
          starterPrompts: ['Hello', { prompt: 'What can you do?' }],
          chatFeedback: { status: true },
          leads: { status: true, title: 'Who are you?', secret: 'no' },
          followUpPrompts: { status: true, prompt: 'secret prompt', model: 'x' },
          uploads: { isImageUploadAllowed: true },
          internal: 'no',
        },
      }),
    );
    keyed = await client.flow(echoFlow({ access: { apiKeyId: made.id } }));
  });

  afterAll(async () => {
    await service.close();
  });

  it("report without a key if a flow streams, and the widget's appearance", async () => {
    for (const id of [flow, keyed]) {
      expect((await client.send('GET', `/api/v1/chatflows-streaming/${id}`)).body).toEqual({
        isStreaming: true,
      });
      expect((await client.send('GET', `/api/v1/public-chatbotConfig/${id}`)).status).toBe(200);
    }
    const { body, text } = await client.send('GET', `/api/v1/public-chatbotConfig/${flow}`);
    expect(body).toMatchObject({
      starterPrompts: { 0: { prompt: 'Hello' }, 1: { prompt: 'What can you do?' } },
      chatFeedback: { status: true },
      leads: { status: true, title: 'Who are you?' },
      followUpPrompts: { status: true },
      uploads: {
        isImageUploadAllowed: true,
        imgUploadSizeAndTypes: [
          { fileTypes: expect.arrayContaining(['image/jpeg', 'image/heic']), maxUploadSize: 25 },
        ],
        fileUploadSizeAndTypes: [],
      },
    });
    expect(text).not.toContain('secret');
    expect(text).not.toContain('internal');
    expect(text).not.toContain('You said');
    expect(JSON.parse(body.flowData).nodes[0].data).toEqual({
      name: 'startAgentflow',
      inputs: { startInputType: 'chatInput' },
    });
  });

  it('report the form of a flow to the widget', async () => {
    const form = {
      title: 'About you',
      description: 'Please',
      inputs: [{ type: 'options', label: 'City', name: 'city', options: ['Leeds', 'York'], secret: 1 }],
    };
    const nodes = [
      { id: 'start', kind: 'start', config: { inputType: 'form', form } },
      { id: 'reply', kind: 'reply', config: { message: '{{$form.city}}' } },
    ];
    const id = await client.flow(echoFlow({ nodes }));
    const { body } = await client.send('GET', `/api/v1/public-chatbotConfig/${id}`);
    expect(JSON.parse(body.flowData).nodes[0].data.inputs).toEqual({
      startInputType: 'formInput',
      formTitle: 'About you',
      formDescription: 'Please',
      formInputTypes: [
        {
          type: 'options',
          label: 'City',
          name: 'city',
          addOptions: [{ option: 'Leeds' }, { option: 'York' }],
        },
      ],
    });
    expect((await client.predict(id, { form: { city: 'York' } })).body).toMatchObject({
      text: 'York',
      question: 'city: York',
    });
  });

  it('accept feedback, and change it', async () => {
    const { body: answer } = await client.predict(flow, { question: 'q', chatId: 'c' });
    const given = {
      chatflowid: flow,
      chatId: 'c',
      messageId: answer.chatMessageId,
      rating: 'THUMBS_UP',
      content: '',
    };
    const made = await client.send('POST', `/api/v1/feedback/${flow}`, given);
    expect([made.status, made.body]).toEqual([
      200,
      { ...given, id: expect.any(String), createdDate: expect.any(String) },
    ]);
    const changed = await client.send('PUT', `/api/v1/feedback/${made.body.id}`, { content: 'good' });
    expect(changed.body).toMatchObject({ id: made.body.id, rating: 'THUMBS_UP', content: 'good' });
    expect((await client.send('PUT', '/api/v1/feedback/nothing', { content: 'x' })).body.code).toBe(
      'not_found',
    );
    const wrong = await client.send('POST', `/api/v1/feedback/${flow}`, { ...given, rating: 'MEH' });
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, 'rating']);
  });

  it('accept leads', async () => {
    const lead = { chatflowid: flow, chatId: 'c', name: 'Ann', email: 'ann@mail.example', phone: '1' };
    const made = await client.send('POST', '/api/v1/leads/', lead);
    expect([made.status, made.body]).toEqual([
      200,
      { ...lead, id: expect.any(String), createdDate: expect.any(String) },
    ]);
  });

  it('accept attachments, return their text, and return the file by its issued name', async () => {
    const files = new FormData();
    files.append('files', new Blob(['A letter.\n'], { type: 'text/plain' }), 'letter.txt');
    const made = await client.send('POST', `/api/v1/attachments/${flow}/c`, files);
    expect(made.body).toEqual([
      {
        name: expect.stringMatching(/-letter\.txt$/),
        mimeType: 'text/plain',
        size: 10,
        content: 'A letter.\n',
      },
    ]);
    const read = (fileName: string, chatId = 'c') =>
      client.send(
        'GET',
        `/api/v1/get-upload-file?${new URLSearchParams({ chatflowId: flow, chatId, fileName }).toString()}`,
      );
    const file = await read(made.body[0].name as string);
    expect([file.status, file.text]).toEqual([200, 'A letter.\n']);
    expect(file.headers.get('content-disposition')).toContain('attachment');
    expect((await read('letter.txt')).status).toBe(404);
    expect((await read(made.body[0].name as string, 'other')).status).toBe(404);
    expect((await read('../../admin-key')).status).toBe(404);
    const archive = new FormData();
    archive.append('files', new Blob([new Uint8Array([80, 75, 0])], { type: 'application/zip' }), 'a.zip');
    expect((await client.send('POST', `/api/v1/attachments/${flow}/c`, archive)).status).toBe(415);
  });

  it.each([
    ['that are not UTF-8 as Windows-1252', 'text/plain', Buffer.from('K\xfcche 5 \x80', 'latin1')],
    ['by their declared charset', 'text/plain; charset=UTF-16LE', Buffer.from('Küche 5 €', 'utf16le')],
    ['by their byte order mark', 'text/plain', Buffer.from('\ufeffKüche 5 €', 'utf16le').swap16()],
    ['without the byte order mark', 'text/plain; charset=utf-8', Buffer.from('\ufeffKüche 5 €')],
  ])('read attached texts %s', async (_, type, bytes) => {
    const files = new FormData();
    files.append('files', new Blob([bytes], { type }), 'k.txt');
    const { body } = await client.send('POST', `/api/v1/attachments/${flow}/c`, files);
    expect(body).toMatchObject([{ mimeType: 'text/plain', size: bytes.length, content: 'Küche 5 €' }]);
  });

  it('refuse an attached text in an unknown charset', async () => {
    const files = new FormData();
    files.append('files', new Blob(['x'], { type: 'text/plain; charset=koi8-r' }), 'k.txt');
    const { status, body } = await client.send('POST', `/api/v1/attachments/${flow}/c`, files);
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('count attachments toward the rate limit of the flow, together with calls', async () => {
    const limited = await client.flow(echoFlow({ access: { rateLimit: { limit: 2, windowSeconds: 60 } } }));
    const attach = () => {
      const form = new FormData();
      form.append('files', new Blob(['A letter.\n'], { type: 'text/plain' }), 'letter.txt');
      return client.send('POST', `/api/v1/attachments/${limited}/c`, form);
    };
    expect((await attach()).status).toBe(200);
    expect((await client.send('POST', `/api/v1/prediction/${limited}`, { question: 'Hello' })).status).toBe(
      200,
    );
    expect(await attach()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });

  it.each(['chatflowId', 'chatflowid'])(
    "return a file by its user's name for it to readers of the chat alone: %s",
    async (member) => {
      const attach = async (flowId: string, chatId: string, headers: Record<string, string> = {}) => {
        const form = new FormData();
        form.append('files', new Blob([`Of ${chatId}.`], { type: 'text/plain' }), 'letter.txt');
        await client.send('POST', `/api/v1/attachments/${flowId}/${chatId}`, form, headers);
      };
      const read = async (flowId: string, chatId: string, headers: Record<string, string> = {}) => {
        const query = new URLSearchParams({ [member]: flowId, chatId, fileName: 'letter.txt' }).toString();
        const { status, text } = await client.send(
          'GET',
          `/api/v1/get-upload-file?${query}`,
          undefined,
          headers,
        );
        return status === 200 ? text : status;
      };
      const admin = { authorization: `Bearer ${service.adminKey}` };
      const [guessable, own] = [`447700900123-${member}`, randomUUID()];
      for (const chatId of [guessable, own]) await attach(flow, chatId);
      await attach(keyed, guessable, key);
      expect(await read(flow, guessable)).toBe(404);
      expect(await read(flow, guessable, key)).toBe(404);
      expect(await read(flow, own)).toBe(`Of ${own}.`);
      expect(await read(flow, randomUUID())).toBe(404);
      expect(await read(keyed, guessable)).toBe(401);
      for (const headers of [key, admin])
        expect(await read(keyed, guessable, headers)).toBe(`Of ${guessable}.`);
      expect(await read(flow, guessable, admin)).toBe(`Of ${guessable}.`);
    },
  );

  it('require the key of a keyed flow, except for the two that reveal nothing', async () => {
    const feedback = { chatId: 'c', messageId: 'm', rating: 'THUMBS_UP' };
    const calls: [string, string, unknown][] = [
      ['POST', `/api/v1/feedback/${keyed}`, feedback],
      ['POST', '/api/v1/leads', { chatflowid: keyed, chatId: 'c' }],
      ['PUT', `/api/v1/chatmessage/abort/${keyed}/c`, undefined],
      ['GET', `/api/v1/get-upload-file?chatflowId=${keyed}&chatId=c&fileName=x`, undefined],
      ['GET', `/api/v1/prediction/${keyed}/stream`, undefined],
    ];
    for (const [method, path, body] of calls) {
      const answer = await client.send(method, path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 401, 'invalid_api_key']);
      expect((await client.send(method, path, body, key)).status).not.toBe(401);
    }
    const made = await client.send('POST', `/api/v1/feedback/${keyed}`, feedback, key);
    const change = await client.send('PUT', `/api/v1/feedback/${made.body.id}`, { content: 'x' });
    expect(change.body.code).toBe('invalid_api_key');
  });

  it('count an unknown id once per address and id', async () => {
    for (let call = 0; call < 6; call++) {
      const { status } = await client.send('GET', '/api/v1/chatflows-streaming/no-such-flow');
      expect(status).toBe(404);
    }
    expect(
      (await client.send('POST', '/api/v1/leads', { chatflowid: 'no-such-flow', chatId: 'c' })).status,
    ).toBe(404);
  });
});
