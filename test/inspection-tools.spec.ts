import { randomUUID } from 'node:crypto';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { eventually } from './support/eventually.js';
import { type FakeRequest, Hold } from './support/fake-model.js';
import { ModelFixture } from './support/model-fixture.js';
import { smallJpeg } from './support/recorded-photographs.js';

const callOf = (name: string, given: object = {}) => ({ id: name, name, arguments: JSON.stringify(given) });

/** Returns the results of its calls in the model's last request. */
const resultsIn = ({ body }: FakeRequest): string[] =>
  (body.messages as { role: string; content: string }[]).flatMap(({ role, content }) =>
    role === 'tool' ? [content] : [],
  );

interface TracedRun {
  nodeId: string;
  kind: string;
  status: string;
  parent?: string;
  runId: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  output: any;
  error?: string;
}

/** The inspection and report tools of an agent (contract section 9). */
describe('an agent that inspects', () => {
  const fixture = new ModelFixture({ STREAM_GRACE_SECONDS: '0' });
  const { client } = fixture;

  const definition = (kind: string, config: object) => ({
    name: 'Inspector',
    nodes: [
      { id: 'start', kind: 'start' },
      { id: 'node', kind, config },
    ],
    edges: [{ from: 'start', to: 'node' }],
  });
  const agentWith = (...tools: object[]) => client.flow(definition('agent', { tools }));
  const inspector = () => agentWith({ tool: 'capture' }, { tool: 'render' });
  const picture = async () => ({
    ...{ type: 'file', name: 'hall.jpg', mime: 'image/jpeg' },
    data: `data:image/jpeg;base64,${(await smallJpeg()).toString('base64')}`,
  });
  const sessionOf = async (chatId: string, flowId: string) => {
    const { body } = await client.admin('GET', `inspection/sessions/${chatId}?flowId=${flowId}`);
    return body as { pending: number; currentArea: string | null; areas: object[] };
  };
  const reportsOf = async (chatId: string) =>
    (await client.admin('GET', `pdf/reports?sessionId=${chatId}`)).body.data as { url: string }[];
  const traced = async (executionId: string) =>
    (await client.ended(executionId)).nodes as unknown as TracedRun[];

  it('records the picture of the call and makes the report, each a call in the trace', async () => {
    const [flowId, chatId] = [await inspector(), randomUUID()];
    fixture.model.answers.push(
      { toolCalls: [callOf('capture', { area: 'Kitchen', remark: 'Tap drips' })] },
      { toolCalls: [callOf('render', { meta: { address: '1 High Street' } })] },
    );
    const { body } = await client.predict(flowId, { question: 'Go', chatId, uploads: [await picture()] });
    expect(body.text).toBe('Hello there');
    const [captured, rendered] = resultsIn(fixture.model.requests[2]!);
    expect(captured).toMatch(/^Kitchen: 1 recorded, 1 pending\./);
    expect(rendered).toMatch(/^Report \d{8}\.pdf: \d+ pages, 1 photographs\.\nLink: http/);
    expect((await fetch(/Link: (\S+)/.exec(rendered!)![1]!)).status).toBe(200);

    const runs = await traced(body.executionId);
    const agent = runs.find(({ kind }) => kind === 'agent')!;
    expect(runs.find(({ nodeId }) => nodeId === 'node/capture')).toMatchObject({
      ...{ kind: 'tool', status: 'succeeded', parent: agent.runId },
      output: { area: 'Kitchen', recorded: [{ index: 0 }], executionId: body.executionId },
    });
    expect(runs.find(({ nodeId }) => nodeId === 'node/render')).toMatchObject({
      ...{ kind: 'tool', status: 'succeeded', parent: agent.runId },
      output: { claimed: 1, file: { photographs: 1 }, executionId: body.executionId },
    });
    const { body: records } = await client.admin('GET', `executions?chatId=${chatId}`);
    expect(records.data).toMatchObject([{ kind: 'prediction' }]);
  });

  it('files pictures by their numbers, and each of them once', async () => {
    const [flowId, chatId] = [await inspector(), randomUUID()];
    fixture.model.answers.push(
      { toolCalls: [callOf('capture', { area: 'Hall', photographs: [2] })] },
      { toolCalls: [callOf('capture', { area: 'Bath' })] },
      { toolCalls: [callOf('capture', { remark: 'Clean', photographs: [] })] },
      { toolCalls: [callOf('capture', { area: 'Attic', photographs: [1, 3] })] },
    );
    const uploads = [await picture(), await picture()];
    await client.predict(flowId, { question: 'Go', chatId, uploads });
    const results = resultsIn(fixture.model.requests[4]!);
    expect(results[0]).toMatch(/^Hall: 1 recorded, 1 pending\./);
    expect(results[1]).toMatch(/^Bath: 1 recorded, 1 known, 2 pending\./);
    expect(results[2]).toMatch(/^Bath: 0 recorded, 2 pending\./);
    expect(results[3]).toBe('There is no picture 3: the message has 2. Nothing was recorded.');
    expect((await sessionOf(chatId, flowId)).areas).toMatchObject([
      { area: 'Hall', photographs: 1, remarks: 0 },
      { area: 'Bath', photographs: 1, remarks: 1 },
    ]);
  });

  it('records items and meters from the model, and fills no template in them', async () => {
    const flowId = await agentWith({ tool: 'capture', keys: '[{"kind":"{{$vars.key}}"}]' });
    const chatId = randomUUID();
    const recordArguments = {
      area: 'Gas meter',
      observations: [{ item: '{{$vars.key}}', condition: 'fair' }],
      reading: { value: '0042' },
      keys: [{ kind: 'Another' }],
    };
    fixture.model.answers.push({ toolCalls: [callOf('capture', recordArguments)] });
    const vars = { key: 'Box key' };
    await client.predict(flowId, { question: 'Go', chatId, overrideConfig: { vars } });
    const [results] = resultsIn(fixture.model.requests[1]!);
    expect(results).toMatch(/^Gas meter: 0 recorded, 1 observation, 1 reading, 1 keys, 0 pending\./);
    expect(results).not.toContain('gas-meter');
    const { body } = await client.admin('GET', `inspection/sessions/${chatId}?flowId=${flowId}`);
    expect(body.facts.map(({ fact }: { fact: object }) => fact)).toEqual([
      { item: '{{$vars.key}}', condition: 'fair' },
      { value: '0042' },
      { kind: 'Box key' },
    ]);
  });

  it('gets errors for an unusable picture, a report that lacks areas, and an empty inspection', async () => {
    const [flowId, chatId] = [await inspector(), randomUUID()];
    const broken = { type: 'file', name: 'x', mime: 'image/png', data: 'data:image/png;base64,YnJva2Vu' };
    fixture.model.answers.push(
      { toolCalls: [callOf('capture', { photographs: [] })] },
      { toolCalls: [callOf('render')] },
      { toolCalls: [callOf('capture', { photographs: [2], area: 'Hall' })] },
      { toolCalls: [callOf('capture', { photographs: [1], area: 'Hall', areaType: 'cave' })] },
      { toolCalls: [callOf('capture', { photographs: [1], area: 'Hall' })] },
      { toolCalls: [callOf('render', { meta: { reportType: 'checkin' }, requireComplete: true })] },
    );
    const uploads = [await picture(), broken];
    const { body } = await client.predict(flowId, { question: 'Go', chatId, uploads });
    const results = resultsIn(fixture.model.requests[6]!);
    expect(results).toEqual([
      'There is nothing to record: name pictures of the message, an area, a remark or observations.',
      'There is no new photograph to report, so no file was made.',
      expect.stringMatching(/^Hall: 0 recorded, 1 rejected \(photograph 2: .+\), 0 pending\./),
      expect.stringMatching(/^The arguments do not fit: areaType/),
      expect.stringMatching(/^Hall: 1 recorded, 1 pending\./),
      expect.stringMatching(/^These areas are outstanding: /),
    ]);
    const failed = (await traced(body.executionId)).filter(({ status }) => status === 'failed');
    expect(failed.map(({ nodeId }) => nodeId)).toEqual(['node/capture', 'node/capture', 'node/render']);
    expect(await sessionOf(chatId, flowId)).toMatchObject({ pending: 1 });
    expect(await reportsOf(chatId)).toEqual([]);
  });

  it('requests from the model nothing that the flow defines', async () => {
    const flowId = await agentWith(
      { tool: 'capture', area: '{{$vars.area}}', photographs: '[]', sessionId: '{{$vars.session}}' },
      { tool: 'render', meta: { address: '{{question}}' }, requireComplete: false },
    );
    const chatId = randomUUID();
    const vars = { area: 'Loft', session: randomUUID() };
    fixture.model.answers.push({
      toolCalls: [callOf('capture', { remark: 'See {{$vars.session}}', area: 'Hall', photographs: [9] })],
    });
    const call = { question: 'Go', chatId, uploads: [await picture()], overrideConfig: { vars } };
    await client.predict(flowId, call);
    const tools = fixture.model.requests[0]!.body.tools as {
      function: { name: string; parameters: object };
    }[];
    const [capture, render] = tools.map(({ function: { parameters } }) => parameters) as {
      properties: Record<string, { properties: object }>;
    }[];
    expect(Object.keys(capture!.properties)).toEqual([
      ...['areaType', 'remark', 'observations', 'reading', 'keys', 'alarm'],
    ]);
    expect(Object.keys(render!.properties)).toEqual(['meta', 'forceFinish', 'preview']);
    expect(render!.properties['meta']!.properties).toHaveProperty('postcode');
    expect(render!.properties['meta']!.properties).not.toHaveProperty('address');
    expect(resultsIn(fixture.model.requests[1]!)[0]).toMatch(/^Loft: 0 recorded, 0 pending\./);
    expect((await sessionOf(vars.session, flowId)).areas).toMatchObject([{ area: 'Loft', remarks: 1 }]);
  });

  it('mails a report to nobody chosen by the caller', async () => {
    const flowId = await agentWith({ tool: 'capture' }, { tool: 'render', email: { to: '{{question}}' } });
    const chatId = randomUUID();
    fixture.model.answers.push(
      { toolCalls: [callOf('capture', { area: 'Hall' })] },
      { toolCalls: [callOf('render', { email: { to: 'me@example.com' } })] },
    );
    await client.predict(flowId, { question: 'you@example.com', chatId, uploads: [await picture()] });
    expect(resultsIn(fixture.model.requests[2]!)[1]).toContain('no mail server');
    expect(await sessionOf(chatId, flowId)).toMatchObject({ pending: 1 });
  });

  /** Leaves the journal of a process that dies between a capture or a report and the note that the call ended. */
  const loseNotes = (flowId: string) =>
    fixture.service.app.get(WriteGate).write((tx) =>
      tx.run(
        `UPDATE effects SET ended_at = NULL, result = NULL
           WHERE path IN ('node#1/1/1/capture', 'node#1/3/1/render')
             AND execution_id IN (SELECT id FROM executions WHERE flow_id = ?)`,
        [flowId],
      ),
    );

  it.each([
    ['is sent again under its key after an interruption', false],
    ['died before it noted the results', true],
  ])('repeats neither if the call %s', async (_, notesAreLost) => {
    const [flowId, chatId, key] = [await inspector(), randomUUID(), randomUUID()];
    const held = new Hold();
    fixture.model.answers.push(
      { toolCalls: [callOf('capture', { area: 'Kitchen' })] },
      { toolCalls: [callOf('render', { meta: { reportType: 'checkin' }, requireComplete: true })] },
      { toolCalls: [callOf('render')] },
      { tokens: ['late'], held },
    );
    const call = { question: 'Go', chatId, uploads: [await picture()] };
    const leaving = new AbortController();
    const first = fetch(`${fixture.service.url}/api/v1/prediction/${flowId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(call),
      signal: leaving.signal,
    }).catch(() => undefined);
    await eventually(() => fixture.model.requests.length === 4);
    leaving.abort();
    await first;
    await eventually(async () => {
      const { body } = await client.admin('GET', `executions?chatId=${chatId}`);
      return (body.data as { status: string }[]).every(({ status }) => status !== 'running');
    });
    if (notesAreLost) expect(await loseNotes(flowId)).toBe(2);
    held.letGo();
    const again = await client.predict(flowId, call, { 'idempotency-key': key });
    expect(again.body).toMatchObject({ text: 'Hello there', usage: { credits: 0 } });
    expect(again.body.warnings).toEqual([expect.objectContaining({ code: 'effect_kept', count: 3 })]);
    // The model gets the same results as before, including the failed one.
    expect(resultsIn(fixture.model.requests[4]!)).toEqual(resultsIn(fixture.model.requests[3]!));
    expect(await reportsOf(chatId)).toHaveLength(1);
    expect(await sessionOf(chatId, flowId)).toMatchObject({
      pending: 0,
      areas: [{ area: 'Kitchen', photographs: 1 }],
    });
  });

  it('waits for approval if its tool requires it, and then still has the pictures', async () => {
    const [flowId, chatId] = [await agentWith({ tool: 'capture', requiresApproval: true }), randomUUID()];
    fixture.model.answers.push({ toolCalls: [callOf('capture', { area: 'Kitchen' })] });
    const { body } = await client.predict(flowId, { question: 'Go', chatId, uploads: [await picture()] });
    expect(body.action).toBeDefined();
    const startNodeId = body.action.data.nodeId as string;
    await client.predict(flowId, { chatId, humanInput: { type: 'proceed', startNodeId } });
    expect(await sessionOf(chatId, flowId)).toMatchObject({ pending: 1, currentArea: 'Kitchen' });
  });

  describe('as steps of a flow', () => {
    it('uses the arguments of the step, and fails if the tool does', async () => {
      const id = await client.flow({
        name: 'Steps',
        nodes: [
          { id: 'start', kind: 'start' },
          { id: 'c', kind: 'tool', config: { tool: 'capture', arguments: { area: '{{question}}' } } },
          { id: 'r', kind: 'tool', config: { tool: 'render', forceFinish: true } },
          { id: 'say', kind: 'reply', config: { message: '{{c.output.area}} {{r.output.claimed}}' } },
        ],
        edges: [
          { from: 'start', to: 'c' },
          { from: 'c', to: 'r' },
          { from: 'r', to: 'say' },
        ],
      });
      const uploads = [await picture()];
      const well = await client.predict(id, { question: 'Hall', chatId: randomUUID(), uploads });
      expect(well.body.text).toBe('Hall 1');
      const failing = await client.flow(definition('tool', { tool: 'capture' }));
      const { status, body } = await client.predict(failing, { question: 'Hall', chatId: randomUUID() });
      expect([status, body.code]).toEqual([500, 'flow_failed']);
    });

    it.each([
      [{ tool: 'capture', photographs: 5 }, 'photographs'],
      [{ tool: 'render', email: {} }, 'email.to'],
      [{ tool: 'render', requireComplete: 3 }, 'requireComplete'],
      [{ tool: 'correct', turn: 45 }, 'turn'],
    ])('refuses %j when the flow is saved', async (config, member) => {
      for (const [kind, path, given] of [
        ['tool', 'config', config],
        ['agent', 'config.tools.0', { tools: [config] }],
      ] as const) {
        const { status, body } = await client.admin('POST', 'flows', definition(kind, given));
        expect(status).toBe(400);
        const paths = (body.errors as { path: string }[]).map((fault) => fault.path);
        expect(paths).toEqual([`nodes.1.${path}.${member}`]);
      }
    });

    it('warns of unknown members and references', async () => {
      const config = { tool: 'capture', aera: 'Hall', remark: '{{questoin}} {{$args.area}}' };
      for (const [kind, path, given] of [
        ['tool', 'config', config],
        ['agent', 'config.tools[0]', { tools: [config] }],
      ] as const) {
        const { status, body } = await client.admin('POST', 'flows', definition(kind, given));
        expect(status).toBe(200);
        const results = (body.warnings as { path: string }[]).map((warning) => warning.path);
        expect(results.sort()).toEqual([
          `nodes[1].${path}.aera`,
          `nodes[1].${path}.remark`,
          `nodes[1].${path}.remark`,
        ]);
      }
    });
  });
});
