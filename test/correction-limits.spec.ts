import { randomUUID } from 'node:crypto';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { recordCorrection } from '../src/inspection/corrections/correction-records.js';
import { RenderFixture } from './fixtures/renders.js';
import { smallJpeg } from './support/recorded-photographs.js';
import type { Answer } from './support/service-client.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const outcome = ({ status, body }: Answer) => (status === 200 ? 200 : [status, body?.code]);

/** Limits of the corrections of a session, and the photographs in their reach (contract section 5). */
describe('corrections of one session', () => {
  const room = new RenderFixture();
  const { client, session } = room;
  /** The service's time, which stands still. */
  let now: number;

  beforeAll(() => room.start());
  afterAll(() => room.close());
  beforeEach(() => {
    now = Date.now();
    jest.spyOn(room.app.clock, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  const captured = async (sessionId: string, body: object = {}) => {
    const data = (await smallJpeg()).toString('base64');
    const sent = { flowId: room.flowId, sessionId, area: 'Kitchen', photographs: [{ data }], ...body };
    const answer = await client.send('POST', '/api/v1/inspection/capture', sent);
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const photograph = async (sessionId: string, body: object = {}): Promise<string> =>
    (await captured(sessionId, body)).recorded[0].id as string;
  const correct = (id: string, body: unknown) =>
    client.admin('POST', `inspection/photographs/${id}/corrections`, body);
  const shown = async (id: string) => (await client.admin('GET', `inspection/photographs/${id}`)).body;
  const rename = (sessionId: string, body: unknown, query = '') =>
    client.admin('POST', `inspection/sessions/${sessionId}/areas/rename${query}`, body);

  /** Inserts this many corrections of the current instant, after `before` earlier ones. */
  const made = (sessionId: string, count: number, before = 0) =>
    room.app.app.get(WriteGate).write(async (tx) => {
      for (let number = before; number < before + count; number++)
        await recordCorrection(tx, { flowId: room.flowId, sessionId }, { by: 'chat' }, [], { number, now });
    });
  const turned = async (id: string) => {
    const answer = await correct(id, { turn: 90 });
    return answer.status === 200
      ? 200
      : [...[outcome(answer)].flat(), Number(answer.headers.get('retry-after'))];
  };

  it('are limited to 300 a minute; the next waits until the first of them is a minute old', async () => {
    const sessionId = session();
    const [id, other] = [await photograph(sessionId), await photograph(session())];
    await made(sessionId, 100);
    now += MINUTE / 2;
    await made(sessionId, 199, 100);
    expect(await turned(id)).toBe(200);
    expect(await turned(id)).toEqual([429, 'rate_limited', 30]);
    expect(outcome(await rename(sessionId, { from: 'Kitchen', to: 'Hall' }))).toEqual([429, 'rate_limited']);
    expect(await shown(id)).toMatchObject({ turn: 90, area: 'Kitchen', corrections: [{}] });
    expect(await turned(other)).toBe(200);
    now += MINUTE / 2 - 1;
    expect(await turned(id)).toEqual([429, 'rate_limited', 1]);
    now += 1;
    expect(await turned(id)).toBe(200);
    await made(sessionId, 99, 301);
    expect(await turned(id)).toEqual([429, 'rate_limited', 30]);
  });

  it('are limited to 8 MB, including the words before and after', async () => {
    const sessionId = session();
    const id = await photograph(sessionId);
    const items = Array.from({ length: 4 }, (_, index) => ({
      ...{ kind: 'photograph', id: `${id}-${index}`, was: { caption: 'x'.repeat(1024 * 1024) } },
      change: { caption: { from: 'x', to: 'y'.repeat(1024 * 1024) } },
    }));
    await room.app.app.get(WriteGate).write(async (tx) => {
      const session = { flowId: room.flowId, sessionId };
      await recordCorrection(tx, session, { by: 'chat' }, items.slice(0, 3) as never, { number: 0, now });
    });
    expect(await turned(id)).toBe(200);
    await room.app.app.get(WriteGate).write(async (tx) => {
      const session = { flowId: room.flowId, sessionId };
      await recordCorrection(tx, session, { by: 'chat' }, items.slice(3) as never, { number: 2, now });
    });
    expect(outcome(await correct(id, { turn: 90 }))).toEqual([409, 'session_full']);
    expect(outcome(await rename(sessionId, { from: 'Kitchen', to: 'Hall' }))).toEqual([409, 'session_full']);
    expect(await shown(id)).toMatchObject({ turn: 90, area: 'Kitchen' });
  });

  it('are limited to 2,000 a day', async () => {
    const sessionId = session();
    const id = await photograph(sessionId);
    await made(sessionId, 1_999);
    now += MINUTE;
    expect(await turned(id)).toBe(200);
    expect(await turned(id)).toEqual([429, 'rate_limited', DAY / 1_000 - 60]);
    now += DAY - MINUTE;
    expect(await turned(id)).toBe(200);
    expect(await shown(id)).toMatchObject({ turn: 180 });
  });

  it('are limited in a chat too, which reports it and continues', async () => {
    const nodes = [
      { id: 'start', kind: 'start' },
      { id: 'correct', kind: 'correct', config: { turn: 90, sessionId: '{{$vars.of}}' } },
    ];
    const flowId = await client.flow({ name: 'Turns', nodes, edges: [{ from: 'start', to: 'correct' }] });
    const sessionId = session();
    const id = await photograph(sessionId, { flowId });
    await room.app.app.get(WriteGate).write(async (tx) => {
      for (let number = 0; number < 300; number++)
        await recordCorrection(tx, { flowId, sessionId }, { by: 'chat' }, [], { number, now });
    });
    const answer = await client.predict(flowId, {
      question: 'x',
      overrideConfig: { vars: { of: sessionId } },
    });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.text as string)).toMatchObject({ corrected: 0, code: 'rate_limited' });
    expect((await shown(id)).turn).toBe(0);
  });

  it('may number a thousand: every rotation of a photograph adds up, and each is listed', async () => {
    const sessionId = session();
    const ids: string[] = [];
    while (ids.length < 4) ids.push(await photograph(sessionId));
    for (let turn = 1; turn <= 1_000; turn++) {
      now += MINUTE / 300;
      const { status, body } = await correct(ids[turn % 4]!, { turn: turn % 3 === 0 ? 180 : 90 });
      if (status !== 200 || body.corrections.length !== Math.ceil(turn / 4))
        expect([turn, status, body]).toBe('corrected');
    }
    const listed: string[] = [];
    for (const [place, id] of ids.entries()) {
      const { turn, corrections } = await shown(id);
      const turns = Array.from({ length: 250 }, (_, n) => n * 4 + (place === 0 ? 4 : place));
      const degrees = turns.reduce((sum, each) => sum + (each % 3 === 0 ? 180 : 90), 0);
      expect([turn, corrections.length]).toEqual([degrees % 360, 250]);
      const times = (corrections as { at: string }[]).map(({ at }) => at);
      expect(times).toEqual([...times].sort());
      listed.push(...times);
    }
    expect(new Set(listed).size).toBe(1_000);
  });

  it('reach no photograph of another session, whatever its name', async () => {
    const [mine, theirs] = [randomUUID(), randomUUID()];
    const keyed = room.keyed;
    const [own, foreign] = [await photograph(mine), await photograph(theirs)];
    const data = (await smallJpeg()).toString('base64');
    const elsewhere = await client.send(
      'POST',
      '/api/v1/inspection/capture',
      { flowId: keyed.flowId, sessionId: mine, area: 'Kitchen', photographs: [{ data }] },
      keyed.headers,
    );
    const namesake = elsewhere.body.recorded[0].id as string;
    const bearer = { authorization: `Bearer ${mine}` };
    for (const id of [foreign, namesake]) {
      for (const path of ['corrections', 'corrections?sessionId=' + mine]) {
        const address = `/api/v1/inspection/photographs/${id}/${path}`;
        expect(outcome(await client.send('POST', address, { turn: 90 }, bearer))).toEqual([
          401,
          'invalid_api_key',
        ]);
      }
    }
    const query = `?flowId=${room.flowId}`;
    expect((await rename(mine, { from: 'Kitchen', to: 'Hall' }, query)).body).toMatchObject({
      corrected: 1,
      photographs: [{ id: own, area: 'Hall' }],
    });
    for (const id of [foreign, namesake])
      expect(await shown(id)).toMatchObject({ area: 'Kitchen', turn: 0, corrections: [] });
  });

  it('merge two areas without claimed items, and split them again', async () => {
    const nodes = [
      { id: 'start', kind: 'start' },
      { id: 'undo', kind: 'correct', config: { undo: true } },
    ];
    const flowId = await client.flow({ name: 'Undo', nodes, edges: [{ from: 'start', to: 'undo' }] });
    const sessionId = session();
    const printed = await photograph(sessionId, { flowId, area: 'Kitchn' });
    const { file } = (await room.render({ sessionId, flowId })).body;
    const mine = await captured(sessionId, { flowId, area: 'Kitchen', remark: 'Clean' });
    const slip = await captured(sessionId, {
      ...{ flowId, area: 'Kitchn', remark: 'Worn' },
      observations: [{ item: 'Hob' }],
    });
    const areas = async () =>
      (await client.admin('GET', `inspection/sessions/${sessionId}`)).body.areas.map(
        ({ area, photographs, remarks, facts }: Record<string, unknown>) => [
          area,
          photographs,
          remarks,
          facts,
        ],
      );
    const apart = [
      ['Kitchn', 2, 1, 1],
      ['Kitchen', 1, 1, undefined],
    ];
    expect(await areas()).toEqual(apart);
    const { body } = await rename(sessionId, { from: 'Kitchn', to: 'Kitchen' });
    expect(body).toMatchObject({ corrected: 3, facts: [{ id: slip.recordedFacts[0].id, area: 'Kitchen' }] });
    expect(await areas()).toEqual([
      ['Kitchn', 1, 0, undefined],
      ['Kitchen', 2, 2, 1],
    ]);
    expect(await shown(printed)).toMatchObject({ area: 'Kitchn', corrections: [] });
    expect((await client.admin('POST', `pdf/reports/${file.id}/redraw`)).body.identical).toBe(true);
    await client.predict(flowId, { question: 'x', chatId: sessionId });
    expect(await areas()).toEqual(apart);
    expect((await shown(mine.recorded[0].id as string)).corrections).toEqual([]);
  });
});
