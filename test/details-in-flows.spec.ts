import { randomUUID } from 'node:crypto';
import { openFlow } from './fixtures/renders.js';
import { startTestApp, type TestApp } from './support/app.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const address = '14 Acacia Avenue';

/** Writes to the record of an inspection by those who inspect. */
describe('details of an inspection', () => {
  let app: TestApp;
  let flowId: string;
  const client = new ServiceClient(() => app);

  beforeAll(async () => {
    app = await startTestApp();
    flowId = await client.flow(openFlow);
  });
  afterAll(() => app.close());

  const capture = (body: object, headers = {}): Promise<Answer> =>
    client.send('POST', '/api/v1/inspection/capture', { flowId, ...body }, headers);
  const stored = async (sessionId: string, flow = flowId) =>
    (await client.admin('GET', `inspection/sessions/${sessionId}/details?flowId=${flow}`)).body.details;

  describe('in a capture', () => {
    it('suffice alone, and neither close nor open an area', async () => {
      const sessionId = randomUUID();
      await capture({ sessionId, area: 'Kitchen' });
      const { status, body } = await capture({ sessionId, details: { address, guided: 'no' } });
      expect(status).toBe(200);
      expect(body).toMatchObject({ recorded: [], session: { currentArea: 'Kitchen' } });
      expect(body.warnings).toMatchObject([{ code: 'wrong_type', path: 'details.guided' }]);
      expect(await stored(sessionId)).toEqual({ address });
      await capture({ sessionId, details: { address: null, tenant: 'Jo' } });
      expect(await stored(sessionId)).toEqual({ tenant: 'Jo' });
    });

    it('come in a form, too', async () => {
      const sessionId = randomUUID();
      const form = new FormData();
      form.set('flowId', flowId);
      form.set('sessionId', sessionId);
      form.set('details', JSON.stringify({ address }));
      expect((await client.send('POST', '/api/v1/inspection/capture', form)).status).toBe(200);
      expect(await stored(sessionId)).toEqual({ address });
    });

    it.each(['14 Acacia Avenue', 7, [{ address }]])(
      'are dropped unless they are an object: %j',
      async (details) => {
        const sessionId = randomUUID();
        expect((await capture({ sessionId, details })).status).toBe(400);
        const { status, body } = await capture({ sessionId, area: 'Hall', details });
        expect([status, body.warnings]).toMatchObject([200, [{ code: 'wrong_type', path: 'details' }]]);
      },
    );

    it('cost no photograph: those over the limit are a warning, too many at once 413', async () => {
      const sessionId = randomUUID();
      const photographs = [{ data: (await smallJpeg()).toString('base64') }];
      const details = { address: 'x'.repeat(40_000) };
      await capture({ sessionId, details });
      const { body } = await capture({ sessionId, photographs, details: { company: 'y'.repeat(40_000) } });
      expect(body.recorded).toHaveLength(1);
      expect(body.warnings).toMatchObject([{ code: 'details_too_large', path: 'details' }]);
      expect(await stored(sessionId)).toEqual(details);
      const refused = await capture({ sessionId, photographs, details: { company: 'y'.repeat(70_000) } });
      expect([refused.status, refused.body.code]).toEqual([413, 'body_too_large']);
    });

    it('of a message that is delivered twice count once', async () => {
      const sessionId = randomUUID();
      const message = { sessionId, messageId: 'm1', remark: 'Worn', details: { address } };
      await capture(message);
      await capture({ sessionId, details: { address: 'Corrected' } });
      await capture(message);
      expect(await stored(sessionId)).toEqual({ address: 'Corrected' });
    });

    it('are part of the request that an idempotency key stands for', async () => {
      const sessionId = randomUUID();
      const key = { 'idempotency-key': randomUUID() };
      await capture({ sessionId, details: { address } }, key);
      const other = await capture({ sessionId, details: { address: 'Elsewhere' } }, key);
      expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    });
  });

  const flowOf = (node: object) =>
    client.flow({
      name: 'Knows',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'know', ...node },
        { id: 'reply', kind: 'reply', config: { message: '{{know.output.details.address}}' } },
      ],
      edges: [
        { from: 'start', to: 'know' },
        { from: 'know', to: 'reply' },
      ],
    });
  const say = (flow: string, chatId: string, vars: object, question = 'Hello') =>
    client.predict(flow, { question, chatId, overrideConfig: { vars } });

  describe('in the node set-details', () => {
    it('are templates; blank or missing values change nothing', async () => {
      const flow = await flowOf({
        kind: 'set-details',
        config: {
          details: {
            address: '{{$vars.address}}',
            tenant: '{{$vars.tenant}}',
            guided: '{{$vars.guided}}',
            geo: { latitude: '{{$vars.latitude}}', longitude: '-1.5' },
            keyDetails: '{"numberOfKeys": 2, "takenFrom": ""}',
            reportType: 'checkin',
          },
        },
      });
      const chatId = randomUUID();
      const answer = await say(flow, chatId, { address, tenant: 'Jo', guided: 'True', latitude: '53.8' });
      expect(answer.body.text).toBe(address);
      const all = {
        address,
        tenant: 'Jo',
        guided: true,
        geo: { latitude: 53.8, longitude: -1.5 },
        keyDetails: { numberOfKeys: 2 },
        reportType: 'checkin',
      };
      expect(await stored(chatId, flow)).toEqual(all);
      const later = await say(flow, chatId, { address: ' ' });
      expect(later.body.warnings).toMatchObject([{ code: 'wrong_type', path: 'details.geo' }]);
      expect(await stored(chatId, flow)).toEqual(all);
    });

    it('are one template of all members, for a session chosen by the flow', async () => {
      const sessionId = randomUUID();
      const flow = await flowOf({ kind: 'set-details', config: { details: '{{question}}', sessionId } });
      await say(flow, randomUUID(), {}, JSON.stringify({ address, tenant: '{{$vars.secret}}' }));
      expect(await stored(sessionId, flow)).toEqual({ address });
      await say(flow, randomUUID(), {}, '{"address": null, "company": "Lets {{$vars.x}}"}');
      expect(await stored(sessionId, flow)).toEqual({ company: 'Lets {{$vars.x}}' });
    });

    it.each([{}, { details: { adress: 'x' } }, { details: 7 }])(
      'are checked when they are saved: %j',
      async (config) => {
        const made = await client.admin('POST', 'flows', {
          name: 'Wrong',
          nodes: [
            { id: 'start', kind: 'start' },
            { id: 'know', kind: 'set-details', config },
          ],
          edges: [{ from: 'start', to: 'know' }],
        });
        expect([made.status, made.body.code]).toEqual([400, 'invalid_flow']);
        expect(made.body.errors[0].path).toMatch(/^nodes\.1\.config\.details/);
      },
    );
  });

  it('are recorded by the node capture beside its photographs', async () => {
    const flow = await flowOf({
      kind: 'capture',
      config: { area: 'Hall', details: { address: '{{$vars.address}}' } },
    });
    const chatId = randomUUID();
    const data = `data:image/jpeg;base64,${(await smallJpeg()).toString('base64')}`;
    await client.predict(flow, {
      question: 'x',
      chatId,
      overrideConfig: { vars: { address } },
      uploads: [{ type: 'file', name: 'x.jpg', mime: 'image/jpeg', data }],
    });
    expect(await stored(chatId, flow)).toEqual({ address });
    const { body } = await client.admin('GET', `inspection/sessions/${chatId}?flowId=${flow}`);
    expect(body).toMatchObject({ pending: 1, currentArea: 'Hall' });
  });
});
