import { createServer } from 'node:http';
import { ModelTrial, chunk, END, never, question } from '../../../test/fixtures/models/model-trial.js';
import { eventually } from '../../../test/support/eventually.js';
import { type FakeAnswer, Hold } from '../../../test/support/fake-model.js';
import type { ModelRequest } from './language-model.js';
import { askModel } from './model-answer.js';

describe('a model that speaks the chat protocol fails', () => {
  const asked = new ModelTrial();

  afterEach(() => jest.restoreAllMocks());

  const failure = async (answers: FakeAnswer[], request: Partial<ModelRequest> = {}) => {
    asked.fake.answers.push(...answers);
    const answer = askModel(asked.open({ apiKey: 'sk-secret' }), { messages: [question], ...request }, never);
    return answer.then(
      () => {
        throw new Error('it did not fail');
      },
      ({ fault, status, message }: { fault: string; status?: number; message: string }) => ({
        fault,
        status,
        message,
      }),
    );
  };
  const thrice = (answer: FakeAnswer) => [answer, answer, answer];

  it('with what an error within the answer says, after what was said', async () => {
    const error = { message: 'no such key sk-secret', type: 'server_error' };
    expect(await failure([{ tokens: ['a', 'b'], tokenMs: 20, streamError: error }])).toMatchObject({
      fault: 'unavailable',
      message: 'The model failed: no such key [masked]',
    });
    expect(await failure([{ streamError: 'just a text' }])).toMatchObject({
      fault: 'failed',
      message: 'The model failed: just a text',
    });
  });

  it('but asks again where the error came before any word', async () => {
    const error = { message: 'slow down', code: 429 };
    expect((await asked.ask({ streamError: error })).text).toBe('Hello there');
    expect(asked.fake.requests).toHaveLength(2);
  });

  it('when the connection breaks, and does not ask again for what was begun', async () => {
    const broken = { tokens: ['a', 'b', 'c'], breakAfter: 2, tokenMs: 20 };
    expect(await failure([broken])).toMatchObject({ fault: 'cut_off' });
    expect(asked.fake.requests).toHaveLength(1);
    expect(await failure(thrice({ tokens: ['a'], breakAfter: 0 }))).toMatchObject({ fault: 'cut_off' });
    expect(asked.fake.requests).toHaveLength(4);
  });

  it('when the answer ends without an end', async () => {
    expect(await failure([{ raw: [chunk({ content: 'Hel' })] }])).toMatchObject({ fault: 'cut_off' });
  });

  it.each([
    ['garbage in the middle', [chunk({ content: 'a' }), 'data: {"choices":[{\n\n', END], 'unreadable'],
    ['a chunk that is no object', ['data: 17\n\n', END], 'unreadable'],
    ['a web page', ['<!doctype html><title>Sign in</title>'], 'unreadable'],
    ['some text', ['upstream connect error'], 'unreadable'],
    ['a broken whole answer', ['{"choices":[{"message":'], 'unreadable'],
    ['an error as a whole answer', ['{"error":{"message":"no","code":400}}'], 'rejected'],
    ['nothing at all', [], 'empty'],
    ['an end without words', [END], 'empty'],
    ['a line without end', ['data: ', ...Array.from({ length: 80 }, () => 'x'.repeat(65_536))], 'endless'],
    ['an event of many values', [`data: {"choices":[${'[],'.repeat(200_000)}[]]}\n\n`, END], 'endless'],
    ['a whole answer of many values', [`\n{"choices":[${'{},\n'.repeat(200_000)}{}]}`], 'endless'],
    [
      'a thousand calls',
      Array.from({ length: 200 }, (_, index) => chunk({ tool_calls: [{ index, id: `${index}` }] })),
      'endless',
    ],
  ])('on %s', async (_case, raw, fault) => {
    expect(await failure([{ raw }])).toMatchObject({ fault });
    expect(asked.fake.requests).toHaveLength(1);
  });

  it('with the reason of an answer without words', async () => {
    const length = { tokens: [], thinking: ['hm'], finish: 'length' };
    expect((await failure([length])).message).toMatch(/used up maxTokens/);
    expect((await failure([{ tokens: [], finish: 'content_filter' }])).message).toMatch(/filter/);
  });

  it('when an answer takes longer than any', async () => {
    asked.fake.answers.push(
      { tokens: ['x'], endless: true, tokenMs: 1 },
      { raw: Array(1_000).fill(': wait\n\n'), tokenMs: 5 },
    );
    for (const _ of [1, 2]) {
      const answer = askModel(asked.open({}, 150), { messages: [question] }, never);
      await expect(answer).rejects.toMatchObject({ fault: 'endless' });
    }
    await eventually(() => asked.fake.requests.every(({ aborted }) => aborted));
  });

  it.each([
    [401, { error: { message: 'wrong key sk-secret' } }, 'rejected', 'wrong key [masked]'],
    [404, { message: 'no such model' }, 'rejected', 'no such model'],
    [422, { detail: [{ msg: 'bad' }] }, 'rejected', '[{"msg":"bad"}]'],
    [400, [{ error: { message: 'in a list' } }], 'rejected', 'in a list'],
  ])('as the provider says, %s', async (status, body, fault, said) => {
    const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(body)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const answer = askModel(asked.open({ baseUrl, apiKey: 'sk-secret' }), { messages: [question] }, never);
    await expect(answer).rejects.toMatchObject({
      fault,
      status,
      message: `The model answered ${status}: ${said}`,
    });
    server.close().closeAllConnections();
  });

  it('at once where the provider wants to be left alone for long, or says that nothing will help', async () => {
    const wait = { status: 429, message: 'later', headers: { 'retry-after': '120' } };
    expect(await failure([{ error: wait }])).toMatchObject({ fault: 'rate_limited', status: 429 });
    const never = { status: 503, message: 'no', headers: { 'x-should-retry': 'false' } };
    expect(await failure([{ error: never }])).toMatchObject({ fault: 'unavailable' });
    expect(asked.fake.requests).toHaveLength(2);
  });

  it('by name where a model takes no pictures, recordings or tools', async () => {
    const picture = { type: 'image' as const, mime: 'image/png', content: Buffer.from('p') };
    const recording = { type: 'audio' as const, mime: 'audio/wav', content: Buffer.from('r') };
    const refused = (message: string) => [{ error: { status: 400, message } }];
    const messages = (attachment: typeof picture | typeof recording) => [
      { ...question, attachments: [attachment] },
    ];
    const noImage = await failure(refused('image_url is not supported'), { messages: messages(picture) });
    expect(noImage).toMatchObject({
      fault: 'unsupported',
      message: expect.stringMatching(/"m" does not accept pictures/),
    });
    const noAudio = await failure(refused('unknown variant `input_audio`'), {
      messages: messages(recording),
    });
    expect(noAudio).toMatchObject({ fault: 'unsupported', message: expect.stringMatching(/recordings/) });
    const tools = [{ name: 'a', parameters: {} }];
    const noTools = await failure(refused('m does not support tools'), { tools });
    expect(noTools).toMatchObject({ fault: 'unsupported', message: expect.stringMatching(/tools/) });
    expect(await failure(refused('unknown model'), { messages: messages(picture) })).toMatchObject({
      fault: 'rejected',
    });
  });

  it('not because of a silence within the time limit of the call, before the answer or in it', async () => {
    const { tick } = jest.requireActual<{ tick: (ms: number) => void }>('undici/lib/util/timers.js');
    const timer = setTimeout;
    // The HTTP client's own limit of five minutes: a timer before the answer, and ticks of its clock within it.
    const timers = jest.spyOn(globalThis, 'setTimeout');
    timers.mockImplementation((work, ms, ...rest) => timer(work, ms === 300_000 ? 1 : ms, ...rest));
    for (const heldAfter of [0, 1]) {
      const held = new Hold();
      let text = '';
      asked.fake.answers.push({ tokens: ['a', 'b'], held, heldAfter });
      const answer = askModel(asked.open(), { messages: [question] }, never, {
        text: (part) => (text += part),
      });
      await eventually(() => asked.fake.requests.length > heldAfter && text.length === heldAfter);
      for (const ms of [1_000, 300_000]) tick(ms);
      await new Promise((resolve) => timer(resolve, 100));
      held.letGo();
      expect((await answer).text).toBe('ab');
      expect(asked.fake.requests).toHaveLength(heldAfter + 1);
    }
  });
});
