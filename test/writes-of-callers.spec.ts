import pg from 'pg';
import { Overloaded } from '../src/common/service-error.js';
import { WRITER_LOCK } from '../src/database/postgres/postgres-gate.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { CallbackReceiver } from './support/callback-receiver.js';
import { eventually } from './support/eventually.js';
import { replyFlow } from './support/flows.js';
import { describeOnPostgres } from './support/on-postgres.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';
import { postgresReachable } from './support/services.js';

/** Less than the 12 s that an exclusive write waits for another one. */
const LESS_THAN_A_WRITER_WAITS_MS = 10_000;

/** Another process is within a transaction that locks the rows it touches: only an exclusive write waits for it. */
describeOnPostgres('writes of callers beside another writer on PostgreSQL', () => {
  let service: TestApp | undefined;
  let other: pg.Client;
  let flow: string;
  let keyed: string;
  let dear: string;
  let inspected: string;
  let uploads: object[];
  let failing: string;
  let picture: string;
  let called: string;
  let key: Record<string, string>;
  const receiver = new CallbackReceiver();
  const client = new ServiceClient(() => service!);

  beforeAll(async () => {
    if (!(await postgresReachable())) return;
    await receiver.listen();
    service = await startTestApp({
      database: 'postgres',
      env: { OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` },
    });
    flow = await client.flow(replyFlow('Hi', { id: 'left' }));
    const made = (await client.admin('POST', 'api-keys', { name: 'tests' })).body;
    key = { authorization: `Bearer ${made.key}` };
    keyed = await client.flow(replyFlow('Hi', { id: 'keyed', access: { apiKeyId: made.id } }));
    dear = await client.flow(replyFlow('Hi', { id: 'dear', price: 1_000_000_000 }));
    const bad = { id: 'bad', kind: 'http', config: { method: 'GET', url: 'http://127.0.0.1:9/' } };
    const nodes = [{ id: 'start', kind: 'start' }, bad];
    failing = await client.flow({ name: 'Fails', nodes, edges: [{ from: 'start', to: 'bad' }] });
    const hall = { id: 'hall', kind: 'capture', config: { area: 'Hall' } };
    const recorded = { nodes: [nodes[0], hall], edges: [{ from: 'start', to: 'hall' }] };
    inspected = await client.flow({ name: 'Inspected', ...recorded });
    picture = (await smallJpeg()).toString('base64');
    const data = `data:image/jpeg;base64,${picture}`;
    uploads = [{ type: 'file', name: 'a.jpg', mime: 'image/jpeg', data }];
    const secret = { secret: `whsec_${Buffer.alloc(32).toString('base64')}` };
    const { id } = (
      await client.admin('POST', 'credentials', { name: 'tests', kind: 'webhook', data: secret })
    ).body;
    const calls = { id: 'called', webhookCredentialId: id, callbackHosts: ['127.0.0.1'] };
    called = await client.flow(replyFlow('Hi', calls));
    other = new pg.Client(service.place.databaseUrl);
    await other.connect();
  });
  afterAll(async () => {
    await other?.end();
    await service?.close();
    if (service) receiver.close();
  });

  /** Skips with a message (see `postgresReachable`) without the database. */
  const beside = (name: string, body: () => Promise<void>) =>
    it(
      name,
      async () => {
        if (!service) return;
        await other.query(`BEGIN; SELECT pg_advisory_xact_lock_shared(${WRITER_LOCK})`);
        try {
          await body();
        } finally {
          await other.query('ROLLBACK');
        }
      },
      LESS_THAN_A_WRITER_WAITS_MS,
    );
  const sent = async (method: string, path: string, body: object, headers?: Record<string, string>) => {
    const { status, text } = await client.send(method, `/api/v1/${path}`, body, headers);
    expect([status, text]).toEqual([200, expect.any(String)]);
    return JSON.parse(text) as { id: string };
  };

  beside('a lead', async () => {
    await sent('POST', 'leads', { chatflowid: flow, chatId: 'c', name: 'Ada' });
  });

  beside('feedback, and its change', async () => {
    const { id } = await sent('POST', `feedback/${flow}`, { chatId: 'c', messageId: 'm', content: 'good' });
    await sent('PUT', `feedback/${id}`, { rating: 'THUMBS_UP' });
  });

  beside('an empty render', async () => {
    const source = { type: 'inspection', flowId: flow, sessionId: 'empty', meta: {} };
    const answer = await sent('POST', 'pdf/render', { templateId: 'inspection', source });
    expect(answer).toMatchObject({ file: null });
  });

  beside('a render that fails', async () => {
    const hall = { flowId: flow, sessionId: 'failing', area: 'Hall' };
    await sent('POST', 'inspection/capture', { ...hall, photographs: [{ data: picture }] });
    const full = jest.spyOn(service!.app.get(BlobStore), 'keep').mockRejectedValue(new Error('a fault'));
    const source = { type: 'inspection', flowId: flow, sessionId: 'failing', meta: {} };
    const answer = await client.send('POST', '/api/v1/pdf/render', { templateId: 'inspection', source });
    full.mockRestore();
    expect(answer.status).toBe(500);
  });

  beside('an async run, and its callback', async () => {
    const callbackUrl = `http://127.0.0.1:${receiver.port}/ended`;
    const body = { question: 'Later', callbackUrl };
    const { status } = await client.predict(called, body, { prefer: 'respond-async' });
    expect(status).toBe(202);
    await eventually(() => receiver.got.length === 1);
    const sql = `SELECT 1 FROM callbacks WHERE state = 'sent'`;
    await eventually(async () => (await other.query(sql)).rows.length === 1);
  });

  beside('a refused call under a key, which may be retried', async () => {
    const refused = async () => {
      const again = { 'idempotency-key': 'refused' };
      const { status, body } = await client.predict(dear, { question: 'Hi' }, again);
      return [status, body.code as string];
    };
    expect(await refused()).toEqual([402, 'insufficient_credit']);
    expect(await refused()).toEqual([402, 'insufficient_credit']);
  });

  beside('a refused capture', async () => {
    const body = {
      flowId: flow,
      sessionId: 'bad',
      area: 'Hall',
      photographs: [{ data: 'bm8gcGljdHVyZQ==' }],
    };
    const answer = await client.send('POST', '/api/v1/inspection/capture', body, {
      'idempotency-key': 'bad',
    });
    expect(answer.status).toBe(422);
  });

  beside('a failed run', async () => {
    const { status } = await client.predict(failing, { question: 'Hi' }, { 'idempotency-key': 'fails' });
    expect(status).toBe(500);
  });

  beside('a call under the key of a run that the service failed', async () => {
    const keys = { 'idempotency-key': 'goes-on' };
    const full = jest
      .spyOn(service!.app.get(BlobStore), 'keep')
      .mockRejectedValue(new Overloaded('Full.', 60));
    expect((await client.predict(inspected, { question: 'Hi', uploads }, keys)).status).toBe(503);
    full.mockRestore();
    expect((await client.predict(inspected, { question: 'Hi', uploads }, keys)).status).toBe(200);
  });

  beside('the use of an API key, for which the next call would otherwise wait', async () => {
    await sent('POST', `prediction/${keyed}`, { question: 'one' }, key);
    await sent('POST', `prediction/${keyed}`, { question: 'two' }, key);
  });
});
