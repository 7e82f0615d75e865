import { randomUUID } from 'node:crypto';
import { RenderFixture } from './fixtures/renders.js';
import { smallJpeg } from './support/recorded-photographs.js';
import type { Answer } from './support/service-client.js';

interface Listed {
  kind: string;
  id: string;
  area: string | null;
  text?: string;
  at: string;
  executionId: string | null;
  claimed: boolean;
}

const outcome = ({ status, body }: Answer) => (status === 200 ? 200 : [status, body?.code]);

/** The recorded items of a session, one by one (contract section 5). */
describe('the things of a session', () => {
  const room = new RenderFixture();
  const { client } = room;

  beforeAll(() => room.start({ TRUST_PROXY: '1' }));
  afterAll(() => room.close());

  let addresses = 0;
  /** Headers of a call from an address of its own. */
  const from = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });
  const capture = async (sessionId: string, body: object, flowId = room.flowId) => {
    const sent = { flowId, sessionId, ...body };
    const headers = flowId === room.flowId ? {} : room.keyed.headers;
    const answer = await client.send('POST', '/api/v1/inspection/capture', sent, headers);
    expect(outcome(answer)).toBe(200);
    return answer.body;
  };
  const picture = async () => ({ data: (await smallJpeg()).toString('base64') });
  const path = (sessionId: string, query = '') => `/api/v1/inspection/sessions/${sessionId}/things${query}`;
  const read = (sessionId: string, query = '', headers: Record<string, string> = {}) =>
    client.send('GET', path(sessionId, query), undefined, { ...from(), ...headers });
  const list = async (sessionId: string): Promise<Listed[]> => {
    const answer = await read(sessionId, `?limit=200&flowId=${room.flowId}`);
    expect(outcome(answer)).toBe(200);
    expect(answer.body.nextCursor).toBeNull();
    return answer.body.data as Listed[];
  };
  const withdraw = (table: string, id: string, headers: Record<string, string> = room.adminHeaders()) =>
    client.send('DELETE', `/api/v1/inspection/${table}/${id}`, undefined, { ...from(), ...headers });

  it('are of every kind, each with its area, its words and the call that recorded it', async () => {
    const sessionId = randomUUID();
    const details = { address: '1 Test Street', guided: true, skippedAreas: 'water meter|smoke alarm' };
    const first = await capture(sessionId, { details });
    const kitchen = await capture(sessionId, {
      ...{ area: 'Kitchen', remark: 'Boiler is leaking' },
      photographs: [{ ...(await picture()), caption: 'The boiler' }],
      observations: [{ item: 'Hob', condition: 'poor', cleanliness: 'dirty', description: 'Chipped' }],
    });
    await capture(sessionId, { area: 'gas meter', reading: { value: '04713', unit: 'm³' } });
    await capture(sessionId, { area: 'Keys', keys: [{ kind: 'Front door', count: 2 }] });
    await capture(sessionId, {
      ...{ area: 'Smoke alarm landing' },
      alarm: { kind: 'Smoke alarm', place: 'Landing', tested: false },
    });
    const found = await list(sessionId);
    expect(found.map(({ kind, area, text }) => [kind, area, text])).toEqual([
      ['detail', null, 'Guided self inspection: yes'],
      ['detail', null, 'Address: 1 Test Street'],
      ['alarm', 'Smoke alarm landing', 'Smoke alarm, Landing, not tested'],
      ['absence', 'Detectors', 'Not available — reported by the inspector.'],
      ['reading', 'gas meter', '04713 m³'],
      ['keys', 'Keys', '2 × Front door'],
      ['observation', 'Kitchen', 'Hob: poor, dirty, Chipped'],
      ['remark', 'Kitchen', 'Boiler is leaking'],
      ['photograph', 'Kitchen', 'The boiler'],
      ['absence', 'Water Meter', 'Not available — reported by the inspector.'],
    ]);
    expect(found.filter(({ executionId }) => executionId === first.executionId)).toHaveLength(4);
    expect(found.filter(({ executionId }) => executionId === kitchen.executionId)).toHaveLength(3);
    expect(found.every(({ id, at, claimed }) => id && /Z$/.test(at) && !claimed)).toBe(true);
    expect(Object.keys(found.find(({ kind }) => kind === 'photograph')!).sort()).toEqual([
      ...['area', 'areaType', 'at', 'claimed', 'executionId', 'id', 'kind', 'text'],
    ]);
  });

  it('are listed in pages, the newest first within an area, and none twice', async () => {
    const sessionId = randomUUID();
    for (const area of ['Hall', 'Kitchen', 'hall'])
      for (const remark of ['one', 'two']) await capture(sessionId, { area, remark: `${area} ${remark}` });
    const found: Listed[] = [];
    let cursor = '';
    for (let pages = 0; ; pages++) {
      const { body } = await read(sessionId, `?limit=4${cursor}`);
      found.push(...body.data);
      if (body.nextCursor === null) {
        expect(pages).toBe(1);
        break;
      }
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(found.map(({ area, text }) => [area, text])).toEqual([
      ...[...['hall two', 'hall one', 'Hall two', 'Hall one'].map((text) => ['Hall', text])],
      ...[...['Kitchen two', 'Kitchen one'].map((text) => ['Kitchen', text])],
    ]);
    expect(outcome(await read(sessionId, '?cursor=x'))).toEqual([400, 'invalid_request']);
    expect(outcome(await read(sessionId, '?limit=201'))).toEqual([400, 'invalid_request']);
  });

  it('end a page early if their texts are long', async () => {
    const sessionId = randomUUID();
    for (let n = 0; n < 18; n++)
      await capture(sessionId, { area: 'Hall', remark: `${n}${'x'.repeat(65_000)}` });
    const { body } = await read(sessionId, '?limit=200');
    expect(body.data.length).toBe(16);
    const rest = await read(sessionId, `?limit=200&cursor=${body.nextCursor}`);
    expect([rest.body.data.length, rest.body.nextCursor]).toEqual([2, null]);
  });

  it('show corrected words and areas, and nothing that was withdrawn', async () => {
    const sessionId = randomUUID();
    const { remark } = await capture(sessionId, { area: 'Hall', remark: 'Scuffed' });
    const { recordedFacts } = await capture(sessionId, { area: 'Gas meter', reading: { value: '1' } });
    const correct = (what: string, body: object) =>
      client.admin('POST', `inspection/${what}/corrections`, body);
    await correct(`remarks/${remark.id}`, { text: 'Scuffed wall', area: 'Landing' });
    await correct(`facts/${recordedFacts[0].id}`, { value: '04713' });
    expect((await list(sessionId)).map(({ area, text }) => [area, text])).toEqual([
      ['Gas meter', '04713'],
      ['Landing', 'Scuffed wall'],
    ]);
    const gone = await withdraw('remarks', remark.id);
    expect([gone.status, gone.body]).toEqual([
      200,
      expect.objectContaining({
        id: remark.id,
        text: 'Scuffed wall',
        withdrawnAt: expect.stringMatching(/Z$/),
      }),
    ]);
    expect((await withdraw('remarks', remark.id)).body).toEqual(gone.body);
    expect((await withdraw('facts', recordedFacts[0].id)).body.withdrawnAt).toMatch(/Z$/);
    expect(await list(sessionId)).toEqual([]);
    await correct(`remarks/${remark.id}`, { withdrawn: false });
    expect((await list(sessionId)).map(({ text }) => text)).toEqual(['Scuffed wall']);
  });

  it('are claimed once a report has them: then they cannot be withdrawn', async () => {
    const sessionId = randomUUID();
    const details = { address: '1 Test Street' };
    const { remark } = await capture(sessionId, {
      ...{ area: 'Kitchen', remark: 'Scuffed', details },
      photographs: [await picture()],
    });
    const dropped = await capture(sessionId, { area: 'Kitchen', remark: 'A mistake' });
    await withdraw('remarks', dropped.remark.id);
    const { body } = await room.render({ sessionId, flowId: room.flowId });
    expect(body.claimed).toBe(1);
    const later = await capture(sessionId, {
      area: 'Hall',
      remark: 'Later',
      details: { postcode: 'LS1 1AA' },
    });
    expect((await list(sessionId)).map(({ kind, text, claimed }) => [kind, text, claimed])).toEqual([
      ['detail', 'Postcode: LS1 1AA', false],
      ['detail', 'Address: 1 Test Street', true],
      ['remark', 'Later', false],
      ['remark', 'Scuffed', true],
      ['photograph', undefined, true],
    ]);
    expect(outcome(await withdraw('remarks', remark.id))).toEqual([409, 'already_claimed']);
    expect(outcome(await withdraw('remarks', later.remark.id))).toBe(200);
    const { manifest } = (await client.admin('GET', `pdf/reports/${body.file.id}/manifest`)).body.signed;
    expect(JSON.stringify(manifest)).toContain('A mistake');
  });

  it('of an open flow are readable by anyone who knows an unguessable id, else by the admin', async () => {
    const own = randomUUID();
    const { remark } = await capture(own, { area: 'Hall', remark: 'Mine' });
    expect((await read(own)).body.data).toHaveLength(1);
    expect((await read(randomUUID(), `?flowId=${room.flowId}`)).body).toEqual({ data: [], nextCursor: null });
    expect(outcome(await read(randomUUID()))).toEqual([404, 'not_found']);
    expect(outcome(await read(own, '?flowId=no-such-flow'))).toEqual([404, 'flow_not_found']);
    expect(outcome(await withdraw('remarks', remark.id, {}))).toEqual([401, 'invalid_api_key']);
    const others = { authorization: `Bearer ${randomUUID()}` };
    expect(outcome(await withdraw('remarks', remark.id, others))).toEqual([401, 'invalid_api_key']);
    expect(outcome(await withdraw('remarks', remark.id, { authorization: `Bearer ${own}` }))).toBe(200);

    const guessed = `447700${Math.floor(Math.random() * 1e6)}`;
    const { remark: another } = await capture(guessed, { area: 'Hall', remark: 'x' });
    expect(outcome(await read(guessed))).toEqual([401, 'invalid_api_key']);
    expect(outcome(await read(guessed, '', room.adminHeaders()))).toBe(200);
    const bearer = { authorization: `Bearer ${guessed}` };
    expect(outcome(await withdraw('remarks', another.id, bearer))).toEqual([401, 'invalid_api_key']);
    expect(outcome(await withdraw('remarks', randomUUID()))).toEqual([404, 'not_found']);
    expect(outcome(await withdraw('facts', another.id))).toEqual([404, 'not_found']);
  });

  it('of a keyed flow are readable with its key; if several flows have the session, the flow is named', async () => {
    const sessionId = randomUUID();
    const { flowId, headers } = room.keyed;
    await capture(sessionId, { area: 'Hall', remark: 'Keyed' }, flowId);
    expect(outcome(await read(sessionId))).toEqual([401, 'invalid_api_key']);
    expect((await read(sessionId, '', headers)).body.data).toHaveLength(1);
    await capture(sessionId, { area: 'Hall', remark: 'Open' });
    expect(outcome(await read(sessionId, '', headers))).toEqual([400, 'invalid_request']);
    expect(outcome(await read(sessionId, '', room.adminHeaders()))).toEqual([400, 'invalid_request']);
    const keyed = await read(sessionId, `?flowId=${flowId}`, headers);
    expect(keyed.body.data.map(({ text }: Listed) => text)).toEqual(['Keyed']);
  });

  it('free the limits of their session when they are withdrawn', async () => {
    const limited = new RenderFixture();
    await limited.start({ MAX_SESSION_REMARKS: '1', MAX_SESSION_FACTS: '1' });
    try {
      const sessionId = randomUUID();
      const send = (body: object) =>
        limited.client.send('POST', '/api/v1/inspection/capture', {
          flowId: limited.flowId,
          sessionId,
          ...body,
        });
      const first = await send({ area: 'Keys', remark: 'x', keys: [{ kind: 'Door' }] });
      expect(outcome(await send({ area: 'Hall', remark: 'y' }))).toEqual([409, 'session_full']);
      await limited.client.admin('DELETE', `inspection/remarks/${first.body.remark.id}`);
      await limited.client.admin('DELETE', `inspection/facts/${first.body.recordedFacts[0].id}`);
      expect(outcome(await send({ area: 'Keys', remark: 'y', keys: [{ kind: 'Fob' }] }))).toBe(200);
    } finally {
      await limited.close();
    }
  });
});
