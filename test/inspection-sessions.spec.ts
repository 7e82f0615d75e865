import { randomUUID } from 'node:crypto';
import { sessionEvent } from '../src/api/inspections.js';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { startTestApp, type TestApp } from './support/app.js';
import { echoFlow } from './support/flows.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

describe('inspection sessions', () => {
  let app: TestApp;
  let flowId: string;
  const client = new ServiceClient(() => app);

  beforeAll(async () => {
    app = await startTestApp();
    flowId = await client.flow(echoFlow());
  });
  afterAll(() => app.close());

  const capture = (body: object) => client.send('POST', '/api/v1/inspection/capture', { flowId, ...body });
  const photo = async (more: object = {}) => ({ data: (await smallJpeg()).toString('base64'), ...more });
  const admin = (path: string) => client.admin('GET', `inspection/${path}`);

  it('are found by a part of their id, in upper or lower case', async () => {
    const mark = randomUUID();
    const ids = [`Küche-${mark}`, `KÜCHE_${mark}`, `Kuche-${mark}`];
    for (const sessionId of ids) await capture({ sessionId, area: 'Kitchen' });
    const found = async (q: string) => {
      const { body } = await admin(`sessions?${new URLSearchParams({ q }).toString()}`);
      return body.data.map((each: { sessionId: string }) => each.sessionId).sort();
    };
    expect(await found(`kÜCHE-${mark.toUpperCase()}`)).toEqual([ids[0]]);
    expect(await found(`CHE-${mark}`)).toEqual([ids[2], ids[0]]);
    expect(await found(`küche_${mark}`)).toEqual([ids[1]]);
    expect(await found('%')).toEqual([]);
  });

  it('are found by address, postcode and inspector of their record, which the list shows', async () => {
    const mark = randomUUID();
    const sessionId = `447700900${mark}`;
    const record = { address: `14 Acacia Avenue ${mark}`, postcode: 'LS1 4AP', assessor: `Zoë ${mark}` };
    await client.admin('PATCH', `inspection/sessions/${sessionId}/details?flowId=${flowId}`, record);
    const found = async (q: string) => {
      const { body, status } = await admin(`sessions?${new URLSearchParams({ q, flowId }).toString()}`);
      expect(status).toBe(200);
      return body.data.filter((each: { sessionId: string }) => each.sessionId === sessionId);
    };
    for (const q of ['Acacia', `acacia avenue ${mark}`, 'ls1 4a', `ZOË ${mark}`, mark])
      expect(await found(q)).toMatchObject([
        { title: record.address, address: record.address, postcode: 'LS1 4AP', inspector: record.assessor },
      ]);
    for (const q of ['%', 'Acacia%Avenue', "' OR 1=1 --", 'A_acia', '\\', '!', 'ÀÉÎõ'.repeat(64)])
      expect(await found(q)).toEqual([]);
    await client.admin('PATCH', `inspection/sessions/${sessionId}/details?flowId=${flowId}`, {
      address: ' ',
      postcode: null,
    });
    expect(await found('Acacia')).toEqual([]);
    expect(await found(mark)).toMatchObject([{ title: null, address: null, postcode: null }]);
  });

  it('count recorded service areas as done', async () => {
    const sessionId = randomUUID();
    const details = {
      keyDetails: { numberOfKeys: 2 },
      skippedAreas: 'gas-meter',
      areaComments: { 'Smoke alarm': ['Tested'] },
    };
    const { body } = await capture({ sessionId, details });
    expect(body.session.outstandingAreas).toEqual(['electricity-meter', 'water-meter', 'detectors']);
    const observations = [{ item: 'Alarm', condition: 'good' }];
    const described = await capture({ sessionId, area: 'heat_alarm', observations });
    expect(described.body.session.outstandingAreas).toEqual(['electricity-meter', 'water-meter']);
  });

  it('list pending items and the latest of the rest, as many as an answer takes', async () => {
    const sessionId = randomUUID();
    await capture({ sessionId, area: 'Kitchen', remark: 'The latest.' });
    const remark = (arrival: number) => [
      ...[randomUUID(), flowId, sessionId, 'kitchen', 'Kitchen', 'room', 'x'.repeat(65_000), arrival],
      ...[0, 'claimed', randomUUID()],
    ];
    await app.app.get(WriteGate).write(async (tx) => {
      for (let arrival = -200; arrival < 0; arrival++)
        await tx.run(
          `INSERT INTO remarks (id, flow_id, session_id, area_key, area_name, area_type, text, arrival, recorded_at,
             claim_id, execution_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          remark(arrival),
        );
    });
    const { body, text } = await admin(`sessions/${sessionId}`);
    expect(body.remarks.at(-1)).toMatchObject({ text: 'The latest.', pending: true });
    expect(text.length).toBeLessThan(9 * 1024 * 1024);
    expect(body.remarks.length + body.omitted).toBe(201);
    expect(body.omitted).toBeGreaterThan(60);
  });

  it('are shown to admins, and one of them live', async () => {
    const sessionId = `447700900123-${randomUUID()}`;
    await capture({ sessionId, area: 'Kitchen', photographs: [await photo({ caption: 'Oven' })] });
    const list = await admin('sessions?limit=1');
    expect(list.body.data[0]).toMatchObject({
      flowId,
      sessionId,
      photographs: 1,
      pending: 1,
      currentArea: 'Kitchen',
      areas: ['Kitchen'],
      lastReport: null,
    });
    const next = await admin(`sessions?limit=1&cursor=${list.body.nextCursor}`);
    expect(next.body.data[0].sessionId).not.toBe(sessionId);
    expect((await admin('sessions?cursor=x')).status).toBe(400);
    const stop = new AbortController();
    const stream = await fetch(`${app.url}/api/v1/inspection/sessions/${sessionId}/stream`, {
      headers: { authorization: `Bearer ${app.adminKey}` },
      signal: stop.signal,
    });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    const until = async (text: string) => {
      while (!seen.includes(text)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended without ${text}`);
        seen += value;
      }
    };
    await until('"pending":1');
    await capture({ sessionId, photographs: [await photo()] });
    await until('"pending":2');
    const lines = [...seen.matchAll(/^data: (.*)\n\n/gm)].map(([, line]) => JSON.parse(line!) as unknown);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(sessionEvent.safeParse(line).error?.issues).toBeUndefined();
    stop.abort();
  });
});
