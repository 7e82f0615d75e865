import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { modelTemplates } from '../web/console/flows/templates/model-templates.js';
import { plainTemplates } from '../web/console/flows/templates/plain-templates.js';
import { startTestApp, type TestApp } from './support/app.js';
import { defaultModel, type FakeModel, startFakeModel } from './support/fake-model.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

interface Call {
  body: object;
  /** The beginning of the answer's text. */
  says: string;
}

const CALLS: Readonly<Record<string, readonly Call[]>> = {
  Reply: [{ body: { question: 'Good morning' }, says: 'Hello! You said: Good morning' }],
  'Two ways': [
    { body: { question: 'hello you' }, says: 'Hello to you!' },
    { body: { question: 'bye' }, says: 'You said: bye' },
  ],
  'Ask a service': [{ body: { question: 'a' }, says: '200' }],
  'Ask a person first': [{ body: { question: 'two lamps' }, says: 'Order two lamps?' }],
  'Photographs to a report': [
    { body: { question: 'Kitchen' }, says: 'Stored under Kitchen.' },
    { body: { question: 'finish' }, says: 'The report: http' },
  ],
  'Chat with a model': [{ body: { question: 'a' }, says: 'Fine.' }],
  'Sort by meaning': [{ body: { question: 'The tap drips' }, says: 'We will arrange a visit.' }],
  'Agent with tools': [{ body: { question: 'What day is it?' }, says: 'Fine.' }],
  'Each line': [{ body: { question: 'one\n\n two' }, says: 'Fine.\nFine.' }],
  'Try until it fits': [{ body: { question: 'A long story' }, says: 'Fine.' }],
};

describe('a template of the console', () => {
  let service: TestApp;
  let model: FakeModel;
  let target: Server;
  const client = new ServiceClient(() => service);
  const templates = [...plainTemplates, ...modelTemplates];

  beforeAll(async () => {
    target = createServer((_request, response) => void response.end('{}')).listen(0, '127.0.0.1');
    await once(target, 'listening');
    model = await startFakeModel(({ body }) => ({
      tokens: [JSON.stringify(body.messages).includes('scenarios') ? '0' : 'Fine.'],
    }));
    const { port } = target.address() as AddressInfo;
    service = await startTestApp({
      env: { OUTBOUND_ALLOW: `127.0.0.1:${port}`, ...defaultModel(model) },
    });
  });

  afterAll(async () => {
    await service.close();
    await model.close();
    target.close().closeAllConnections();
  });

  it('is one of at least eight, each with a call here', () => {
    expect(templates.length).toBeGreaterThanOrEqual(8);
    expect(Object.keys(CALLS)).toEqual(templates.map(({ name }) => name));
  });

  it.each(templates.map(({ name, text }) => [name, text]))(
    '%s: is stored without a warning and answers',
    async (name, text) => {
      const { port } = target.address() as AddressInfo;
      const { status, body } = await client.admin(
        'POST',
        'flows',
        JSON.parse(text.replace('https://example.com', `http://127.0.0.1:${port}`)),
      );
      expect([status, body.warnings ?? []]).toEqual([200, []]);
      const photograph = `data:image/jpeg;base64,${(await smallJpeg()).toString('base64')}`;
      const uploads = [{ type: 'file', name: 'kitchen.jpg', mime: 'image/jpeg', data: photograph }];
      const isCapture = text.includes('"capture"');
      for (const call of CALLS[name]!) {
        const answer: Answer = await client.predict(body.id, {
          ...call.body,
          chatId: `chat of ${name}`,
          ...(isCapture && call.says.startsWith('Stored') && { uploads }),
        });
        expect([answer.status, String(answer.body.text).slice(0, call.says.length)]).toEqual([
          200,
          call.says,
        ]);
      }
    },
  );
});
