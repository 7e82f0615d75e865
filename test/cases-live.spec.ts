import sharp from 'sharp';
import { startTestApp, type TestApp } from './support/app.js';
import { databases } from './support/databases.js';
import { eventually } from './support/eventually.js';
import { defaultModel, type FakeModel, startFakeModel } from './support/fake-model.js';
import { type HeldTarget, startHeldTarget } from './support/held-target.js';
import { type Mailbox, openMailbox } from './support/mailbox.js';
import {
  allFiles,
  allLists,
  allRows,
  endedCases,
  inspecting,
  photographed,
  REAL,
  rehearsed,
  startCases,
} from './support/rehearsed-cases.js';
import { ServiceClient } from './support/service-client.js';

describe.each(databases)('a case with live calls of a flow that inspects, on %s', (database) => {
  let service: TestApp;
  let target: HeldTarget;
  let mailbox: Mailbox;
  let model: FakeModel;
  let env: Record<string, string>;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    [target, mailbox] = await Promise.all([startHeldTarget(), openMailbox()]);
    model = await startFakeModel();
    env = {
      ...{ OUTBOUND_ALLOW: target.host, SMTP_URL: mailbox.url, MAIL_ALLOW: 'example.com' },
      ...{ ...defaultModel(model), MAX_SESSION_PHOTOGRAPHS: '3' },
    };
    service = await startTestApp({ database, env });
  });
  beforeEach(() => {
    target.holds = false;
    target.asked.length = 0;
  });
  afterAll(async () => {
    await service.close();
    target.close();
    await Promise.all([mailbox.close(), model.close()]);
  });

  const caseOf = async (flow: string, question: string, more: object = {}) => {
    const input = await photographed(question, REAL);
    const made = await client.admin('POST', `flows/${flow}/cases`, { name: question, input, ...more });
    if (made.status !== 201 && made.status !== 200) throw new Error(made.text);
    return made.body.id as string;
  };

  it('runs capture, set-details, correct and render for real, and nothing shows or keeps it', async () => {
    const flow = await client.flow(inspecting(target.host));
    const real = await client.predict(flow, await photographed('Real', REAL));
    expect(real.body.text).toBe('Mended: 1 claimed for Real, Leeds');
    await mailbox.received(1);
    await eventually(async () => (await client.admin('GET', 'pdf/reports')).text.includes('"sent"'));
    await caseOf(flow, 'Crack', {
      checks: [{ kind: 'equals', value: 'Mended: 1 claimed for Crack, Leeds' }],
    });
    const before = [await allLists(client, flow), await allRows(service)];
    const files = allFiles(service);
    target.holds = true;
    const run = await startCases(client, flow);
    await eventually(() => target.asked.some(({ url }) => url === '/Crack'));
    expect(rehearsed(service.place).some((name) => name.endsWith('.pdf'))).toBe(true);
    expect([await allLists(client, flow), await allRows(service)]).toEqual(before);
    target.letGo();
    expect(await endedCases(client, run)).toMatchObject([
      {
        ...{ passed: true, calls: 'live', answer: 'Mended: 1 claimed for Crack, Leeds', requests: [] },
        reports: [
          {
            ...{ filename: expect.stringMatching(/\.pdf$/), pages: expect.any(Number), photographs: 1 },
            ...{ warnings: expect.any(Array), mailed: true },
          },
        ],
      },
    ]);
    expect([await allLists(client, flow), await allRows(service)]).toEqual(before);
    expect(allFiles(service).filter((name) => !files.includes(name) && name !== 'blobs/rehearsals')).toEqual(
      [],
    );
    expect(mailbox.mails).toHaveLength(1);
  });

  it('leaves the chat alone that the caller of its execution named, and begins with an empty inspection', async () => {
    const flow = await client.flow(inspecting(target.host));
    const { overrideConfig: _, ...words } = await photographed('Own', '');
    const { executionId } = (await client.predict(flow, { ...words, chatId: 'own-chat' })).body;
    await client.admin('POST', `flows/${flow}/cases`, { name: 'Own', executionId });
    const before = await allRows(service);
    const session = () => client.admin('GET', `inspection/sessions/own-chat?flowId=${flow}`);
    const shown = (await session()).text;
    for (const calls of ['recorded', 'live'] as const)
      expect(await endedCases(client, await startCases(client, flow, { calls }))).toMatchObject([
        { passed: true, calls, answer: 'Mended: 1 claimed for Own, Leeds', changed: false },
      ]);
    expect([(await session()).text, unmailed(await allRows(service))]).toEqual([shown, unmailed(before)]);
  });

  it('does not mix with another that runs at the same time', async () => {
    const flow = await client.flow(inspecting(target.host));
    for (const question of ['One', 'Twofold']) await caseOf(flow, question);
    const before = unmailed(await allRows(service));
    target.holds = true;
    const run = await startCases(client, flow);
    await eventually(() => target.asked.length === 2);
    target.letGo();
    expect((await endedCases(client, run)).map(({ answer }) => answer)).toEqual([
      'Mended: 1 claimed for One, Leeds',
      'Mended: 1 claimed for Twofold, Leeds',
    ]);
    expect([unmailed(await allRows(service)), rehearsed(service.place)]).toEqual([before, []]);
  });

  it('is refunded if the flow fails or the run is ended, and is deleted all the same', async () => {
    const flow = await client.flow(inspecting('127.0.0.1:9', { price: 3 }));
    await caseOf(flow, 'Failing');
    const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;
    const before = [await balance(), unmailed(await allRows(service))];
    expect(await endedCases(client, await startCases(client, flow))).toMatchObject([
      { passed: false, code: 'flow_failed', credits: 0, reports: [{ photographs: 1, mailed: true }] },
    ]);
    expect([await balance(), unmailed(await allRows(service))]).toEqual(before);
    await client.admin('PUT', `flows/${flow}`, inspecting(target.host, { price: 3 }));
    target.holds = true;
    const run = await startCases(client, flow);
    await eventually(() => target.asked.length === 1);
    expect(await balance()).toBe((before[0] as number) - 3);
    expect((await client.admin('DELETE', run)).status).toBe(204);
    await eventually(() => rehearsed(service.place).length === 0);
    expect([await balance(), unmailed(await allRows(service))]).toEqual(before);
  });

  it('mails nothing whoever chose the recipients, and a recorded render needs no mail server to answer', async () => {
    const { body: key } = await client.admin('POST', 'api-keys', { name: 'Clerk' });
    const flow = inspecting(target.host, { access: { apiKeyId: key.id } });
    const report = flow.nodes.find(({ id }) => id === 'report')!;
    report.config = { ...report.config, email: { to: '{{$vars.to}}' } } as never;
    const id = await client.flow({ ...flow, vars: { ...flow.vars, to: { value: '' } } });
    const body = await photographed('Keyed', REAL);
    const vars = { place: REAL, to: 'landlord@elsewhere.test' };
    const sent = mailbox.mails.length;
    const called = await client.predict(
      id,
      { ...body, overrideConfig: { vars } },
      { authorization: `Bearer ${key.key}` },
    );
    await mailbox.received(sent + 1);
    await client.admin('POST', `flows/${id}/cases`, {
      name: 'Keyed',
      executionId: called.body.executionId,
    });
    for (const calls of ['recorded', 'live'] as const)
      expect(await endedCases(client, await startCases(client, id, { calls }))).toMatchObject([
        { passed: true, calls, answer: 'Mended: 1 claimed for Keyed, Leeds' },
      ]);
    expect(mailbox.mails).toHaveLength(sent + 1);
  });

  it("prints the flow's logo, an asset or one in the flow, and stores none", async () => {
    const picture = async (green: number) => {
      const { r, b } = { r: 200, b: 10 };
      const png = sharp({
        create: { width: 40, height: 40, channels: 3, background: { r, g: green, b } },
      }).png();
      return `data:image/png;base64,${(await png.toBuffer()).toString('base64')}`;
    };
    const asset = await client.admin('POST', 'assets', { data: await picture(1) });
    for (const logo of [asset.body.id as string, await picture(2)]) {
      const flow = await client.flow(inspecting(target.host, { chat: { brand: { logo } } }));
      await caseOf(flow, 'Logo');
      const before = unmailed(await allRows(service));
      const [result] = await endedCases(client, await startCases(client, flow));
      expect([result!.passed, result!.reports![0]!.warnings]).toEqual([true, []]);
      expect(unmailed(await allRows(service))).toEqual(before);
    }
  });

  it('lets an agent record and render by its tools, of the draft under test', async () => {
    const tools = [{ tool: 'capture' }, { tool: 'correct' }, { tool: 'render' }];
    const agent = { id: 'agent', kind: 'agent', config: { tools } };
    const nodes = [{ id: 'start', kind: 'start' }, agent];
    const flow = await client.flow({ name: 'Agent', nodes: [nodes[0]], edges: [] });
    const draft = { nodes, edges: [{ from: 'start', to: 'agent' }], report: { layout: 'compact' } };
    expect((await client.admin('PUT', `flows/${flow}/draft`, draft)).status).toBe(200);
    await caseOf(flow, 'Hall');
    const call = (name: string, args: object) => ({
      tokens: [''],
      toolCalls: [{ name, arguments: JSON.stringify(args) }],
    });
    model.answers.push(
      call('capture', { area: 'Hall', remark: 'Clean' }),
      call('correct', { target: 'last', caption: 'The hall' }),
      call('render', { forceFinish: true }),
      { tokens: ['It is made.'] },
    );
    const before = unmailed(await allRows(service));
    expect(await endedCases(client, await startCases(client, flow, { version: 'draft' }))).toMatchObject([
      { passed: true, answer: 'It is made.', reports: [{ photographs: 1, mailed: false }] },
    ]);
    expect(unmailed(await allRows(service))).toEqual(before);
  });

  it('has the limits of a session', async () => {
    const flow = await client.flow({
      name: 'Limits',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'take', kind: 'capture', config: { area: 'Hall' } },
        { id: 'reply', kind: 'reply', config: { message: '{{take.output.rejected.0.code}}' } },
      ],
      edges: [
        { from: 'start', to: 'take' },
        { from: 'take', to: 'reply' },
      ],
    });
    const { uploads, ...words } = await photographed('Four', REAL);
    const input = { ...words, uploads: [...uploads, ...uploads, ...uploads, ...uploads] };
    await client.admin('POST', `flows/${flow}/cases`, { name: 'Four', input });
    expect(await endedCases(client, await startCases(client, flow))).toMatchObject([
      { passed: true, answer: 'session_full' },
    ]);
  });
});

/** Leaves out the mails of real calls, which are being sent. */
const unmailed = ({ report_mails: _, ...rows }: Record<string, string>) => rows;
