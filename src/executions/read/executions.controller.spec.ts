import { type ShownRecord, StandInApp } from '../../../test/fixtures/stand-in-app.js';
import { draftOf } from '../../../test/support/test-executions.js';
import { executionEvent } from '../../api/executions.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { ExecutionLog } from '../log/execution-log.js';

describe('the executions API', () => {
  let room: StandInApp;

  beforeAll(async () => {
    room = await StandInApp.start();
  });
  afterAll(() => room.close());

  it('lists newest first and pages', async () => {
    const ids = [];
    for (let call = 0; call < 5; call++) ids.unshift((await room.predict('paged')).id);
    const first = await room.get('?flowId=paged&limit=3');
    const second = await room.get(`?flowId=paged&limit=3&cursor=${String(first.body.nextCursor)}`);
    expect([...first.body.data, ...second.body.data].map((record) => record.id)).toEqual(ids);
    expect(second.body.nextCursor).toBeNull();
  });

  it('answers 400 to a query that makes no sense and 404 to an id that does not exist', async () => {
    expect(await room.get('?limit=0')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await room.get('/no-such-id')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await room.get('/%00')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    for (const [method, path] of [
      ['DELETE', '/no-such-id'],
      ['POST', '/no-such-id/cancel'],
    ] as const) {
      const response = await fetch(`${room.url}/executions${path}`, { method, headers: room.admin });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'not_found' });
    }
  });

  it('lets nobody in without the admin key', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/x'],
      ['GET', '/stream'],
      ['GET', '/export'],
      ['GET', '/stats'],
      ['POST', '/x/cancel'],
      ['DELETE', '/x'],
    ] as const) {
      const response = await fetch(`${room.url}/executions${path}`, { method });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: 'invalid_admin_key' });
    }
  });

  it('deletes a record that has ended, not one that runs', async () => {
    const { id } = await room.predict('deleted');
    const remove = (of: string) =>
      fetch(`${room.url}/executions/${of}`, { method: 'DELETE', headers: room.admin });
    expect((await remove(id)).status).toBe(204);
    expect((await room.get(`/${id}`)).status).toBe(404);
    const running = draftOf(1_000);
    await room.app.get(WriteGate).write((tx) => room.app.get(ExecutionLog).open(tx, running));
    expect((await remove(running.id)).status).toBe(409);
    const cancelled = await fetch(`${room.url}/executions/${running.id}/cancel`, {
      method: 'POST',
      headers: room.admin,
    });
    expect([cancelled.status, await cancelled.json()]).toEqual([
      200,
      { id: running.id, status: 'running', cancelled: true },
    ]);
  });

  it('exports one record a line, with the filters of the list', async () => {
    const ids = [];
    for (let call = 0; call < 3; call++) ids.unshift((await room.predict('exported')).id);
    const response = await fetch(`${room.url}/executions/export?flowId=exported`, { headers: room.admin });
    expect(response.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as ShownRecord).id)).toEqual(ids);
    const refused = await fetch(`${room.url}/executions/export?kind=other`, { headers: room.admin });
    expect(refused.status).toBe(400);
  });

  it('streams what begins and ends, filtered, as Server-Sent Events', async () => {
    const stop = new AbortController();
    const response = await fetch(`${room.url}/executions/stream?flowId=watched`, {
      headers: room.admin,
      signal: stop.signal,
    });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    let id = '';
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk as Uint8Array);
      // Whoever has read the first frame misses nothing that begins from then on.
      if (id === '') {
        await room.predict('unwatched');
        ({ id } = await room.predict('watched'));
      }
      if (text.includes(id)) break;
    }
    stop.abort();
    const frame = text.split('\n\n').find((part) => part.includes('data:'))!;
    expect(frame).toMatch(new RegExp(`^id: ${id}\ndata: `));
    const line = JSON.parse(frame.slice(frame.indexOf('{'))) as unknown;
    expect(executionEvent.safeParse(line).error?.issues).toBeUndefined();
    expect(line).toMatchObject({
      event: 'execution',
      data: { id, flowId: 'watched', status: 'succeeded' },
    });
    expect(text).not.toContain('"unwatched"');
  });

  it('counts for charts', async () => {
    const { status, body } = await room.get('/stats?flowId=exported');
    expect(status).toBe(200);
    expect(body).toMatchObject({ totals: { count: 3, byStatus: { succeeded: 3 } }, by: 'minute' });
  });
});
