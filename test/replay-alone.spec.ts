import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApp, type TestApp } from './support/app.js';
import { echoFlow } from './support/flows.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

type Headers = Record<string, string>;

/** A call that can be repeated, and a figure that changes each time it is run. */
interface Repeatable {
  send(headers: Headers): Promise<Answer>;
  /** The same route, flow and session with other fields. */
  sendOther(headers: Headers): Promise<Answer>;
  runs(): Promise<number>;
}

const CREDIT = 1_000;

let service: TestApp;
let flowId: string;
const client = new ServiceClient(() => service);

beforeAll(async () => {
  service = await startTestApp({ env: { RENDERS_PER_MINUTE: '100000', INITIAL_CREDIT: String(CREDIT) } });
  flowId = await client.flow(echoFlow());
});

afterAll(() => service.close());

const capture = (body: object | FormData, headers: Headers = {}) =>
  client.send('POST', '/api/v1/inspection/capture', body, headers);
const render = (sessionId: string, meta: object, headers: Headers) => {
  const source = { type: 'inspection', sessionId, meta };
  return client.send('POST', '/api/v1/pdf/render', { templateId: 'inspection', source }, headers);
};
const sessionOf = async (sessionId: string) =>
  (await client.admin('GET', `inspection/sessions/${sessionId}`)).body;
const photograph = async () => ({ data: (await smallJpeg()).toString('base64') });

const predictions = async (): Promise<Repeatable> => {
  const chatId = randomUUID();
  return {
    send: (headers) => client.predict(flowId, { question: 'Hi', chatId }, headers),
    sendOther: (headers) => client.predict(flowId, { question: 'Ho', chatId }, headers),
    runs: async () => CREDIT - (await client.admin('GET', 'credit/default')).body.balance,
  };
};

const captures = async (): Promise<Repeatable> => {
  const sessionId = randomUUID();
  const photographs = [await photograph()];
  return {
    send: (headers) => capture({ flowId, sessionId, photographs }, headers),
    sendOther: (headers) => capture({ flowId, sessionId, remark: 'Another' }, headers),
    runs: async () => (await sessionOf(sessionId)).photographs?.length ?? 0,
  };
};

const renders = async (): Promise<Repeatable> => {
  const sessionId = randomUUID();
  await capture({ flowId, sessionId, photographs: [await photograph()] });
  return {
    send: (headers) => render(sessionId, {}, headers),
    sendOther: (headers) => render(sessionId, { address: '1 High Street' }, headers),
    runs: async () => 1 - (await sessionOf(sessionId)).pending,
  };
};

describe.each([
  ['a prediction', predictions],
  ['a capture', captures],
  ['a render', renders],
])('%s that requests only a stored answer', (_name, begin) => {
  let call: Repeatable;
  let key: Headers;
  let only: Headers;

  beforeEach(async () => {
    call = await begin();
    key = { 'Idempotency-Key': randomUUID() };
    only = { ...key, 'Idempotent-Replay': 'only' };
  });

  it('runs nothing if none is stored, reports that in its record, and leaves the key free', async () => {
    const before = await call.runs();
    const none = await call.send(only);
    expect([none.status, none.body.code]).toEqual([410, 'stream_expired']);
    expect(await call.runs()).toBe(before);
    const record = await client.ended(none.body.executionId as string);
    expect(record).toMatchObject({ status: 'rejected', httpStatus: 410, code: 'stream_expired' });
    expect((await call.send(key)).status).toBe(200);
    expect(await call.runs()).toBe(before + 1);
  });

  it('returns the stored answer, under a record of its own', async () => {
    const first = await call.send(key);
    const after = await call.runs();
    const again = await call.send(only);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    const record = await client.ended(again.headers.get('x-execution-id')!);
    expect(record.replayOf).toBe(first.headers.get('x-execution-id'));
    expect(await call.runs()).toBe(after);
  });

  it('is refused if the key was used for another request', async () => {
    await call.send(key);
    const other = await call.sendOther(only);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('never blocks another such request, or a running call', async () => {
    const ask = () => Array.from({ length: 10 }, () => call.send(only));
    expect(new Set((await Promise.all(ask())).map(({ status }) => status))).toEqual(new Set([410]));
    const before = await call.runs();
    const early = ask();
    const run = call.send(key);
    const answers = await Promise.all([...early, ...ask()]);
    expect(await run).toMatchObject({ status: 200 });
    expect((await run).headers.has('idempotent-replay')).toBe(false);
    for (const { status } of answers) expect([200, 409, 410]).toContain(status);
    expect(await call.runs()).toBe(before + 1);
  });

  it('requires a key', async () => {
    const before = await call.runs();
    const answer = await call.send({ 'Idempotent-Replay': 'only' });
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'Idempotency-Key']);
    expect(await call.runs()).toBe(before);
  });
});

describe('a capture that requests only a stored answer', () => {
  const blobs = () =>
    readdirSync(join(service.place.dataDir, 'blobs'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    ).length;

  it('stores none of its files', async () => {
    const before = blobs();
    const form = new FormData();
    for (const [name, value] of Object.entries({ flowId, sessionId: randomUUID() })) form.append(name, value);
    form.append('photographs', new Blob([new Uint8Array(await smallJpeg())]), 'a.jpg');
    const headers = { 'Idempotency-Key': randomUUID(), 'Idempotent-Replay': 'only' };
    expect((await capture(form, headers)).status).toBe(410);
    expect(blobs()).toBe(before);
  });
});
