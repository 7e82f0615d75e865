import { createServer as createPage } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Logger } from '../src/common/logger.js';
import { DatabaseReader } from '../src/database/database-reader.js';
import { ProcessPresence } from '../src/database/presence/process-presence.js';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { ProcessAddresses } from '../src/prediction/replicas/process-addresses.js';
import { ReplicaSignatures } from '../src/prediction/replicas/replica-signatures.js';
import { internalStreamPath } from '../src/prediction/replicas/stream-forward.js';
import { startTestApp, TEST_ADMIN_KEY, type TestApp } from './support/app.js';
import { dataOf, openStream, tokensOf } from './support/event-source.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';
import { type ServiceProcess, startService } from './support/service-process.js';

/** Long enough to come back, also on a busy machine. */
const GRACE_SECONDS = '20';

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index} `);

/** Contract section 13: a stream resumes on any process. */
describe('a client that comes back to another process than the one that runs its call', () => {
  let first: TestApp;
  let second: TestApp;
  let model: FakeModel;
  let flow: string;
  const client = new ServiceClient(() => first);
  const others: TestApp[] = [];
  let killed: ServiceProcess | undefined;

  const beside = async (env: Record<string, string>) => {
    const app = await startTestApp({
      place: first.place,
      env: { STREAM_GRACE_SECONDS: GRACE_SECONDS, ...env },
    });
    others.push(app);
    return app;
  };
  const announced = ({ app }: TestApp) =>
    app
      .get(DatabaseReader)
      .one('SELECT url FROM process_addresses WHERE process_id = ?', [app.get(ProcessPresence).id]);

  beforeAll(async () => {
    first = await startTestApp({ env: { STREAM_GRACE_SECONDS: GRACE_SECONDS } });
    second = await beside({});
    model = await startFakeModel();
    await client.admin('POST', 'credit/default/top-ups', { amount: 1_000, reference: 'tests' });
    flow = await client.flow(chatFlow(model.url));
    await eventually(async () => (await announced(first)) !== undefined);
  });

  afterAll(async () => {
    await killed?.kill();
    for (const app of others) await app.close({ keep: true });
    await first.close();
    await model.close();
  });

  const begin = async (url: string, answer = { tokens: words(60), tokenMs: 10 }) => {
    model.answers.push(answer);
    const stream = await openStream(`${url}/api/v1/prediction/${flow}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question: 'Hi', streaming: true }),
    });
    await stream.until(({ event, data }) => event === 'token' && data === 'w5 ');
    return stream;
  };
  const left = async (url: string, answer?: { tokens: string[]; tokenMs: number }) => {
    const stream = await begin(url, answer);
    stream.leave();
    await stream.done;
    return stream;
  };
  const resume = ({ url }: TestApp, lastEventId: string) =>
    openStream(`${url}/api/v1/prediction/${flow}/stream`, { headers: { 'last-event-id': lastEventId } });
  /** Resumes a stream, and retries until the answer is 200. */
  const resumed = async (app: TestApp, lastEventId: string) => {
    let stream = await resume(app, lastEventId);
    await eventually(
      async () => stream.status === 200 || (stream = await resume(app, lastEventId)).status === 200,
    );
    return stream;
  };
  const answer = async ({ url }: TestApp, lastEventId: string) => {
    const headers = { 'last-event-id': lastEventId };
    const response = await fetch(`${url}/api/v1/prediction/${flow}/stream`, { headers });
    return [response.status, ((await response.json()) as { code: string }).code];
  };

  it('gets the missed part and the rest, in order, once, from any process', async () => {
    const stream = await left(first.url, { tokens: words(300), tokenMs: 10 });
    const seen = [...stream.events];
    for (const app of [second, first, second]) {
      const again = await resume(app, seen.at(-1)!.id);
      expect(again.headers.get('x-execution-id')).toBe(stream.headers.get('x-execution-id'));
      const target = seen.length + 40;
      await again.until(({ id }) => Number(id.split(':')[1]) >= target);
      again.leave();
      await again.done;
      seen.push(...again.events);
    }
    const last = await resume(second, seen.at(-1)!.id);
    await last.done;
    seen.push(...last.events);
    expect(tokensOf(seen)).toBe(words(300).join(''));
    expect(seen.map(({ id }) => Number(id.split(':')[1]))).toEqual(seen.map((_, index) => index + 1));
    expect(seen.at(-1)!.event).toBe('end');
    const record = await client.ended(stream.headers.get('x-execution-id')!);
    expect(record).toMatchObject({ status: 'succeeded' });
  });

  it('gets the rest of a run that ended meanwhile as its own process has it', async () => {
    const stream = await begin(first.url, { tokens: words(60), tokenMs: 2 });
    await stream.done;
    const rest = await resume(second, stream.events[9]!.id);
    await rest.done;
    expect(rest.events).toEqual(stream.events.slice(10));
    const again = await resume(second, stream.events.at(-1)!.id);
    await again.done;
    expect(again.events.map(({ event }) => event)).toEqual(['agentFlowEvent', 'metadata', 'end']);
  });

  it('keeps the run alive while it listens there, and no longer', async () => {
    const brief = await beside({ STREAM_GRACE_SECONDS: '2' });
    await eventually(async () => (await announced(brief)) !== undefined);
    const stream = await left(brief.url, { tokens: words(3_000), tokenMs: 10 });
    const again = await resume(second, stream.events.at(-1)!.id);
    await again.until(({ data }) => data === 'w400 ');
    again.leave();
    const record = await client.ended(stream.headers.get('x-execution-id')!);
    expect(record).toMatchObject({ status: 'aborted', code: 'caller_left' });
  });

  it('does not stop a run resumed by a click, from whichever process its reader comes and leaves', async () => {
    const brief = await beside({ STREAM_GRACE_SECONDS: '1' });
    await eventually(async () => (await announced(brief)) !== undefined);
    const { nodes, ...chat } = chatFlow(model.url);
    const asking = await client.flow({
      ...chat,
      nodes: [...nodes, { id: 'ask', kind: 'human-input', config: { message: 'Shall I?' } }],
      edges: [
        { from: 'start', to: 'ask' },
        { from: 'ask', to: 'llm', on: '0' },
      ],
    });
    const asked = await client.predict(asking, { question: 'Hi', chatId: 'clicked' });
    const held = new Hold();
    model.answers.push({ tokens: ['So ', 'be it'], held, heldAfter: 1 });
    const humanInput = { type: 'proceed', startNodeId: asked.body.action.data.nodeId };
    const there = new ServiceClient(() => brief);
    let stream = await there.stream(asking, { chatId: 'clicked', humanInput });
    const executionId = stream.headers.get('x-execution-id')!;
    for (const { url } of [brief, second]) {
      const { id } = await stream.until(
        ({ event, data }) => event === 'agentFlowEvent' && data === 'INPROGRESS',
      );
      stream.leave();
      await stream.done;
      const headers = { 'last-event-id': id.replace(/\d+$/, '0') };
      stream = await openStream(`${url}/api/v1/prediction/${asking}/stream`, { headers });
    }
    await stream.until(({ event }) => event === 'token');
    stream.leave();
    await stream.done;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    held.letGo();
    for (const id of [executionId, asked.body.executionId as string])
      expect(await client.ended(id)).toMatchObject({ status: 'succeeded', answer: 'So be it' });
  });

  it('is served only through signed requests between processes, each signature once', async () => {
    const stream = await begin(first.url, { tokens: words(200), tokenMs: 10 });
    const [token, number] = stream.events.at(-1)!.id.split(':');
    const processId = first.app.get(ProcessPresence).id;
    const place = { executionId: '', token: token!, seen: Number(number) };
    const path = internalStreamPath(processId, place);
    const call = (signature: string | undefined, at = path) =>
      fetch(first.url + at, { headers: signature === undefined ? {} : { 'x-replica-signature': signature } });
    const signed = (at: string) =>
      second.app.get(ReplicaSignatures).sign({ method: 'GET', path: at, body: '' });
    const signature = signed(path);
    const forged = signature.replace(/s=./, (start) => (start === 's=A' ? 's=B' : 's=A'));
    for (const wrong of [undefined, '', forged, signed(`${path}0`)])
      expect((await call(wrong)).status).toBe(404);
    const right = await call(signature);
    expect(right.status).toBe(200);
    await right.body!.cancel();
    expect((await call(signature)).status).toBe(404);
    const elsewhere = internalStreamPath(second.app.get(ProcessPresence).id, place);
    expect((await call(signed(elsewhere), elsewhere)).status).toBe(404);
    second.clock.advance(61_000);
    const late = signed(path);
    second.clock.advance(-61_000);
    expect((await call(late)).status).toBe(404);
    stream.leave();
  });

  it('gets 410 if the address of the running process belongs to another', async () => {
    const misled = await beside({ INTERNAL_URL: `${second.url}/` });
    await eventually(async () => (await announced(misled)) !== undefined);
    const stream = await begin(misled.url, { tokens: words(200), tokenMs: 10 });
    const { id } = stream.events.at(-1)!;
    expect(await answer(second, id)).toEqual([410, 'stream_expired']);
    expect(await answer(first, id)).toEqual([410, 'stream_expired']);
    stream.leave();
  });

  it('gets 410 if the others cannot reach the running process, which has logged that', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn');
    const apart = await beside({ HOST: '192.0.2.1' });
    await eventually(async () => (await announced(apart)) !== undefined);
    const warnings = warned.mock.calls.filter((call) => JSON.stringify(call).includes('set INTERNAL_URL'));
    warned.mockRestore();
    // On SQLite all processes are on one machine.
    expect(warnings).toHaveLength(first.place.databaseUrl.startsWith('postgres') ? 1 : 0);
    const stream = await begin(apart.url, { tokens: words(200), tokenMs: 10 });
    const { id } = stream.events.at(-1)!;
    expect(await answer(second, id)).toEqual([410, 'stream_expired']);
    const again = await resume(apart, id);
    await again.until(({ event }) => event === 'token');
    for (const each of [stream, again]) each.leave();
  });

  it('gets 503 if the running process does not answer', async () => {
    const silent: Server = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
    await eventually(() => silent.listening);
    const hung = await beside({ INTERNAL_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` });
    await eventually(async () => (await announced(hung)) !== undefined);
    const stream = await begin(hung.url, { tokens: words(2_000), tokenMs: 10 });
    expect(await answer(second, stream.events.at(-1)!.id)).toEqual([503, 'overloaded']);
    stream.leave();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('gets 503, and nothing else, if another program answers at the address of the running process', async () => {
    const page = createPage((_, response) => void response.end('<p>Welcome</p>')).listen(0, '127.0.0.1');
    await eventually(() => page.listening);
    const misled = await beside({ INTERNAL_URL: `http://127.0.0.1:${(page.address() as AddressInfo).port}` });
    await eventually(async () => (await announced(misled)) !== undefined);
    const stream = await begin(misled.url, { tokens: words(200), tokenMs: 10 });
    expect(await answer(second, stream.events.at(-1)!.id)).toEqual([503, 'overloaded']);
    stream.leave();
    await new Promise((resolve) => page.close(resolve));
  });

  it('gets 503 until the running process has announced its address, and then its stream', async () => {
    const stream = await begin(first.url, { tokens: words(300), tokenMs: 10 });
    const { id } = stream.events.at(-1)!;
    const processId = first.app.get(ProcessPresence).id;
    const { url } = (await announced(first)) as { url: string };
    const gate = first.app.get(WriteGate);
    const say = (address: string | undefined) =>
      gate.write(async (tx) => {
        await tx.run('DELETE FROM process_addresses WHERE process_id = ?', [processId]);
        if (address !== undefined)
          await tx.run('INSERT INTO process_addresses (process_id, url) VALUES (?, ?)', [processId, address]);
      });
    await say(undefined);
    expect(await answer(second, id)).toEqual([503, 'overloaded']);
    await say('');
    expect(await answer(second, id)).toEqual([410, 'stream_expired']);
    await say(url);
    const again = await resume(second, id);
    await again.until(({ event }) => event === 'token');
    for (const each of [stream, again]) each.leave();
  });

  it('gets 503 if another process has the address of a dead one, until its run is ended', async () => {
    const stream = await begin(first.url, { tokens: words(300), tokenMs: 10 });
    const { id } = stream.events.at(-1)!;
    const misled = jest.spyOn(second.app.get(ProcessAddresses), 'find').mockResolvedValue(second.url);
    expect(await answer(second, id)).toEqual([410, 'stream_expired']);
    const dead = jest.spyOn(second.app.get(ProcessPresence), 'lifeOf').mockResolvedValue('silent');
    expect(await answer(second, id)).toEqual([503, 'overloaded']);
    for (const each of [misled, dead]) each.mockRestore();
    stream.leave();
  });

  it('gets an interruption if the process that ran it has died', async () => {
    const { databaseUrl, dataDir } = first.place;
    const owner = startService({
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ADMIN_API_KEY: TEST_ADMIN_KEY },
      STREAM_GRACE_SECONDS: GRACE_SECONDS,
    });
    killed = owner;
    const url = (await owner.ready)!;
    const stream = await begin(url, { tokens: words(3_000), tokenMs: 10 });
    const listening = await resumed(second, stream.events.at(-1)!.id);
    await listening.until(({ event }) => event === 'token');
    await owner.kill();
    await expect(listening.done).rejects.toThrow();
    const seen = [...stream.events, ...listening.events].at(-1)!.id;
    await resumed(first, seen);
    const end = await resumed(second, seen);
    await end.done;
    expect(end.events.map(({ event }) => event)).toEqual(['agentFlowEvent', 'error', 'end']);
    expect(dataOf(end.events, 'agentFlowEvent')).toEqual(['ERROR']);
    await stream.done.catch(() => undefined);
  });
});
