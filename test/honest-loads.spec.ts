import { randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from './support/app.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

const CLERKS = 30;
const ASSISTANT = 'inspection-assistant';

/** Contract section 1, Budgets: no default refuses a real inspection. All calls come from one address. */
describe('the load of a real inspection', () => {
  let app: TestApp;
  let flowId: string;
  const client = new ServiceClient(() => app);

  beforeAll(async () => {
    app = await startTestApp({ env: { SAMPLES: 'on', INITIAL_CREDIT: '1000000' } });
    const nodes = [{ id: 'start', kind: 'start', config: {} }];
    flowId = await client.flow({ name: 'Inspection', nodes, edges: [] });
  });
  afterAll(() => app.close());

  const pictures = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await smallJpeg(64, 48)).toString('base64')));
  const capture = (sessionId: string, area: string, photographs: string[]) =>
    client.send('POST', '/api/v1/inspection/capture', {
      ...{ flowId, sessionId, area, remark: `The ${area} is clean.` },
      photographs: photographs.map((data) => ({ data, caption: 'From the door' })),
    });
  const render = (sessionId: string, more: object = {}) =>
    client.send('POST', '/api/v1/pdf/render', {
      templateId: 'inspection',
      source: { type: 'inspection', flowId, sessionId, meta: { address: '1 High Street' } },
      ...more,
    });
  const say = (chatId: string, data: string, index: number) =>
    client.send('POST', `/api/v1/prediction/${ASSISTANT}`, {
      question: 'Kitchen',
      chatId,
      uploads: [
        { type: 'file', name: `${index}.jpg`, mime: 'image/jpeg', data: `data:image/jpeg;base64,${data}` },
      ],
    });
  const refusals = (answers: { status: number; body: { code?: string } }[]) =>
    answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.code]);

  it('of 1,000 photographs in a session is recorded and printed', async () => {
    const sessionId = randomUUID();
    const answers = [];
    for (let room = 0; room < 20; room++)
      answers.push(await capture(sessionId, `Bedroom ${room + 1}`, await pictures(50)));
    expect(refusals(answers)).toEqual([]);
    expect(answers.flatMap(({ body }) => body.recorded)).toHaveLength(1_000);
    const { status, body } = await render(sessionId);
    expect([status, body.warnings ?? []]).toEqual([200, []]);
  }, 600_000);

  it('of 200 captures at once, one photograph each, is recorded', async () => {
    const sessionId = randomUUID();
    const burst = await pictures(200);
    const answers = await Promise.all(burst.map((data) => capture(sessionId, 'Kitchen', [data])));
    expect(refusals(answers)).toEqual([]);
    expect(answers.flatMap(({ body }) => body.recorded)).toHaveLength(200);
  }, 600_000);

  it('of a hundred messages at once into one chat, a photograph each, is answered', async () => {
    const chatId = randomUUID();
    const burst = await pictures(100);
    for (const words of ['1 Test Street, Leeds LS1 4AP', 'check-in', 'skip'])
      expect((await client.predict(ASSISTANT, { question: words, chatId })).status).toBe(200);
    expect(refusals(await Promise.all(burst.map((data, index) => say(chatId, data, index))))).toEqual([]);
    const session = await client.admin('GET', `inspection/sessions/${chatId}?flowId=${ASSISTANT}`);
    expect(session.body.photographs).toHaveLength(100);
  }, 600_000);

  it('of thirty clerks behind one address, with a preview and a report each, is served', async () => {
    // The sixty renders fill their minute: the one above must lie before it.
    app.clock.advance(60_000);
    const sessions = Array.from({ length: CLERKS }, () => randomUUID());
    const answers = await Promise.all(
      sessions.map(async (sessionId) => [
        await capture(sessionId, 'Kitchen', await pictures(10)),
        await capture(sessionId, 'Hallway', await pictures(10)),
        await render(sessionId, { preview: true }),
        await render(sessionId),
      ]),
    );
    expect(refusals(answers.flat())).toEqual([]);
  }, 600_000);
});
