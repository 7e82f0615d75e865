import { startTestApp, type TestApp } from './support/app.js';
import { dataOf, tokensOf } from './support/event-source.js';
import { type FakeAnswer, type FakeModel, startFakeModel } from './support/fake-model.js';
import { chatFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

describe('a prediction that calls a model', () => {
  let service: TestApp;
  let model: FakeModel;
  let chat: string;
  let structured: string;
  let headers: { authorization: string };
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp();
    model = await startFakeModel();
    const key = (await client.admin('POST', 'api-keys', { name: 'models' })).body;
    headers = { authorization: `Bearer ${key.key}` };
    const access = { access: { apiKeyId: key.id } };
    chat = await client.flow(chatFlow(model.url, access));
    const structuredOutput = [{ key: 'room', type: 'string' }];
    structured = await client.flow(chatFlow(model.url, access, { structuredOutput }));
  });

  afterAll(async () => {
    await service.close();
    await model.close();
  });

  beforeEach(() => {
    model.requests.length = 0;
    model.answers.length = 0;
  });

  it("returns the model's second answer after a retry, counting the tokens of both", async () => {
    model.answers.push({ tokens: ['In the hall'] }, { tokens: ['{"room":', '"Hall"}'] });
    const { body } = await client.predict(structured, { question: 'Where?' }, headers);
    expect(body).toMatchObject({ text: '{"room":"Hall"}', json: { room: 'Hall' } });
    expect(body.usage).toMatchObject({ inputTokens: 14, outputTokens: 3 });
    model.answers.push({ tokens: ['In the hall'] }, { tokens: ['{"room":', '"Hall"}'] });
    const stream = await client.stream(structured, { question: 'Where?' }, headers);
    await stream.done;
    expect(dataOf(stream.events, 'token')).toEqual(['{"room":"Hall"}']);
  });

  it('fails with the code of the contract if the form of the answer is wrong twice, and refunds the price', async () => {
    model.answers.push({ tokens: ['In the hall'] }, { tokens: ['In the hall!'] });
    const { status, body } = await client.predict(structured, { question: 'Where?' }, headers);
    expect([status, body.code, body.failedNode]).toEqual([500, 'flow_failed', { id: 'llm', label: 'Think' }]);
    expect(body.detail).toMatch(/structuredOutput/);
    expect(await client.ended(body.executionId)).toMatchObject({ status: 'failed', credits: 0 });
  });

  it.each<[string, FakeAnswer, RegExp]>([
    ['an empty answer', { tokens: [] }, /empty answer/],
    ['a web page', { raw: ['<html>Sign in</html>'], contentType: 'text/html' }, /web page/],
    ['garbage', { raw: ['data: {"choices"\n\n'] }, /is not JSON/],
    ['an error within the answer', { streamError: { message: 'the cards are lost' } }, /the cards are lost/],
    ['a refusal', { error: { status: 400, message: 'no such model' } }, /answered 400: no such model/],
  ])('fails with a sentence on %s', async (_case, answer, sentence) => {
    model.answers.push(answer);
    const { status, body } = await client.predict(chat, { question: 'Hi' }, headers);
    expect([status, body.code]).toEqual([500, 'flow_failed']);
    expect(body.detail).toMatch(sentence);
    expect(model.requests).toHaveLength(1);
  });

  it('reports in the stream that an answer broke off, after the words that came', async () => {
    model.answers.push({ tokens: ['One', ' two', ' three'], tokenMs: 30, breakAfter: 2 });
    const stream = await client.stream(chat, { question: 'Count' }, headers);
    await stream.done;
    expect(tokensOf(stream.events)).toMatch(/^One/);
    expect(dataOf(stream.events, 'agentFlowEvent').at(-1)).toBe('ERROR');
    expect(stream.events.map(({ event }) => event).slice(-2)).toEqual(['error', 'end']);
  });

  it('shows pictures, recordings and texts of the call to the model', async () => {
    const upload = (mime: string, text: string, type = 'file') => ({
      type,
      name: `a.${type}`,
      mime,
      data: `data:${mime};base64,${Buffer.from(text).toString('base64')}`,
    });
    const uploads = [
      upload('image/png', 'p'),
      upload('audio/mpeg', 'r', 'audio'),
      upload('text/plain', 'words'),
    ];
    const { status } = await client.predict(chat, { question: 'What is this?', uploads }, headers);
    expect(status).toBe(200);
    expect(model.requests[0]!.body.messages.at(-1).content).toEqual([
      { type: 'text', text: "<doc name='a.file'>words</doc>\n\nWhat is this?" },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,cA==' } },
      { type: 'input_audio', input_audio: { data: 'cg==', format: 'mp3' } },
    ]);
  });

  it('streams the reasoning of a model without including it in the answer', async () => {
    model.answers.push({ thinking: ['Hm', ' well'], tokens: ['Yes'] });
    const stream = await client.stream(chat, { question: 'Sure?' }, headers);
    await stream.done;
    expect(tokensOf(stream.events)).toBe('Yes');
    expect(stream.events.map(({ event }) => event)).toContain('thinking');
  });
});
