import { ProcessPresence } from '../src/database/presence/process-presence.js';
import { startTestApp } from './support/app.js';
import { startBehindProxy } from './support/behind-proxy.js';
import { eventually } from './support/eventually.js';
import { Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow } from './support/flows.js';
import { describeOnPostgres } from './support/on-postgres.js';
import { terminateSpeakers } from './support/postgres-proxy.js';
import { ServiceClient } from './support/service-client.js';

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describeOnPostgres('a process that cannot renew its presence', () => {
  it('counts as dead after 3 s though its pool works, and returns under another identity that resumes none of its runs', async () => {
    const behind = await startBehindProxy();
    if (!behind) return;
    const { proxy, service, client, place, balance, close } = behind;
    const model = await startFakeModel();
    const held = new Hold();
    model.answers.push({ tokens: ['Too', ' late'], held });
    const flow = await client.flow(chatFlow(model.url));
    const before = await balance();
    const earlier = service.app.get(ProcessPresence).id;
    const stream = await client.stream(flow, { question: 'Hi', chatId: 'c' });
    await eventually(() => model.requests.length === 1);
    proxy.refuse();
    await terminateSpeakers(place.databaseUrl);
    const second = await startTestApp({ place });
    const peer = new ServiceClient(() => second);
    const id = stream.headers.get('x-execution-id')!;
    const record = await peer.ended(id);
    expect(record).toMatchObject({ status: 'failed', code: 'interrupted' });
    expect(service.app.get(ProcessPresence).id).toBe(earlier);
    proxy.comeBack();
    await eventually(() => service.app.get(ProcessPresence).id !== earlier);
    held.letGo();
    await stream.done;
    const ends = stream.events
      .filter(({ event }) => event === 'agentFlowEvent')
      .map(({ data }) => data as string);
    expect(ends).toEqual(['INPROGRESS', 'ERROR']);
    expect(await client.ended(id)).toMatchObject({ status: 'failed', code: 'interrupted' });
    expect(await balance()).toBe(before);
    const next = await client.predict(flow, { question: 'Again', chatId: 'c' });
    expect([next.status, next.body.text]).toEqual([200, 'Hello there']);
    await later(4_000);
    expect((await peer.ended(next.headers.get('x-execution-id')!)).status).toBe('succeeded');
    await model.close();
    await second.close({ keep: true });
    await close();
  });

  it('continues its runs if nobody else was there to declare it dead', async () => {
    const behind = await startBehindProxy();
    if (!behind) return;
    const { proxy, service, client, close } = behind;
    const model = await startFakeModel();
    const held = new Hold();
    model.answers.push({ tokens: ['In', ' time'], held });
    const flow = await client.flow(chatFlow(model.url));
    const earlier = service.app.get(ProcessPresence).id;
    const call = client.predict(flow, { question: 'Hi', chatId: 'c' });
    await eventually(() => model.requests.length === 1);
    proxy.goAway();
    await later(4_000);
    proxy.comeBack();
    await eventually(() => service.app.get(ProcessPresence).id !== earlier);
    await later(5_000);
    held.letGo();
    expect([(await call).status, (await call).body.text]).toEqual([200, 'In time']);
    await model.close();
    await close();
  });

  it('is not ready within 5 s if its database refuses writes or it may count as dead, lives on, and is ready again', async () => {
    const behind = await startBehindProxy();
    if (!behind) return;
    const { proxy, place, client, close } = behind;
    const status = async (path: string) => (await client.send('GET', path)).status;
    const ready = () => status('/health/ready');
    expect(await ready()).toBe(200);
    const loseTheLock = () => (proxy.refuse(), terminateSpeakers(place.databaseUrl));
    for (const lose of [async () => proxy.goAway(), async () => proxy.freeze(), loseTheLock]) {
      await lose();
      const since = performance.now();
      await eventually(async () => (await ready()) === 503);
      // Five seconds, plus some for a busy machine.
      expect(performance.now() - since).toBeLessThan(8_000);
      expect(await status('/health/live')).toBe(200);
      proxy.comeBack();
      await eventually(async () => (await ready()) === 200);
    }
    await close();
  });

  it('continues over new connections if its own hang for ever', async () => {
    const behind = await startBehindProxy();
    if (!behind) return;
    const { proxy, place, service, client, flow, close } = behind;
    const earlier = service.app.get(ProcessPresence).id;
    proxy.freeze();
    const ready = async () => (await client.send('GET', '/health/ready')).status;
    // The write gate counts from its first failed write.
    await eventually(async () => (await ready()) === 503);
    // Longer than the write gate waits for a silent server. By then the server has noticed too, by its keepalives.
    await later(31_000);
    await terminateSpeakers(place.databaseUrl);
    const call = async () => (await client.predict(flow, { question: 'Hi' })).status;
    await eventually(async () => (await call()) === 200);
    await eventually(() => service.app.get(ProcessPresence).id !== earlier);
    await eventually(async () => (await ready()) === 200);
    proxy.comeBack();
    await close();
  });
});
