import { randomUUID } from 'node:crypto';
import { RenderFixture, withFile } from './fixtures/renders.js';
import { readPdf } from './support/read-pdf.js';
import { smallJpeg } from './support/recorded-photographs.js';
import type { Answer } from './support/service-client.js';

const outcome = ({ status, body }: Answer) => (status === 200 ? 200 : [status, body?.code]);
const faults = ({ body }: Answer) => (body.errors as { path: string }[]).map(({ path }) => path);

/** Corrections of observations, readings, keys and alarms until a report has claimed them (contract section 5). */
describe('a correction of a fact', () => {
  const room = new RenderFixture();
  const { client, session, capture, render } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const picture = async () => ({ data: (await smallJpeg()).toString('base64') });
  const fact = async (sessionId: string, said: object): Promise<string> =>
    (await capture({ sessionId, area: 'Kitchen', ...said })).recordedFacts[0].id as string;
  const correct = (id: string, body: unknown) =>
    client.admin('POST', `inspection/facts/${id}/corrections`, body);
  const shown = async (id: string) => (await client.admin('GET', `inspection/facts/${id}`)).body;
  const inspection = async (sessionId: string) =>
    (await client.admin('GET', `inspection/sessions/${sessionId}`)).body;
  it('replaces its members, removes optional ones, and leaves the rest', async () => {
    const sessionId = session();
    const observations = [{ item: 'Hob', condition: 'good', description: 'Clean', photographs: [0] }];
    const id = await fact(sessionId, { observations, photographs: [await picture()] });
    const before = await shown(id);
    expect(before).toMatchObject({
      ...{ id, flowId: room.flowId, sessionId, kind: 'observation', area: 'Kitchen', pending: true },
      ...{ fact: { item: 'Hob', condition: 'good', description: 'Clean' }, corrections: [] },
    });
    const correction = { condition: ' Poor', description: '', cleanliness: 'dirty', reason: 'Looked again' };
    const { status, body } = await correct(id, correction);
    expect(status).toBe(200);
    const change = { condition: 'poor', cleanliness: 'dirty', description: null };
    expect(body).toEqual({
      ...before,
      fact: { item: 'Hob', condition: 'poor', cleanliness: 'dirty' },
      corrections: [{ at: expect.stringMatching(/Z$/), by: 'admin', change, reason: 'Looked again' }],
    });
    expect(await shown(id)).toEqual(body);
    const [listed] = (await inspection(sessionId)).facts;
    expect(listed).toMatchObject({ id, fact: body.fact, corrections: body.corrections, withdrawnAt: null });
  });

  it.each([
    [
      { reading: { value: '00123', unit: 'm³' } },
      { value: '00124', serial: 7 },
      { value: '00124', unit: 'm³', serial: 7 },
    ],
    [
      { keys: [{ kind: 'Fob', count: 1 }] },
      { kind: 'Front door', count: '2' },
      { kind: 'Front door', count: 2 },
    ],
    [
      { alarm: { kind: 'Smoke', place: 'Hall', tested: false } },
      { tested: 'true', expires: 2031, place: ' ' },
      { kind: 'Smoke', tested: true, expires: 2031 },
    ],
  ])('of %j accepts %j', async (said, change, words) => {
    const id = await fact(session(), said);
    expect((await correct(id, change)).body.fact).toEqual(words);
  });

  it.each([
    ['an unknown condition', { condition: 'broken' }, ['condition']],
    ['an empty item', { item: ' ' }, ['item']],
    ['an item of 501 characters', { item: 'x'.repeat(501) }, ['item']],
    ['a member of readings', { value: 3 }, ['value']],
    ['an object for a text', { description: { text: 'x' } }, ['description']],
    ['an unknown photograph', { photographs: [randomUUID()] }, ['photographs[0]']],
    ['a word for photographs', { photographs: 'all' }, ['photographs']],
    ['51 photographs', { photographs: Array.from({ length: 51 }, () => 'x') }, ['photographs']],
    ['wrong members of any record', { area: ' ', withdrawn: 'yes' }, ['area', 'withdrawn']],
  ])('is refused with %s, and changes nothing', async (_what, change, paths) => {
    const id = await fact(session(), { observations: [{ item: 'Hob', condition: 'good' }] });
    const answer = await correct(id, { cleanliness: 'dirty', ...change });
    expect([answer.status, faults(answer)]).toEqual([400, paths]);
    const { fact: words, corrections } = await shown(id);
    expect([words, corrections]).toEqual([{ item: 'Hob', condition: 'good' }, []]);
  });

  it('is refused if it is empty', async () => {
    const id = await fact(session(), { observations: [{ item: 'Hob' }] });
    for (const body of [{}, { reason: 'why', condition: null }, { unknown: 1 }])
      expect(outcome(await correct(id, body))).toEqual([400, 'invalid_request']);
  });

  it('follows its photographs to another area once the last of them is moved, and back by undo', async () => {
    const sessionId = session();
    const reading = { value: '04731', photographs: [0, 1] };
    const [one, other] = [await picture(), await picture()];
    const { recorded, recordedFacts } = await capture({
      ...{ sessionId, area: 'Gas Meter', reading, photographs: [one, other] },
      observations: [{ item: 'Cupboard', photographs: [0] }],
    });
    const move = (index: number, body: object) =>
      client.admin('POST', `inspection/photographs/${recorded[index].id}/corrections`, body);
    const areas = async () =>
      Object.fromEntries(
        (await inspection(sessionId)).facts.map(({ kind, area }: Record<string, string>) => [kind, area]),
      );
    const stays = { observation: 'Gas Meter', reading: 'Gas Meter' };
    expect(recordedFacts).toHaveLength(2);
    await move(0, { turn: 90 });
    await move(0, { area: 'Electricity Meter' });
    expect(await areas()).toEqual(stays);
    await move(1, { area: 'electric meter' });
    expect(await areas()).toEqual({ ...stays, reading: 'Electricity Meter' });
    await client.admin('POST', `inspection/sessions/${sessionId}/undo?flowId=${room.flowId}`, {});
    expect(await areas()).toEqual(stays);
  });

  it('names photographs of its own inspection, and of no other', async () => {
    const sessionId = session();
    const id = await fact(sessionId, { observations: [{ item: 'Door' }], photographs: [await picture()] });
    const own = (await inspection(sessionId)).photographs[0].id as string;
    const [foreign] = (await capture({ sessionId: session(), photographs: [await picture()] })).recorded;
    const refused = await correct(id, { photographs: [own, foreign.id] });
    expect([refused.status, faults(refused)]).toEqual([400, ['photographs[1]']]);
    expect((await correct(id, { photographs: [own, own] })).body.photographs).toEqual([own]);
    const taken = await correct(id, { photographs: [] });
    expect(taken.body).toMatchObject({ photographs: [], corrections: [{}, { change: { photographs: [] } }] });
  });

  it('moves it to another service area, and withdraws it from every count', async () => {
    const sessionId = session();
    const id = await fact(sessionId, { area: 'Kitchen', reading: { value: 1 } });
    expect((await correct(id, { area: 'Gas meter' })).body).toMatchObject({
      area: 'Gas meter',
      areaType: 'service',
    });
    expect((await inspection(sessionId)).outstandingAreas).not.toContain('gas-meter');
    const { body } = await correct(id, { withdrawn: true });
    expect(body).toMatchObject({ withdrawnAt: expect.stringMatching(/Z$/), pending: false });
    expect(await inspection(sessionId)).toMatchObject({
      areas: [],
      outstandingAreas: expect.arrayContaining(['gas-meter']),
      facts: [{ id, withdrawnAt: body.withdrawnAt, pending: false }],
    });
    expect((await correct(id, { withdrawn: false })).body).toMatchObject({ pending: true });
    expect((await inspection(sessionId)).outstandingAreas).not.toContain('gas-meter');
  });

  it('follows the name of its area, and is undone step by step', async () => {
    const nodes = [
      { id: 'start', kind: 'start' },
      { id: 'undo', kind: 'correct', config: { undo: true } },
    ];
    const flowId = await client.flow({ name: 'Undo', nodes, edges: [{ from: 'start', to: 'undo' }] });
    const sessionId = session();
    const observations = [{ item: 'Hob', condition: 'good' }];
    const id = await fact(sessionId, { flowId, observations });
    const [photographed] = (
      await capture({ flowId, sessionId, area: 'Kitchen', photographs: [await picture()] })
    ).recorded;
    await correct(id, { condition: 'fair', cleanliness: 'dusty', photographs: [photographed.id] });
    const path = `inspection/sessions/${sessionId}/areas/rename`;
    const renamed = await client.admin('POST', path, { from: 'Kitchen', to: 'Pantry' });
    expect(renamed.body).toMatchObject({ area: 'Pantry', corrected: 2, facts: [{ id, area: 'Pantry' }] });
    for (const corrected of [2, 1]) {
      const { body } = await client.predict(flowId, { question: 'x', chatId: sessionId });
      expect(JSON.parse(body.text as string)).toMatchObject({
        corrected,
        undone: expect.arrayContaining([expect.objectContaining({ id, corrected: true })]),
      });
    }
    expect(await shown(id)).toMatchObject({
      ...{ area: 'Kitchen', fact: { item: 'Hob', condition: 'good' }, photographs: [] },
      corrections: [
        { change: { condition: 'fair' } },
        { change: { area: 'Pantry' } },
        { by: 'chat', change: { undo: true, area: 'Kitchen' } },
        { change: { undo: true, condition: 'good', cleanliness: null, photographs: [] } },
      ],
    });
  });

  it('leaves no trace if it changes nothing, and finds no photograph or remark', async () => {
    const sessionId = session();
    const id = await fact(sessionId, { observations: [{ item: 'Hob', condition: 'good' }] });
    for (const body of [
      { condition: 'Good' },
      { area: 'Kitchen' },
      { withdrawn: false },
      { cleanliness: '' },
    ])
      expect((await correct(id, body)).status).toBe(200);
    expect((await shown(id)).corrections).toEqual([]);
    const { recorded, remark } = await capture({ sessionId, photographs: [await picture()], remark: 'x' });
    for (const other of [recorded[0].id, remark.id, randomUUID(), 'x'])
      expect(outcome(await correct(other as string, { area: 'Hall' }))).toEqual([404, 'not_found']);
  });

  it('is made by authorised callers, and by nobody else', async () => {
    const sessionId = randomUUID();
    const own = await fact(sessionId, { observations: [{ item: 'Hob' }] });
    const path = (id: string) => `/api/v1/inspection/facts/${id}/corrections`;
    const send = (id: string, headers: Record<string, string>) =>
      client.send('POST', path(id), { item: 'Oven' }, headers);
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    expect(outcome(await send(own, bearer(sessionId)))).toBe(200);
    expect((await shown(own)).corrections).toMatchObject([{ by: 'chat' }]);
    for (const headers of [{}, bearer(randomUUID()), room.keyed.headers])
      expect(outcome(await send(own, headers))).toEqual([401, 'invalid_api_key']);
    const keyed = { ...room.keyed.headers };
    const body = { flowId: room.keyed.flowId, sessionId: session(), observations: [{ item: 'Hob' }] };
    const { recordedFacts } = (await client.send('POST', '/api/v1/inspection/capture', body, keyed)).body;
    expect(outcome(await send(recordedFacts[0].id as string, bearer(body.sessionId)))).toEqual([
      401,
      'invalid_api_key',
    ]);
    expect((await send(recordedFacts[0].id as string, keyed)).body.corrections).toMatchObject([
      { by: 'office' },
    ]);
  });

  it('stands in the list of evidence, a withdrawn one separately and on no page, and ends with the claim', async () => {
    const sessionId = session();
    const factId = await fact(sessionId, {
      observations: [{ item: 'Hob', condition: 'good' }],
      photographs: [await picture()],
    });
    const gone = await fact(sessionId, { observations: [{ item: 'Zinc bucket' }] });
    await correct(factId, { condition: 'poor' });
    await correct(gone, { withdrawn: true, reason: 'Not theirs' });
    const { file } = (await render({ sessionId })).body;
    const { manifest } = (await client.admin('GET', `pdf/reports/${file.id}/manifest`)).body.signed;
    expect(manifest.facts).toEqual([
      expect.objectContaining({
        ...{ id: factId, fact: { item: 'Hob', condition: 'poor' } },
        corrections: [expect.objectContaining({ by: 'admin', change: { condition: 'poor' } })],
      }),
    ]);
    expect(manifest.withdrawnFacts).toEqual([
      expect.objectContaining({
        ...{ id: gone, fact: { item: 'Zinc bucket' }, withdrawnAt: expect.stringMatching(/Z$/) },
        corrections: [expect.objectContaining({ reason: 'Not theirs' })],
      }),
    ]);
    const pdf = await fetch(new URL(file.url as string, room.app.url));
    const { text } = withFile(new Uint8Array(await pdf.arrayBuffer()), readPdf);
    expect(text).not.toContain('Zinc bucket');
    for (const id of [factId, gone])
      expect(outcome(await correct(id, { area: 'Hall' }))).toEqual([409, 'already_claimed']);
    expect((await client.admin('POST', `pdf/reports/${file.id}/redraw`)).body.identical).toBe(true);
  });
});
