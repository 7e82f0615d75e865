import { type ClientRequest, request as send } from 'node:http';
import request from 'supertest';
import { CapturesUnderWay } from '../src/inspection/capture/captures-under-way.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { echoFlow } from './support/flows.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

const BOUNDARY = 'a-boundary';
const part = (head: string, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);

/** A capture whose body is still on its way: `answer` comes once it was ended. */
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

describe('a service that is told to stop', () => {
  let app: TestApp;

  /** Once this comes to hold, a capture has arrived. */
  const captureUnderWay = (): (() => boolean) => {
    const arrived = jest.spyOn(app.app.get(CapturesUnderWay), 'add');
    return () => arrived.mock.calls.length > 0;
  };

  beforeEach(async () => {
    app = await startTestApp();
  });

  it('is not ready and takes no new calls, while a capture that is under way is still recorded', async () => {
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

  it('does not wait for a capture that never ends', async () => {
    app.app.get(CapturesUnderWay).lastCallMs = 100;
    const arrived = captureUnderWay();
    const { answer } = uploading(app.url, field('flowId', 'never'));
    const broken = expect(answer).rejects.toThrow();
    await eventually(arrived);
    await app.close();
    await broken;
  });
});
