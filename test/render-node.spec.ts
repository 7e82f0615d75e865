import { startTestApp, type TestApp } from './support/app.js';
import { recordPhotograph } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

describe('the node render', () => {
  let app: TestApp;
  let client: ServiceClient;

  beforeAll(async () => {
    app = await startTestApp();
    client = new ServiceClient(() => app);
  });

  afterAll(() => app.close());

  const flowWith = (config: object) =>
    client.flow({
      name: 'Report',
      exposeTrace: true,
      nodes: [
        { id: 'start', kind: 'start', config: {} },
        { id: 'report', kind: 'render', config },
      ],
      edges: [{ from: 'start', to: 'report' }],
    });

  it("renders the chat's inspection within the run", async () => {
    const flowId = await flowWith({
      meta: { address: '{{question}}', guided: 'true', reportType: 'interim' },
    });
    await recordPhotograph(app, { flowId, sessionId: 'chat-1' });
    const other = await flowWith({});
    await recordPhotograph(app, { flowId: other, sessionId: 'chat-1' });
    const answer = await client.predict(flowId, { question: '1 High Street', chatId: 'chat-1' });
    expect(answer.status).toBe(200);
    const output = JSON.parse(answer.body.text as string);
    expect(output).toMatchObject({
      file: { photographs: 1 },
      claimed: 1,
      warnings: [],
      executionId: answer.body.executionId,
    });
    expect((await fetch(output.file.url)).status).toBe(200);
    const { body: records } = await client.admin('GET', 'executions?chatId=chat-1');
    expect(records.data).toMatchObject([{ kind: 'prediction' }]);
  });

  it('adds what is pending to the newest report of its own flow, and makes no edition without', async () => {
    const flowId = await flowWith({ edition: '{{question}}', meta: { tenant: 'Ann' } });
    const other = await flowWith({});
    const chatId = 'chat-3';
    const record = (of = flowId) => recordPhotograph(app, { flowId: of, sessionId: chatId });
    const said = async (question: string, of = flowId) =>
      JSON.parse((await client.predict(of, { question, chatId })).body.text as string);
    await record();
    const first = await said('Photographs were added.');
    expect(first).toMatchObject({ file: { photographs: 1 }, claimed: 1 });
    expect(first).not.toHaveProperty('edition');
    await record(other);
    const foreign = await said('done', other);
    await record();
    await record(other);
    const second = await said('Photographs were added.');
    expect(second).toMatchObject({
      edition: 2,
      replaces: first.file.id,
      claimed: 1,
      file: { photographs: 2 },
    });
    expect(await said('Again.')).toMatchObject({ file: null, reason: 'nothing_pending' });
    const { body: list } = await client.admin('GET', `pdf/reports?sessionId=${chatId}`);
    expect(list.data.find(({ id }: { id: string }) => id === second.file.id)).toMatchObject({
      reason: 'Photographs were added.',
    });
    expect(list.data.find(({ id }: { id: string }) => id === foreign.file.id)).not.toHaveProperty(
      'replacedBy',
    );
  });

  it('leaves comments of the record that an edition does not print', async () => {
    const mine = { areaComments: { Kitchen: ['Mine'] } };
    const flowId = await flowWith({ edition: '{{question}}', meta: mine });
    const chatId = 'chat-4';
    const details = `inspection/sessions/${chatId}/details?flowId=${flowId}`;
    const recorded = async () => (await client.admin('GET', details)).body.details.areaComments;
    const change = (areaComments: object) => client.admin('PATCH', details, { areaComments });
    const reported = async () => {
      await recordPhotograph(app, { flowId, sessionId: chatId });
      const { body } = await client.predict(flowId, { question: 'One was missing.', chatId });
      return JSON.parse(body.text as string).edition;
    };
    await change({ Kitchen: ['Worn worktop'] });
    expect([await reported(), await reported()]).toEqual([undefined, 2]);
    expect(await recorded()).toEqual({ Kitchen: ['Worn worktop'] });
    await change({ Kitchen: ['Burnt worktop'] });
    expect(await reported()).toBe(3);
    expect(await recorded()).toEqual({ Kitchen: ['Burnt worktop'] });
  });

  it('reports that nothing is pending without failing the run', async () => {
    const flowId = await flowWith({ sessionId: 'empty' });
    const answer = await client.predict(flowId, { question: 'done' });
    expect(JSON.parse(answer.body.text as string)).toMatchObject({ file: null, reason: 'nothing_pending' });
  });

  it('fails the run if areas are required and missing, and claims nothing', async () => {
    const flowId = await flowWith({ meta: { reportType: 'checkin' }, requireComplete: true });
    await recordPhotograph(app, { flowId, sessionId: 'chat-2' });
    const answer = await client.predict(flowId, { question: 'done', chatId: 'chat-2' });
    expect(answer.status).toBe(500);
    expect(answer.body.code).toBe('flow_failed');
    const body = { templateId: 'inspection', source: { type: 'inspection', sessionId: 'chat-2' } };
    expect((await client.send('POST', '/api/v1/pdf/render', body)).body.claimed).toBe(1);
  });
});
