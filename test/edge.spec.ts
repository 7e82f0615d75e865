import { once } from 'node:events';
import request from 'supertest';
import { Logger } from '../src/common/logger.js';
import { startTestApp, TEST_ADMIN_KEY, type TestApp } from './support/app.js';
import { echoFlow } from './support/flows.js';
import { describeOnPostgres } from './support/on-postgres.js';
import { RawConnection } from './support/raw-connection.js';
import { postgresReachable } from './support/services.js';

describe('the edge', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(async () => {
    await service.close();
  });

  it('reports that it is live and ready', async () => {
    await request(service.url).get('/health/live').expect(200, { status: 'live' });
    await request(service.url).get('/health/ready').expect(200, { status: 'ready' });
  });

  it('keeps an idle connection open for longer than a proxy does', async () => {
    const answer = await request(service.url).get('/health/live').set('Connection', 'keep-alive');
    expect(answer.headers['keep-alive']).toBe('timeout=75');
  });

  it('warns of a proxy if TRUST_PROXY is not set', async () => {
    const warn = jest.spyOn(service.app.get(Logger), 'warn').mockImplementation();
    await request(service.url).get('/health/live').set('X-Forwarded-For', '203.0.113.7');
    expect(warn).toHaveBeenCalledWith(expect.anything(), expect.stringContaining('set TRUST_PROXY'));
    warn.mockRestore();
  });

  it('answers 404 in the one error format', async () => {
    const answer = await request(service.url).get('/api/v1/nothing').expect(404);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.body).toMatchObject({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      code: 'not_found',
    });
    expect(answer.body.message).toBe(answer.body.detail);
  });

  it('answers 405 with Allow if the path exists for another method', async () => {
    const answer = await request(service.url).post('/health/ready').expect(405);
    expect(answer.body.code).toBe('method_not_allowed');
    expect(answer.headers['allow']).toBe('GET, HEAD');
  });

  it.each(['text/event-stream', 'text/plain;q=0.5', 'text/event-stream, text/plain'])(
    'answers a plain sentence to a caller that accepts only text: %s',
    async (accept) => {
      const answer = await request(service.url).get('/api/v1/nothing').set('Accept', accept).expect(404);
      expect(answer.headers['content-type']).toContain('text/plain');
      expect(answer.text).toBe('There is nothing at this address. Check the path.');
    },
  );

  it.each(['text/event-stream;q=0.9, application/json', 'text/plain; q=0.5, */*'])(
    'answers problem+json to a caller that accepts %s',
    async (accept) => {
      const answer = await request(service.url).get('/api/v1/nothing').set('Accept', accept).expect(404);
      expect(answer.headers['content-type']).toContain('application/problem+json');
    },
  );

  it.each([
    [{ Origin: 'https://page.example', Accept: '*/*' }, true],
    [{ Origin: 'https://page.example', Accept: 'application/json' }, false],
    [{ Accept: '*/*' }, false],
  ])('answers a page that accepts anything with JSON (%j)', async (headers, told) => {
    const answer = await request(service.url).get('/api/v1/nothing').set(headers).expect(404);
    const type = answer.headers['content-type']!.split('; ');
    expect(type.slice(0, 2)).toEqual(['application/problem+json', 'charset=utf-8']);
    expect(type.slice(2)).toEqual(told ? ['like="application/json"'] : []);
  });

  describe('takes a request target in every form', () => {
    beforeAll(async () => {
      await request(service.url)
        .post('/api/v1/flows')
        .set('Authorization', `Bearer ${TEST_ADMIN_KEY}`)
        .send(echoFlow({ id: 'edge-echo' }))
        .expect(200);
    });

    /** Sends a target as it is; `fetch` and `request` write only paths. */
    const send = async (method: string, target: string, body = ''): Promise<string> => {
      const connection = await RawConnection.open(service.url);
      connection.begin(method, target, {
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        Connection: 'close',
      });
      connection.send(body);
      await once(connection.socket, 'close');
      return connection.text;
    };
    const recordOf = async (answer: string) => {
      const id = /^X-Execution-Id: (.+)\r$/m.exec(answer)?.[1];
      const record = request(service.url).get(`/api/v1/executions/${id}`);
      return (await record.set('Authorization', `Bearer ${TEST_ADMIN_KEY}`)).body;
    };

    it.each([
      'http://flows.example/api/v1/prediction/edge-echo',
      'HTTPS://flows.example:8443/api/v1/prediction/edge-echo?x=1',
      '/api/v1/prediction/edge-echo#top',
    ])('runs a flow at %s', async (target) => {
      const answer = await send('POST', target, '{"question":"hi"}');
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(await recordOf(answer)).toMatchObject({
        status: 'succeeded',
        flowId: 'edge-echo',
        question: 'hi',
      });
    });

    it.each([
      ['http://flows.example/api/v1/prediction/edge-unknown#top', 'flow_not_found'],
      ['http://flows.example/api/v1/pdf/render', 'invalid_request'],
      ['/api/v1/inspection/capture#top', 'invalid_request'],
    ])('records what it refuses at %s', async (target, code) => {
      expect(await recordOf(await send('POST', target, '{}'))).toMatchObject({ status: 'rejected', code });
    });
  });

  it('answers every preflight with 204, and allows any origin on public routes only', async () => {
    const ask = (path: string) =>
      request(service.url)
        .options(path)
        .set('Origin', 'https://page.example')
        .set('Access-Control-Request-Method', 'POST')
        .set('Access-Control-Request-Headers', 'content-type, authorization')
        .expect(204);
    const open = await ask('/api/v1/prediction/some-flow');
    expect(open.headers['access-control-allow-origin']).toBe('https://page.example');
    expect(open.headers['access-control-allow-headers']).toBe('content-type, authorization');
    expect(open.headers['access-control-allow-credentials']).toBeUndefined();
    const admin = await ask('/api/v1/flows');
    expect(admin.headers['access-control-allow-origin']).toBeUndefined();
  });
});

/** PostgreSQL refuses texts with NUL: none may reach it, in any part of an address. */
describeOnPostgres('NUL in an address', () => {
  let service: TestApp | undefined;

  beforeAll(async () => {
    if (await postgresReachable()) service = await startTestApp({ database: 'postgres' });
  });

  afterAll(() => service?.close());

  const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it.each([
    'inspection/sessions/%00',
    'inspection/sessions?q=%00',
    'inspection/sessions?flowId=%00',
    `inspection/sessions?cursor=${cursor([1, '\0', '\0'])}`,
    `flows?cursor=${cursor([1, '\0'])}`,
    'pdf/reports?sessionId=%00',
    'pdf/reports/%00/file',
    'pdf/renders/%00',
    'executions/stats?chatId=%00',
  ])('is not a server error: %s', async (path) => {
    if (!service) return;
    const call = request(service.url).get(`/api/v1/${path}`);
    expect((await call.set('Authorization', `Bearer ${TEST_ADMIN_KEY}`)).status).toBeLessThan(500);
  });
});
