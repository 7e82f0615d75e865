import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

interface Asked {
  method: string;
  path: string;
  key: string | undefined;
}

/** Another service, whose answers the test holds back. */
class Target {
  readonly asked: Asked[] = [];
  readonly held: ServerResponse[] = [];
  /** The path whose requests get no answer. */
  hold: string | undefined;
  private readonly server: Server = createServer((request, response) => this.answer(request, response));

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  to(path: string): Asked[] {
    return this.asked.filter((each) => each.path === path);
  }

  close(): void {
    for (const response of this.held) response.destroy();
    this.server.close().closeAllConnections();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', headers } = request;
    this.asked.push({ method, path, key: headers['idempotency-key'] as string | undefined });
    request.resume();
    if (this.hold === path) this.held.push(response);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ n: this.asked.length }));
  }
}

/** Whatever a run does outside of its own record it does once, however often its call is sent (contract section 11). */
describe('a call that is sent again under its key', () => {
  let service: TestApp;
  const target = new Target();
  const client = new ServiceClient(() => service);
  let photograph: string;

  beforeAll(async () => {
    await target.listen();
    service = await startTestApp({ env: { OUTBOUND_ALLOW: target.host, STREAM_GRACE_SECONDS: '0' } });
    photograph = `data:image/jpeg;base64,${(await smallJpeg()).toString('base64')}`;
  });

  afterEach(() => {
    target.hold = undefined;
    for (const response of target.held.splice(0)) response.destroy();
  });

  afterAll(async () => {
    target.close();
    await service.close();
  });

  /** start → each of these nodes, one after another → reply. */
  const flowOf = (nodes: { id: string; kind: string; config?: object }[], more: object = {}) => {
    const all = [
      { id: 'start', kind: 'start' },
      ...nodes,
      { id: 'reply', kind: 'reply', config: { message: 'done' } },
    ];
    const edges = all.slice(1).map(({ id }, index) => ({ from: all[index]!.id, to: id }));
    return client.flow({ name: 'Once', nodes: all, edges, ...more });
  };
  const http = (id: string, method: string, path: string, more: object = {}) => ({
    id,
    kind: 'http',
    config: { method, url: `http://${target.host}${path}`, ...more },
  });

  /** Sends the call, hangs up while the target holds `path`, and waits for its record's end. */
  const hangUpAt = async (path: string, flowId: string, body: object, key: string) => {
    target.hold = path;
    const before = target.to(path).length;
    const leaving = new AbortController();
    const call = fetch(`${service.url}/api/v1/prediction/${flowId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
      signal: leaving.signal,
    }).catch(() => undefined);
    await eventually(() => target.to(path).length > before);
    leaving.abort();
    await call;
    target.hold = undefined;
    const { chatId } = body as { chatId: string };
    const records = async () =>
      (await client.admin('GET', `executions?chatId=${chatId}`)).body.data as {
        id: string;
        status: string;
      }[];
    await eventually(async () => (await records()).every(({ status }) => status !== 'running'));
    return (await records())[0]!;
  };

  it('records its photograph once, and is charged once for a run that its caller left', async () => {
    const flowId = await flowOf([
      { id: 'capture', kind: 'capture', config: { area: 'Hall' } },
      http('ask', 'GET', '/a'),
    ]);
    const chatId = randomUUID();
    const uploads = [{ type: 'file', name: 'a.jpg', mime: 'image/jpeg', data: photograph }];
    const body = { question: 'Here', chatId, uploads };
    const first = await hangUpAt('/a', flowId, body, 'once-1');
    expect(first).toMatchObject({ status: 'aborted', code: 'caller_left', credits: 1 });
    const again = await client.predict(flowId, body, { 'idempotency-key': 'once-1' });
    expect(again).toMatchObject({ status: 200, body: { text: 'done', usage: { credits: 0 } } });
    expect(again.body.warnings).toEqual([expect.objectContaining({ code: 'effect_kept' })]);
    const session = await client.admin('GET', `inspection/sessions/${chatId}`);
    expect(session.body.pending).toBe(1);
    const record = await client.ended(again.body.executionId as string);
    expect(record).toMatchObject({ status: 'succeeded', retryOf: first.id, credits: 0 });
  });

  it('makes its report once', async () => {
    const flowId = await flowOf([
      { id: 'capture', kind: 'capture', config: { area: 'Hall' } },
      { id: 'render', kind: 'render', config: { meta: {} } },
      http('ask', 'GET', '/report'),
    ]);
    const chatId = randomUUID();
    const uploads = [{ type: 'file', name: 'a.jpg', mime: 'image/jpeg', data: photograph }];
    const body = { question: 'Here', chatId, uploads };
    await hangUpAt('/report', flowId, body, 'once-2');
    expect((await client.predict(flowId, body, { 'idempotency-key': 'once-2' })).status).toBe(200);
    const { body: reports } = await client.admin('GET', `pdf/reports?sessionId=${chatId}`);
    expect(reports.data ?? reports).toHaveLength(1);
  });

  it('does not send a POST again whose answer was lost, and says so', async () => {
    const flowId = await flowOf([http('book', 'POST', '/book')]);
    const body = { question: 'Book', chatId: randomUUID() };
    await hangUpAt('/book', flowId, body, 'once-3');
    const again = await client.predict(flowId, body, { 'idempotency-key': 'once-3' });
    expect(again).toMatchObject({ status: 500, body: { code: 'flow_failed' } });
    expect(target.to('/book')).toHaveLength(1);
    const record = await client.ended(again.body.executionId as string);
    expect(record).toMatchObject({ code: 'effect_unknown', failedNode: { id: 'book' } });
    const node = (record.nodes as { nodeId: string; error?: unknown }[]).find(
      ({ nodeId }) => nodeId === 'book',
    );
    expect(node!.error).toMatchObject({ code: 'effect_unknown' });
  });

  it.each(['GET', 'PUT', 'DELETE', 'POST'])(
    'sends a %s again that may be repeated, under the same key',
    async (method) => {
      const path = `/again-${method}`;
      const more = method === 'POST' ? { retrySafe: true } : {};
      const flowId = await flowOf([http('ask', method, path, more)]);
      const body = { question: 'Ask', chatId: randomUUID() };
      const { id } = await hangUpAt(path, flowId, body, `once-${method}`);
      expect((await client.predict(flowId, body, { 'idempotency-key': `once-${method}` })).status).toBe(200);
      const [first, second, ...more_] = target.to(path);
      expect([first!.key, more_]).toEqual([second!.key, []]);
      expect(first!.key).toMatch(/^[\w-]{43}$/);
      expect(first!.key).not.toContain(id);
    },
  );

  it('takes the answer that a node had, whatever its target says now, and leaves a key of the node alone', async () => {
    const flowId = await flowOf([
      http('first', 'POST', '/first', { headers: { 'Idempotency-Key': 'mine' } }),
      http('second', 'GET', '/second'),
      { id: 'say', kind: 'set-state', config: { state: { n: '{{first.output.data.n}}' } } },
    ]);
    const body = { question: 'Both', chatId: randomUUID() };
    await hangUpAt('/second', flowId, body, 'once-both');
    expect((await client.predict(flowId, body, { 'idempotency-key': 'once-both' })).status).toBe(200);
    expect(target.to('/first')).toEqual([{ method: 'POST', path: '/first', key: 'mine' }]);
  });

  it('begins a new run once its user had stopped it', async () => {
    const flowId = await flowOf([http('first', 'POST', '/stopped'), http('second', 'GET', '/held')]);
    const body = { question: 'Stop', chatId: randomUUID() };
    target.hold = '/held';
    const call = client.predict(flowId, body, { 'idempotency-key': 'stopped' });
    await eventually(() => target.to('/held').length === 1);
    await client.send('PUT', `/api/v1/chatmessage/abort/${flowId}/${body.chatId}`);
    expect((await call).status).toBe(499);
    target.hold = undefined;
    const again = await client.predict(flowId, body, { 'idempotency-key': 'stopped' });
    expect(again).toMatchObject({ status: 200, body: { usage: { credits: 1 } } });
    expect(target.to('/stopped')).toHaveLength(2);
  });

  it('is refused with another body, and belongs to its caller unless the key is a version 4 UUID', async () => {
    const flowId = await flowOf([http('ask', 'GET', '/other')]);
    const body = { question: 'One', chatId: randomUUID() };
    await hangUpAt('/other', flowId, body, 'other');
    const other = { ...body, question: 'Two' };
    expect((await client.predict(flowId, other, { 'idempotency-key': 'other' })).body.code).toBe(
      'idempotency_key_reused',
    );
  });

  it('cannot be deleted while it runs or waits, and forgets its key with its record', async () => {
    const flowId = await flowOf([http('book', 'POST', '/deleted')]);
    const body = { question: 'Book', chatId: randomUUID() };
    const { id } = await hangUpAt('/deleted', flowId, body, 'deleted');
    expect((await client.admin('DELETE', `executions/${id}`)).status).toBeLessThan(300);
    const again = await client.predict(flowId, body, { 'idempotency-key': 'deleted' });
    expect(again.status).toBe(200);
    expect(target.to('/deleted')).toHaveLength(2);
  });
});
