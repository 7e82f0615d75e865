import { randomUUID } from 'node:crypto';
import { RenderFixture } from './fixtures/renders.js';
import { smallJpeg } from './support/recorded-photographs.js';

/** The lookup of photographs by the message ids with which they were sent (contract section 5). */
describe('the photographs of messages', () => {
  const room = new RenderFixture();
  const { client } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const capture = async (sessionId: string, area: string, messageIds: readonly string[]) => {
    const photographs = await Promise.all(
      messageIds.map(async (messageId) => ({ data: (await smallJpeg()).toString('base64'), messageId })),
    );
    const body = { flowId: room.flowId, sessionId, area, photographs };
    const answer = await client.send('POST', '/api/v1/inspection/capture', body);
    expect(answer.status).toBe(200);
    return (answer.body.recorded as { id: string }[]).map(({ id }) => id);
  };
  const ask = (sessionId: string, messageIds: readonly string[], headers: Record<string, string> = {}) => {
    const query = new URLSearchParams([
      ['flowId', room.flowId],
      ...messageIds.map((id): [string, string] => ['messageId', id]),
    ]);
    return client.send(
      'GET',
      `/api/v1/inspection/sessions/${sessionId}/photographs?${query.toString()}`,
      undefined,
      headers,
    );
  };
  const correct = (sessionId: string, id: string, change: object) =>
    client.send('POST', `/api/v1/inspection/photographs/${id}/corrections?sessionId=${sessionId}`, change);

  it('stand as currently corrected, in the requested order', async () => {
    const sessionId = randomUUID();
    const [kitchen, sink] = await capture(sessionId, 'Kitchen', ['a', 'b']);
    await capture(sessionId, 'Hallway', ['c']);
    expect((await correct(sessionId, kitchen!, { area: 'Lounge', turn: 90 })).status).toBe(200);
    expect((await correct(sessionId, sink!, { withdrawn: true })).status).toBe(200);
    const { status, body, headers } = await ask(sessionId, ['b', 'unknown', 'a']);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ flowId: room.flowId, sessionId, currentArea: 'Hallway', pending: 2 });
    expect(body.areas.map(({ area }: { area: string }) => area)).toEqual(['Lounge', 'Hallway']);
    expect(body.photographs).toEqual([
      {
        ...{ messageId: 'b', id: sink, area: 'Kitchen', areaType: 'room', turn: 0, report: null },
        withdrawnAt: expect.stringMatching(/Z$/),
      },
      {
        ...{ messageId: 'a', id: kitchen, area: 'Lounge', areaType: 'room', turn: 90, report: null },
        withdrawnAt: null,
      },
    ]);
  });

  it('name the report that claimed them', async () => {
    const sessionId = randomUUID();
    await capture(sessionId, 'Kitchen', ['a']);
    expect((await room.render({ sessionId, flowId: room.flowId })).status).toBe(200);
    const { body } = await ask(sessionId, ['a']);
    const shown = await client.admin('GET', `inspection/sessions/${sessionId}`);
    expect(body.photographs[0].report).toEqual({
      id: shown.body.photographs[0].reportId,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('are empty if nothing was recorded, and exclude other sessions', async () => {
    const sessionId = randomUUID();
    await capture(sessionId, 'Kitchen', ['a']);
    expect((await ask(randomUUID(), ['a'])).body).toMatchObject({ photographs: [], areas: [], pending: 0 });
  });

  it('are for callers who may correct them', async () => {
    const guessable = room.session();
    await capture(guessable, 'Kitchen', ['a']);
    expect((await ask(guessable, ['a'])).status).toBe(401);
    expect((await ask(guessable, ['a'], room.adminHeaders())).body.photographs).toHaveLength(1);
  });

  it('are requested by at least one id, and by a limited number', async () => {
    const sessionId = randomUUID();
    const many = Array.from({ length: 100 }, (_, index) => `photograph ${index}`);
    const [last] = await capture(sessionId, 'Kitchen', [many.at(-1)!]);
    expect((await ask(sessionId, many)).body.photographs).toMatchObject([{ id: last }]);
    for (const ids of [[], [...many, 'one more'], ['x'.repeat(1_001)]])
      expect((await ask(sessionId, ids)).body).toMatchObject({
        code: 'invalid_request',
        errors: [{ path: 'messageId' }],
      });
  });
});
