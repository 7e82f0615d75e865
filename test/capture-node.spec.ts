import { randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from './support/app.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

describe('the node capture', () => {
  let app: TestApp;
  const client = new ServiceClient(() => app);

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it('records the uploads of the chat in its inspection', async () => {
    const flow = await client.flow({
      name: 'Assistant',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'capture', kind: 'capture', config: { area: '{{$vars.area}}', remark: '{{$vars.remark}}' } },
        {
          id: 'reply',
          kind: 'reply',
          config: {
            message:
              '{{capture.output.area}}: {{capture.output.session.pending}} {{capture.output.rejected.0.code}}',
          },
        },
      ],
      edges: [
        { from: 'start', to: 'capture' },
        { from: 'capture', to: 'reply' },
      ],
    });
    const chatId = `447700900123-${randomUUID()}`;
    const upload = (bytes: Buffer, mime: string) => ({
      type: 'file',
      name: 'x',
      mime,
      data: `data:${mime};base64,${bytes.toString('base64')}`,
    });
    const first = await client.predict(flow, {
      question: 'Here',
      chatId,
      overrideConfig: { vars: { area: 'Kitchen' } },
      uploads: [upload(await smallJpeg(), 'image/jpeg'), upload(Buffer.from('note'), 'text/plain')],
    });
    expect(first.body.text).toMatch(/^Kitchen: 1 /);
    const second = await client.predict(flow, {
      question: 'Broken',
      chatId,
      uploads: [upload(Buffer.from('broken'), 'image/png')],
    });
    expect(second.body.text).toBe('Kitchen: 1 unsupported_type');
    const untyped = await client.predict(flow, {
      question: 'By its address alone',
      chatId,
      uploads: [{ type: 'url', name: 'x.jpg', data: 'https://127.0.0.1:1/x.jpg' }],
    });
    expect(untyped.body.text).toBe('Kitchen: 1 fetch_refused');
    expect((await client.predict(flow, { question: 'Nothing', chatId })).status).toBe(200);
    expect((await client.admin('GET', `inspection/sessions/${chatId}`)).body).toMatchObject({
      flowId: flow,
      pending: 1,
      currentArea: 'Kitchen',
    });
  });

  it('names the settings that cannot be recorded', async () => {
    const flow = await client.flow({
      name: 'Wrong',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'capture', kind: 'capture', config: { area: 'Hall', areaType: 'cave' } },
      ],
      edges: [{ from: 'start', to: 'capture' }],
    });
    const { headers, status } = await client.predict(flow, { question: 'Hi' });
    expect(status).toBe(500);
    const { body } = await client.admin('GET', `executions/${headers.get('x-execution-id')}`);
    expect(body.nodes[1].error).toMatch(/^Nothing was recorded: areaType must be .*room/);
  });
});
