import { type ClientRequest, createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { Readiness } from '../src/common/health/readiness.js';
import { Logger } from '../src/common/logger.js';
import { ProcessPresence } from '../src/database/presence/process-presence.js';
import { CaptureCalls } from '../src/inspection/capture/capture-calls.js';
import { ReportDrawing } from '../src/pdf/drawing/report-drawing.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow } from './support/flows.js';
import { recordPhotograph, smallJpeg } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

const BOUNDARY = 'a-boundary';
const part = (head: string, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);

/** Starts a capture whose body is incomplete; `answer` resolves after the body was ended. */
function uploading(url: string, first: Buffer): { upload: ClientRequest; answer: Promise<string> } {
  const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
  const upload = send(`${url}/api/v1/inspection/capture`, { method: 'POST', headers });
  const answer = new Promise<string>((resolve, reject) => {
    upload.on('error', reject);
    upload.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(text));
    });
  });
  upload.write(first);
  return { upload, answer };
}

describe('a service that shuts down', () => {
  let app: TestApp;

  /** Returns a check that becomes true when a capture has arrived. */
  const captureUnderWay = (): (() => boolean) => {
    const arrived = jest.spyOn(app.app.get(CaptureCalls), 'answer');
    return () => arrived.mock.calls.length > 0;
  };

  beforeEach(async () => {
    app = await startTestApp();
  });

  it('is not ready and takes no new calls, while an active capture is still recorded', async () => {
    const client = new ServiceClient(() => app);
    const flowId = await client.flow(echoFlow());
    const arrived = captureUnderWay();
    const { upload, answer } = uploading(
      app.url,
      Buffer.concat([field('flowId', flowId), field('sessionId', 'stopping')]),
    );
    await eventually(arrived);

    const closed = app.close({ keep: true });
    await request(app.url).get('/health/ready').expect(503);
    for (const path of [`prediction/${flowId}`, 'inspection/capture', 'pdf/render']) {
      const refused = await request(app.url).post(`/api/v1/${path}`).send({ question: 'Hello' }).expect(503);
      expect(refused.body).toMatchObject({ code: 'shutting_down', executionId: expect.any(String) });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    const head =
      'Content-Disposition: form-data; name="photographs"; filename="1.jpg"\r\nContent-Type: image/jpeg';
    upload.end(Buffer.concat([part(head, await smallJpeg(320, 240)), Buffer.from(`--${BOUNDARY}--\r\n`)]));
    expect(JSON.parse(await answer)).toMatchObject({ recorded: [{ index: 0 }], rejected: [] });
    await closed;

    const again = await startTestApp({ place: app.place });
    try {
      const records = await new ServiceClient(() => again).admin('GET', 'executions?limit=10');
      const statuses = (records.body.data as { kind: string; httpStatus: number }[]).map(
        ({ kind, httpStatus }) => `${kind} ${httpStatus}`,
      );
      expect(statuses.sort()).toEqual(['capture 200', 'capture 503', 'prediction 503', 'render 503']);
    } finally {
      await again.close();
    }
  });

  it('shuts down in order right after its start, while others look up its address', async () => {
    await app.close({ keep: true });
    const errors = jest.spyOn(Logger.prototype, 'error');
    const isGone = jest.spyOn(ProcessPresence.prototype, 'isGone').mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return true;
    });
    const again = await startTestApp({ place: app.place });
    isGone.mockClear();
    await again.close();
    expect(isGone).toHaveBeenCalled();
    await Promise.all(isGone.mock.results.map(({ value }) => value as Promise<boolean>));
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it('answers a call whose body never ends', async () => {
    app.app.get(Readiness).lastCallMs = 100;
    const arrived = captureUnderWay();
    const { answer } = uploading(app.url, field('flowId', 'never'));
    await eventually(arrived);
    await app.close();
    expect(JSON.parse(await answer)).toMatchObject({ status: 503, code: 'shutting_down' });
  });
});

/** A server that accepts calls and never answers. */
async function silentServer(): Promise<{ server: Server; host: string; calls: () => number }> {
  let calls = 0;
  const server = createServer(() => void calls++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}`, calls: () => calls };
}

describe('a service that may still wait', () => {
  it('lets a streaming run end by itself', async () => {
    const held = new Hold();
    const model = await startFakeModel({ tokens: ['Well', ' done'], held, heldAfter: 1 });
    const app = await startTestApp();
    const client = new ServiceClient(() => app);
    const stream = await client.stream(await client.flow(chatFlow(model.url)), { question: 'Hello' });
    await stream.until(({ event }) => event === 'token');

    const closed = app.close({ keep: true });
    await request(app.url).get('/health/ready').expect(503);
    // Long enough for a close that does not wait.
    await new Promise((resolve) => setTimeout(resolve, 500));
    held.letGo();
    await stream.done;
    await closed;
    expect(stream.events.filter(({ event }) => event === 'token').map(({ data }) => data)).toEqual([
      'Well',
      ' done',
    ]);
    expect(stream.events.at(-1)).toMatchObject({ event: 'end' });

    const again = await startTestApp({ place: app.place });
    const records = await new ServiceClient(() => again).admin('GET', 'executions?limit=10');
    expect(records.body.data).toMatchObject([{ kind: 'prediction', status: 'succeeded', httpStatus: 200 }]);
    await again.close();
    await model.close();
  });
});

describe('a service that cannot wait any longer', () => {
  it('interrupts run, capture and render at the same time: 503 shutting_down, recorded as interrupted, refunded', async () => {
    const model = await startFakeModel({ tokens: ['never'], held: new Hold() });
    const silent = await silentServer();
    const env = { OUTBOUND_ALLOW: silent.host, FETCH_ALLOW_HTTP: 'true' };
    const app = await startTestApp({ env });
    const client = new ServiceClient(() => app);
    const flowId = await client.flow(chatFlow(model.url, { account: 'cut' }));
    await client.admin('POST', 'credit/cut/top-ups', { amount: 5, reference: 'r' });
    await recordPhotograph(app, { flowId, sessionId: 'cut' });
    // Only the signal ends it.
    const drawing = jest.spyOn(app.app.get(ReportDrawing), 'draw').mockImplementation(
      (_claim, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    const source = { type: 'inspection', sessionId: 'cut', meta: {} };
    const photographs = [{ url: `http://${silent.host}/1.jpg` }];
    const calls = [
      client.predict(flowId, { question: 'Hello' }),
      client.send('POST', '/api/v1/inspection/capture', { flowId, sessionId: 'other', photographs }),
      client.send('POST', '/api/v1/pdf/render', { templateId: 'inspection', source }),
    ];
    await eventually(
      () => model.requests.length === 1 && silent.calls() === 1 && drawing.mock.calls.length === 1,
    );

    const readiness = app.app.get(Readiness);
    readiness.lastCallMs = 300;
    // Modules that waited in sequence would need three of these.
    readiness.closingMs = 60_000;
    await app.close({ keep: true });
    drawing.mockRestore();
    const answers = await Promise.all(calls);
    for (const { status, body, headers } of answers) {
      expect({ status, body }).toMatchObject({ status: 503, body: { code: 'shutting_down' } });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }

    const again = await startTestApp({ place: app.place });
    const later = new ServiceClient(() => again);
    for (const { body } of answers) {
      expect(await later.ended(body.executionId as string)).toMatchObject({
        status: 'failed',
        code: 'interrupted',
        httpStatus: 503,
      });
    }
    expect((await later.admin('GET', 'credit/cut')).body.balance).toBe(5);
    const rendered = await later.send('POST', '/api/v1/pdf/render', { templateId: 'inspection', source });
    expect(rendered.body).toMatchObject({ claimed: 1 });
    await again.close();
    silent.server.closeAllConnections();
    silent.server.close();
    await model.close();
  });
});
