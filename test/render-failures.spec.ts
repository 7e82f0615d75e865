import { BlobStore } from '../src/storage/blob-store.js';
import { openFlow, RenderFixture } from './fixtures/renders.js';
import { startTestApp, TEST_ADMIN_KEY } from './support/app.js';
import { startChild } from './support/child-process.js';
import { eventually } from './support/eventually.js';
import { Hold } from './support/fake-model.js';
import { recordPhotograph } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

describe('a render', () => {
  const room = new RenderFixture();
  const { client, photographs, render, session } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  it('continues if its caller hangs up: the report is in the vault', async () => {
    const sessionId = session();
    await photographs(sessionId, 5);
    const store = room.app.app.get(BlobStore);
    const draft = store.draft.bind(store);
    const held = new Hold();
    const slow = jest.spyOn(store, 'draft').mockImplementationOnce(() => held.over.then(draft));
    const gone = new AbortController();
    const call = fetch(`${room.app.url}/api/v1/pdf/render`, {
      method: 'POST',
      signal: gone.signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ templateId: 'inspection', source: { type: 'inspection', sessionId } }),
    });
    await eventually(() => slow.mock.calls.length > 0);
    gone.abort();
    await expect(call).rejects.toThrow();
    held.letGo();
    const reports = async () =>
      (await client.admin('GET', `pdf/reports?sessionId=${sessionId}`)).body.data as unknown[];
    await eventually(async () => (await reports()).length > 0);
    slow.mockRestore();
    expect(await reports()).toMatchObject([{ photographs: 5 }]);
  });

  it('of a photograph that is gone from disk still prints the report', async () => {
    const sessionId = session();
    const [first] = await photographs(sessionId, 2);
    await room.app.app.get(BlobStore).remove(first!.key);
    const { body, status } = await render({ sessionId });
    expect(status).toBe(200);
    expect(body.file.photographs).toBe(2);
    expect(body.warnings.length).toBeGreaterThan(0);
  });

  it('releases its claim if it fails, and the next render has the photographs', async () => {
    const sessionId = session();
    await photographs(sessionId, 2);
    const store = room.app.app.get(BlobStore);
    const full = jest
      .spyOn(store, 'keep')
      .mockRejectedValueOnce(new Error('ENOSPC: no space left on device'));
    const failed = await render({ sessionId }, { 'idempotency-key': 'retry-me' });
    full.mockRestore();
    expect(failed.status).toBe(500);
    expect(failed.body).toMatchObject({ code: 'internal_error', executionId: expect.any(String) });
    expect(failed.text).not.toContain('ENOSPC');
    expect(await client.ended(failed.body.executionId as string)).toMatchObject({
      status: 'failed',
      httpStatus: 500,
    });
    const again = await render({ sessionId }, { 'idempotency-key': 'retry-me' });
    expect(again.body.claimed).toBe(2);
  });

  describe('without disk space', () => {
    const full = () =>
      jest
        .spyOn(room.app.app.get(BlobStore), 'diskSpace')
        .mockResolvedValue({ free: 1_000_000, all: 100_000_000 });

    it('is refused like other writes, and its photographs are pending again', async () => {
      const sessionId = session();
      await photographs(sessionId, 2);
      const disk = full();
      const failed = await render({ sessionId }, { 'idempotency-key': 'no-room' });
      disk.mockRestore();
      expect(failed.status).toBe(503);
      expect(failed.headers.get('retry-after')).toBe('60');
      expect(failed.body).toMatchObject({
        code: 'overloaded',
        detail: expect.stringContaining('pending again'),
        executionId: expect.any(String),
      });
      expect(await client.ended(failed.body.executionId as string)).toMatchObject({
        status: 'failed',
        httpStatus: 503,
        code: 'overloaded',
      });
      const again = await render({ sessionId }, { 'idempotency-key': 'no-room' });
      expect(again.body).toMatchObject({ claimed: 2, file: { photographs: 2 } });
    });

    it('reports that to an async caller', async () => {
      const sessionId = session();
      await photographs(sessionId, 1);
      const disk = full();
      const accepted = await render({ sessionId }, { prefer: 'respond-async' });
      await client.ended(accepted.body.executionId as string);
      disk.mockRestore();
      expect(accepted.status).toBe(202);
      const status = await client.send('GET', accepted.headers.get('location')!);
      expect(status.body).toMatchObject({ status: 'failed', error: { code: 'overloaded' } });
      expect((await render({ sessionId })).body.claimed).toBe(1);
    });
  });

  it('is cancelled by an admin, and its photographs are pending again', async () => {
    const sessionId = session();
    await photographs(sessionId, 3);
    const held = new Hold();
    const blocked = jest
      .spyOn(room.app.app.get(BlobStore), 'draft')
      .mockImplementation(() => held.over.then(() => Promise.reject(new Error('late'))));
    const accepted = await render({ sessionId }, { prefer: 'respond-async' });
    await client.admin('POST', `executions/${accepted.body.executionId}/cancel`);
    held.letGo();
    const record = await client.ended(accepted.body.executionId as string);
    blocked.mockRestore();
    expect(record.status).toBe('aborted');
    const status = await client.send('GET', accepted.headers.get('location')!);
    expect(status.body).toMatchObject({ status: 'failed', error: { message: expect.any(String) } });
    expect((await render({ sessionId })).body.claimed).toBe(3);
  });
});

describe('a render whose process is killed', () => {
  it('is interrupted at the next start: its photographs are pending again, its key still returns 202', async () => {
    const before = await startTestApp();
    const flowId = await new ServiceClient(() => before).flow(openFlow);
    const sessionId = 'killed';
    for (let index = 0; index < 60; index++) await recordPhotograph(before, { flowId, sessionId });
    await before.close({ keep: true });

    const { dataDir, databaseUrl } = before.place;
    const { child, firstLine, exit } = startChild('service-child.ts', [dataDir, databaseUrl]);
    const service = { url: await firstLine, adminKey: TEST_ADMIN_KEY };
    const body = { templateId: 'inspection', source: { type: 'inspection', sessionId } };
    const headers = { prefer: 'respond-async', 'idempotency-key': 'once' };
    const client = new ServiceClient(() => service);
    const accepted = await client.send('POST', '/api/v1/pdf/render', body, headers);
    child.kill('SIGKILL');
    await exit;
    expect(accepted.status).toBe(202);

    const after = await startTestApp({ place: before.place });
    try {
      const again = new ServiceClient(() => after);
      expect(await again.ended(accepted.body.executionId as string)).toMatchObject({
        status: 'failed',
        code: 'interrupted',
      });
      const status = await again.send('GET', accepted.headers.get('location')!);
      expect(status.body).toMatchObject({
        status: 'failed',
        error: { message: expect.stringContaining('pending') },
      });
      const replayed = await again.send('POST', '/api/v1/pdf/render', body, headers);
      expect([replayed.status, replayed.text]).toEqual([202, accepted.text]);
      const rendered = await again.send('POST', '/api/v1/pdf/render', body);
      expect(rendered.body).toMatchObject({ claimed: 60, file: { photographs: 60 } });
    } finally {
      await after.close();
    }
  });
});
