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
  readonly requests: Asked[] = [];
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
    return this.requests.filter((each) => each.path === path);
  }

  close(): void {
    for (const response of this.held) response.destroy();
    this.server.close().closeAllConnections();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', headers } = request;
    this.requests.push({ method, path, key: headers['idempotency-key'] as string | undefined });
    request.resume();
    if (this.hold === path) this.held.push(response);
    else
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ n: this.requests.length }));
  }
}

/** External effects of a run happen once, however often its call is sent (contract section 11). */
describe('a call that is retried under its key', () => {
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

  /** start → these nodes in sequence → reply. */
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

  /** Sends the call, hangs up while the target holds `path`, and waits until its run has ended. */
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

  it('applies its details once: corrections made meanwhile stay', async () => {
    const flowId = await flowOf([
      { id: 'know', kind: 'set-details', config: { details: { address: 'As it was heard' } } },
      http('ask', 'GET', '/known'),
    ]);
    const chatId = randomUUID();
    const body = { question: 'Here', chatId };
    await hangUpAt('/known', flowId, body, 'once-details');
    const details = `inspection/sessions/${chatId}/details?flowId=${flowId}`;
    expect((await client.admin('GET', details)).body.details).toEqual({ address: 'As it was heard' });
    await client.admin('PATCH', details, { address: 'Corrected' });
    const again = await client.predict(flowId, body, { 'idempotency-key': 'once-details' });
    expect(again).toMatchObject({ status: 200, body: { text: 'done' } });
    expect((await client.admin('GET', details)).body.details).toEqual({ address: 'Corrected' });
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

  it('does not resend a POST whose answer was lost, and reports that', async () => {
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
    'resends a %s that may be repeated, under the same key',
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

  it('reuses the answer of a node, whatever its target now returns, and leaves a key of the node alone', async () => {
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

  it('resumes within an iteration and a loop, each request once', async () => {
    const flowId = await client.flow({
      name: 'Repeated',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'each', kind: 'iteration', config: { items: '["a","b","c"]', concurrency: 2 } },
        { ...http('post', 'POST', '/each/{{$iteration}}'), parentNode: 'each' },
        http('round', 'POST', '/round/{{loop_count}}'),
        { id: 'again', kind: 'loop', config: { backTo: 'round', max: 3 } },
        http('last', 'GET', '/last'),
      ],
      edges: [
        { from: 'start', to: 'each' },
        { from: 'each', to: 'round' },
        { from: 'round', to: 'again' },
        { from: 'again', to: 'last' },
      ],
    });
    const body = { question: 'All', chatId: randomUUID() };
    await hangUpAt('/last', flowId, body, 'once-repeated');
    const again = await client.predict(flowId, body, { 'idempotency-key': 'once-repeated' });
    expect(again).toMatchObject({ status: 200, body: { usage: { credits: 0 } } });
    const requests = target.requests.filter(({ path }) => /^.(each|round)/.test(path));
    expect(requests.map(({ path }) => path).sort()).toEqual([
      '/each/a',
      '/each/b',
      '/each/c',
      '/round/0',
      '/round/1',
      '/round/2',
    ]);
    expect(new Set(requests.map(({ key }) => key)).size).toBe(6);
  });

  it('resumes within a called flow, and reuses the answer of one that had ended', async () => {
    const inner = await flowOf([
      http('book', 'POST', '/inner/{{question}}'),
      { id: 'capture', kind: 'capture', config: { area: '{{question}}' } },
      http('then', 'PUT', '/then/{{question}}'),
    ]);
    const run = (id: string, question: string) => ({
      id,
      kind: 'execute-flow',
      config: { flowId: inner, question, chat: 'same' },
    });
    const flowId = await flowOf([run('first', 'a'), run('second', 'b')]);
    const uploads = [{ type: 'file', name: 'a.jpg', mime: 'image/jpeg', data: photograph }];
    const body = { question: 'Both', chatId: randomUUID(), uploads };
    const first = await hangUpAt('/then/b', flowId, body, 'once-inner');
    const again = await client.predict(flowId, body, { 'idempotency-key': 'once-inner' });
    expect(again).toMatchObject({ status: 200, body: { text: 'done', usage: { credits: 0 } } });
    expect(again.body.warnings).toEqual([expect.objectContaining({ code: 'effect_kept' })]);
    const requests = target.requests
      .filter(({ path }) => /^.(inner|then)/.test(path))
      .map(({ path }) => path);
    expect(requests).toEqual(['/inner/a', '/then/a', '/inner/b', '/then/b', '/then/b']);
    const [before, after] = target.to('/then/b');
    expect(before!.key).toBe(after!.key);

    const record = await client.ended(again.body.executionId as string);
    expect(record).toMatchObject({ credits: 0, retryOf: first.id });
    const nodes = record.nodes as { runId: string; nodeId: string; parent?: string; flowId?: string }[];
    const second = nodes.find(({ nodeId }) => nodeId === 'second')!;
    const under = nodes.filter(({ flowId: within }) => within === inner);
    expect(under.map(({ nodeId }) => nodeId)).toEqual(['start', 'book', 'capture', 'then', 'reply']);
    expect(new Set(under.map(({ parent }) => parent))).toEqual(new Set([second.runId]));
    const session = await client.admin('GET', `inspection/sessions/${body.chatId}`);
    expect(session.body.pending).toBe(2);
    const records = await client.admin('GET', `executions?chatId=${body.chatId}`);
    expect(records.body.data).toHaveLength(2);
  });

  it('begins a new run if its user had cancelled it', async () => {
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

  it('cannot be deleted while it runs or waits, and its key is deleted with its record', async () => {
    const flowId = await flowOf([http('book', 'POST', '/deleted')]);
    const body = { question: 'Book', chatId: randomUUID() };
    const { id } = await hangUpAt('/deleted', flowId, body, 'deleted');
    expect((await client.admin('DELETE', `executions/${id}`)).status).toBeLessThan(300);
    const again = await client.predict(flowId, body, { 'idempotency-key': 'deleted' });
    expect(again.status).toBe(200);
    expect(target.to('/deleted')).toHaveLength(2);
  });
});
