import { randomUUID } from 'node:crypto';
import { RenderFixture } from './fixtures/renders.js';
import { smallJpeg } from './support/recorded-photographs.js';
import type { Answer } from './support/service-client.js';

const ALL = ['electricity-meter', 'gas-meter', 'water-meter', 'keys', 'detectors'];

describe('observations, readings, keys and alarms', () => {
  const room = new RenderFixture();
  const { client } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const session = () => `facts-${randomUUID()}`;
  const capture = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
    client.send('POST', '/api/v1/inspection/capture', { flowId: room.flowId, ...body }, headers);
  const picture = async () => ({ data: (await smallJpeg()).toString('base64') });
  const sessionOf = async (sessionId: string) =>
    (await client.admin('GET', `inspection/sessions/${sessionId}`)).body;
  const warningsOf = ({ body }: Answer) =>
    body.warnings.map(({ code, path }: { code: string; path: string }) => [code, path]);

  it.each([
    [
      { observations: [{ item: 'Worktop', condition: 'good' }] },
      'observation',
      { item: 'Worktop', condition: 'good' },
    ],
    [{ reading: { value: '00123', unit: 'm³' } }, 'reading', { value: '00123', unit: 'm³' }],
    [{ keys: [{ kind: 'Front door', count: 2 }] }, 'keys', { kind: 'Front door', count: 2 }],
    [{ alarm: { kind: 'Smoke', tested: true } }, 'alarm', { kind: 'Smoke', tested: true }],
  ])('suffice alone: %j', async (said, kind, fact) => {
    const sessionId = session();
    const { status, body } = await capture({ sessionId, ...said });
    expect(status).toBe(200);
    expect(body.recordedFacts).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{14}7/),
        kind,
        area: 'General',
        areaType: 'room',
        fact,
        photographs: [],
      },
    ]);
    expect(body).toMatchObject({ area: 'General', recorded: [], session: { pending: 0, currentArea: null } });
    expect(body.session.areas).toEqual([
      { area: 'General', areaType: 'room', photographs: 0, remarks: 0, facts: 1, pending: 0 },
    ]);
  });

  it('stand in the session by their area, with any characters', async () => {
    const sessionId = session();
    const item = 'Hob \u0007\u202e<b>\u0000';
    await capture({ sessionId, area: 'Kitchen', observations: [{ item }], photographs: [await picture()] });
    const [fact] = (await capture({ sessionId, observations: [{ item: 'Tap' }], remark: 'Drips' })).body
      .recordedFacts;
    expect(fact).toMatchObject({ area: 'Kitchen' });
    const { facts, areas } = await sessionOf(sessionId);
    expect(areas).toMatchObject([{ area: 'Kitchen', photographs: 1, remarks: 1, facts: 2 }]);
    expect(facts).toMatchObject([
      { area: 'Kitchen', fact: { item: 'Hob \u0007\u202e<b>\ufffd' }, pending: true, reportId: null },
      { id: fact.id, recordedAt: expect.stringMatching(/Z$/) },
    ]);
  });

  it('remove their service area from the outstanding ones; observations do not', async () => {
    const sessionId = session();
    const outstanding = async (body: object) =>
      (await capture({ sessionId, ...body })).body.session.outstandingAreas;
    expect(await outstanding({ area: 'Gas meter', observations: [{ item: 'Box' }] })).toEqual(ALL);
    expect(await outstanding({ reading: { value: 7 } })).toEqual(ALL.filter((area) => area !== 'gas-meter'));
    expect(await outstanding({ area: 'Smoke alarm hall', alarm: { kind: 'Heat' } })).toEqual(
      ALL.slice(0, 1).concat(ALL.slice(2, 4)),
    );
    expect(await outstanding({ area: 'keys', keys: [{ kind: 'Fob', count: 1 }] })).toEqual([
      'electricity-meter',
      'water-meter',
    ]);
    const elsewhere = await capture({ sessionId, area: 'Hall', reading: { value: 1 } });
    expect(warningsOf(elsewhere)).toEqual([['no_service_area', 'reading']]);
    expect(elsewhere.body.recordedFacts).toHaveLength(1);
  });

  it('name photographs of the call by index and of the session by id, and no others', async () => {
    const sessionId = session();
    const elsewhere = await capture({ sessionId: session(), photographs: [await picture()] });
    const before = await capture({ sessionId, area: 'Hall', photographs: [await picture()] });
    const [foreign, earlier] = [elsewhere.body.recorded[0].id, before.body.recorded[0].id];
    const answer = await capture({
      sessionId,
      photographs: [{ data: 'AAAA' }, await picture()],
      observations: [{ item: 'Door', photographs: [1, earlier, 1, 0, 2, foreign, 'x'] }],
      reading: { value: 1 },
    });
    const now = answer.body.recorded[0].id;
    const [door, reading] = answer.body.recordedFacts;
    expect(door.photographs).toEqual([now, earlier]);
    expect(reading.photographs).toEqual([now]);
    expect(answer.body.warnings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'wrong_type', path: 'observations[0].photographs[6]' }),
        expect.objectContaining({
          code: 'unknown_photograph',
          path: 'observations[0].photographs[3]',
          count: 3,
        }),
      ]),
    );
  });

  it('cause warnings instead of errors if they are wrong', async () => {
    const sessionId = session();
    const wrong = await capture({
      sessionId,
      observations: 'Worktop',
      reading: { value: [] },
      keys: {},
      alarm: 3,
    });
    expect([wrong.status, wrong.body.recordedFacts]).toEqual([200, []]);
    expect(warningsOf(wrong)).toHaveLength(5);
    const infinite = await client.send(
      'POST',
      '/api/v1/inspection/capture',
      `{"flowId":"${room.flowId}","sessionId":"${sessionId}","reading":{"value":1e999}}`,
    );
    expect([infinite.status, infinite.body.recordedFacts]).toEqual([200, []]);
    const kept = await capture({
      sessionId,
      photographs: [{ data: 'AAAA' }],
      observations: [{ item: 'Rug' }],
    });
    expect([kept.status, kept.body.recordedFacts.length]).toEqual([200, 1]);
    const lost = await capture({ sessionId, photographs: [{ data: 'AAAA' }], observations: [{}] });
    expect([lost.status, lost.body.code]).toEqual([422, 'no_usable_photograph']);
    expect((await capture({ sessionId })).body.code).toBe('invalid_request');
  });

  it('come as JSON in a form', async () => {
    const form = new FormData();
    const fields = {
      ...{ flowId: room.flowId, sessionId: session(), area: 'Hall' },
      observations: JSON.stringify([{ item: 'Rug', cleanliness: 'dirty', photographs: [0] }]),
      reading: '{"value":12.5}',
    };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.append(
      'photographs',
      new Blob([new Uint8Array(await smallJpeg())], { type: 'image/jpeg' }),
      'a.jpg',
    );
    const { body } = await client.send('POST', '/api/v1/inspection/capture', form);
    expect(body.recordedFacts).toMatchObject([
      { fact: { item: 'Rug', cleanliness: 'dirty' }, photographs: [body.recorded[0].id] },
      { fact: { value: 12.5 } },
    ]);
  });

  it('are recorded once under an Idempotency-Key, and under a message id', async () => {
    const sessionId = session();
    const body = { sessionId, area: 'Hall', observations: [{ item: 'Rug' }, { item: 'Rug' }] };
    const key = { 'idempotency-key': randomUUID() };
    const first = await capture(body, key);
    const replay = await capture(body, key);
    expect(replay.headers.get('idempotent-replay')).toBe('true');
    expect(replay.body.recordedFacts).toEqual(first.body.recordedFacts);
    expect((await capture({ ...body, observations: [{ item: 'Mat' }] }, key)).body.code).toBe(
      'idempotency_key_reused',
    );
    expect((await sessionOf(sessionId)).facts).toHaveLength(2);

    const message = { ...body, messageId: 'wamid.1', keys: [{ kind: 'Fob' }] };
    const answers = await Promise.all(Array.from({ length: 12 }, () => capture(message)));
    const ids = answers.map((answer) => answer.body.recordedFacts.map(({ id }: { id: string }) => id).join());
    expect(new Set(ids).size).toBe(1);
    const firsts = answers.filter(
      (answer) => !answer.body.recordedFacts.some((fact: object) => 'duplicate' in fact),
    );
    expect(firsts).toHaveLength(1);
    expect((await sessionOf(sessionId)).facts).toHaveLength(5);
    await capture({ sessionId, area: 'Bath' });
    expect((await capture(message)).body.session.currentArea).toBe('Bath');
    expect((await capture({ ...message, messageId: 'wamid.2' })).body.recordedFacts[0]).not.toHaveProperty(
      'duplicate',
    );
  });

  it('are accepted in any number and size without harm', async () => {
    const sessionId = session();
    const observations = Array.from({ length: 10_000 }, (_, index) => ({ item: `Item ${index}` }));
    const many = await capture({ sessionId, observations });
    expect(many.body.recordedFacts).toHaveLength(500);
    expect(many.body.warnings).toMatchObject([{ code: 'too_many_facts', count: 9500 }]);
    const large = await capture({ sessionId: session(), observations: [{ item: 'x'.repeat(1_000_000) }] });
    expect(large.body.recordedFacts[0].fact.item).toHaveLength(500);
    const deep = `{"flowId":"${room.flowId}","sessionId":"s","observations":[{"item":${'['.repeat(70)}${']'.repeat(70)}}]}`;
    expect((await client.send('POST', '/api/v1/inspection/capture', deep)).body.code).toBe('json_too_deep');
    const names = JSON.parse('{"__proto__":{"item":"x"},"item":"y","constructor":1}') as object;
    const odd = await capture({ sessionId: '__proto__', area: 'constructor', observations: [names] });
    expect(odd.body.recordedFacts).toMatchObject([{ area: 'constructor', fact: { item: 'y' } }]);
  });

  it('are recorded by the node capture, as far as the chat has stated them', async () => {
    const node = {
      area: 'Gas meter',
      reading: { value: '{{$vars.value}}', serial: '{{$vars.serial}}' },
      observations: '{{$vars.seen}}',
      keys: [{ kind: 'Box key', count: '{{$vars.count}}' }],
      alarm: { kind: '{{$vars.alarm}}' },
    };
    const flow = await client.flow({
      name: 'Assistant',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'capture', kind: 'capture', config: node },
        {
          ...{ id: 'reply', kind: 'reply' },
          config: {
            message: '{{capture.output.recordedFacts.length}} {{capture.output.session.outstandingAreas}}',
          },
        },
      ],
      edges: [
        { from: 'start', to: 'capture' },
        { from: 'capture', to: 'reply' },
      ],
    });
    const chatId = session();
    const vars = { value: '0042', count: 2, seen: JSON.stringify([{ item: 'Cupboard', condition: 'fair' }]) };
    const { body } = await client.predict(flow, { question: 'x', chatId, overrideConfig: { vars } });
    expect(body.text).toMatch(/^3 /);
    expect(body.text).not.toContain('gas-meter');
    expect((await sessionOf(chatId)).facts.map(({ fact }: { fact: object }) => fact)).toEqual([
      { item: 'Cupboard', condition: 'fair' },
      { value: '0042' },
      { kind: 'Box key', count: 2 },
    ]);
  });
});
