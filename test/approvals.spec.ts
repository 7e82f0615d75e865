import { ApprovalUpkeep } from '../src/executions/approvals/approval-upkeep.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type Answer, ServiceClient } from './support/service-client.js';

type Said = 'proceed' | 'reject';

describe('a run that waits for approval', () => {
  let service: TestApp;
  let flow: string;
  const client = new ServiceClient(() => service);
  let chats = 0;

  /** start → ask → yes | no, each of which replies with its question. */
  const approval = (more: object = {}, ask: object = {}) => ({
    name: 'Approval',
    nodes: [
      { id: 'start', kind: 'start' },
      { id: 'ask', kind: 'human-input', config: { message: 'Order {{question}}?', feedback: true, ...ask } },
      { id: 'yes', kind: 'reply', config: { message: '{{question}} ordered: {{ask}}' } },
      { id: 'no', kind: 'reply', config: { message: 'No {{question}}' } },
    ],
    edges: [
      { from: 'start', to: 'ask' },
      { from: 'ask', to: 'yes', on: '0' },
      { from: 'ask', to: 'no', on: '1' },
    ],
    ...more,
  });

  beforeAll(async () => {
    service = await startTestApp();
    await client.admin('POST', 'credit/default/top-ups', { amount: 100_000, reference: 'tests' });
    flow = await client.flow(approval());
  });

  afterAll(() => service.close());

  const freshChat = () => `approval-${++chats}`;
  const stopIn = (answer: Answer): string => answer.body.action.data.nodeId as string;
  const ask = async (chatId = freshChat(), flowId = flow) => {
    const first = await client.predict(flowId, { question: 'lamps', chatId });
    expect([first.status, first.body.text]).toEqual([200, 'Order lamps?']);
    return { chatId, first, stop: stopIn(first), record: first.body.executionId as string };
  };
  const click = (chatId: string, stop: string, type: Said = 'proceed', more: object = {}) => ({
    question: type === 'proceed' ? 'Proceed' : 'Reject',
    chatId,
    humanInput: { type, startNodeId: stop, ...more },
  });
  const statusOf = async (id: string) =>
    (await client.admin('GET', `executions/${id}`)).body.status as string;

  it('returns the buttons that chat clients draw, and waits', async () => {
    const { first, stop, record } = await ask();
    expect(stop).toMatch(/^ask#[\w-]{22}$/);
    expect(first.body.action).toEqual({
      id: expect.any(String),
      mapping: { approve: 'Proceed', reject: 'Reject' },
      elements: [
        { type: 'agentflowv2-approve-button', label: 'Proceed' },
        { type: 'agentflowv2-reject-button', label: 'Reject' },
      ],
      data: { nodeId: stop, nodeLabel: 'ask', input: { humanInputEnableFeedback: true } },
    });
    expect(await statusOf(record)).toBe('waiting');
    expect((await client.admin('DELETE', `executions/${record}`)).body.code).toBe('execution_running');
  });

  it('resumes with its original input, under the first record and without a second charge', async () => {
    const { chatId, stop, record } = await ask();
    const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;
    const before = await balance();
    const second = await client.predict(flow, click(chatId, stop, 'proceed', { feedback: 'warm white' }));
    expect(second.body).toMatchObject({ text: 'lamps ordered: warm white', usage: { credits: 0 } });
    expect(await balance()).toBe(before);
    expect(await client.ended(second.body.executionId)).toMatchObject({
      resumes: record,
      credits: 0,
      status: 'succeeded',
    });
    const whole = await client.ended(record);
    expect(whole).toMatchObject({ status: 'succeeded', answer: 'lamps ordered: warm white' });
    await eventually(async () => (await client.ended(record)).nodes.length === 4);
    expect(
      (await client.ended(record)).nodes.map(({ nodeId, status }: Record<string, string>) => [
        nodeId,
        status,
      ]),
    ).toEqual([
      ['start', 'succeeded'],
      ['ask', 'waiting'],
      ['ask', 'succeeded'],
      ['yes', 'succeeded'],
    ]);
  });

  it('resumes with its original files', async () => {
    const files = await client.flow({
      name: 'Files',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'ask', kind: 'human-input', config: { message: 'Keep?' } },
        {
          id: 'reply',
          kind: 'reply',
          config: { message: '{{uploads.0.name}}: {{file_attachment}} {{$vars.x}}' },
        },
      ],
      edges: [
        { from: 'start', to: 'ask' },
        { from: 'ask', to: 'reply', on: '0' },
      ],
    });
    const data = `data:text/plain;base64,${Buffer.from('forty lamps').toString('base64')}`;
    const first = await client.predict(files, {
      question: 'q',
      chatId: 'files',
      uploads: [{ type: 'file', name: 'list.txt', mime: 'text/plain', data }],
      overrideConfig: { vars: { x: 'of mine' } },
    });
    const second = await client.predict(files, click('files', stopIn(first)));
    expect(second.body.text).toBe(`list.txt: <doc name='list.txt'>forty lamps</doc> of mine`);
  });

  it('closes the record of a call retried under its key while the first waits', async () => {
    const body = { question: 'lamps', chatId: freshChat() };
    const headers = { 'Idempotency-Key': `question-${body.chatId}` };
    const first = await client.predict(flow, body, headers);
    const again = await client.predict(flow, body, headers);
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true']);
    expect(stopIn(again)).toBe(stopIn(first));
    const { executionId } = first.body;
    const replay = await client.ended(again.headers.get('x-execution-id')!);
    expect(replay).toMatchObject({ replayOf: executionId, status: 'succeeded' });
    expect(await statusOf(executionId)).toBe('waiting');
  });

  it('accepts one of fifty equal clicks, and gives all of them the same answer', async () => {
    const { chatId, stop, record } = await ask();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client.predict(flow, click(chatId, stop))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { executionId } = answers[0]!.body;
    const own = answers.filter(({ headers }) => headers.get('x-execution-id') === executionId);
    expect(own).toHaveLength(1);
    const other = answers.find(({ headers }) => headers.get('x-execution-id') !== executionId)!;
    expect(other.headers.get('idempotent-replay')).toBe('true');
    const id = other.headers.get('x-execution-id')!;
    await eventually(async () => (await client.admin('GET', `executions/${id}`)).status === 200);
    expect(await client.ended(id)).toMatchObject({ replayOf: executionId, status: 'succeeded' });
    expect((await client.ended(record)).status).toBe('succeeded');
  });

  it('accepts one of fifty clicks of both kinds, and answers the others with 409', async () => {
    const { chatId, stop } = await ask();
    const decisions = Array.from({ length: 50 }, (_, index): Said => (index % 2 ? 'proceed' : 'reject'));
    const answers = await Promise.all(
      decisions.map((type) => client.predict(flow, click(chatId, stop, type))),
    );
    const won = decisions[answers.findIndex(({ status }) => status === 200)]!;
    for (const [index, answer] of answers.entries()) {
      if (decisions[index] === won)
        expect(answer.body.text).toBe(won === 'proceed' ? 'lamps ordered: Proceed' : 'No lamps');
      else
        expect(answer.body).toMatchObject({
          status: 409,
          code: 'already_decided',
          decided: { type: won, at: expect.stringMatching(/Z$/) },
        });
    }
  });

  it('treats the same decision with another comment as another answer', async () => {
    const { chatId, stop } = await ask();
    await client.predict(flow, click(chatId, stop, 'proceed', { feedback: 'warm' }));
    const other = await client.predict(flow, click(chatId, stop, 'proceed', { feedback: 'cold' }));
    expect([other.status, other.body.code, other.body.decided.feedback]).toEqual([
      409,
      'already_decided',
      'warm',
    ]);
  });

  it('accepts a comment of up to 65,536 characters', async () => {
    const { chatId, stop } = await ask();
    const longest = 'x'.repeat(65_536);
    const longer = await client.predict(flow, click(chatId, stop, 'proceed', { feedback: `${longest}x` }));
    expect([longer.status, longer.body.code, longer.body.errors[0].path]).toEqual([
      400,
      'invalid_request',
      'humanInput.feedback',
    ]);
    const taken = await client.predict(flow, click(chatId, stop, 'proceed', { feedback: longest }));
    expect(taken.body.text).toBe(`lamps ordered: ${longest}`);
  });

  it('requires a name, and refuses one that the chat was never given', async () => {
    const { chatId, stop } = await ask();
    const elsewhere = (await ask()).stop;
    for (const name of ['nothing', 'ask#', `${stop}x`, 'ask#AAAAAAAAAAAAAAAAAAAAAA', elsewhere, 'ask']) {
      const answer = await client.predict(flow, click(chatId, name));
      expect([name, answer.status, answer.body.errors?.[0].path]).toEqual([
        name,
        400,
        'humanInput.startNodeId',
      ]);
    }
    const nameless = await client.predict(flow, { chatId, humanInput: { type: 'proceed' } });
    expect(nameless.body.errors[0].path).toBe('humanInput.startNodeId');
    expect((await client.predict(flow, click(chatId, stop))).status).toBe(200);
  });

  it('accepts a plain node id only with the key, and only for a single approval of that node', async () => {
    const key = (await client.admin('POST', 'api-keys', { name: 'Office' })).body as {
      id: string;
      key: string;
    };
    const keyed = await client.flow(approval({ access: { apiKeyId: key.id } }));
    const auth = { authorization: `Bearer ${key.key}` };
    await client.predict(keyed, { question: 'lamps', chatId: 'keyed' }, auth);
    const answer = await client.predict(keyed, click('keyed', 'ask'), auth);
    expect(answer.body.text).toBe('lamps ordered: Proceed');

    const open = await ask();
    const admin = await client.admin('POST', `flows/${flow}/run`, click(open.chatId, 'ask', 'reject'));
    expect(admin.body.text).toBe('No lamps');
  });

  it('refuses a plain node id if two runs of the chat wait at that node', async () => {
    const { chatId } = await ask();
    await ask(chatId);
    const answer = await client.admin('POST', `flows/${flow}/run`, click(chatId, 'ask'));
    expect(answer.status).toBe(400);
  });

  it('keeps waiting after a new question, and every approval of the chat has its own answer', async () => {
    const chatId = freshChat();
    const one = await ask(chatId);
    const two = await ask(chatId);
    expect([await statusOf(one.record), await statusOf(two.record)]).toEqual(['waiting', 'waiting']);
    expect((await client.predict(flow, click(chatId, two.stop, 'reject'))).body.text).toBe('No lamps');
    expect(await statusOf(one.record)).toBe('waiting');
    expect((await client.predict(flow, click(chatId, one.stop))).body.text).toBe('lamps ordered: Proceed');
  });

  describe('with two approvals', () => {
    let twice: string;
    beforeAll(async () => {
      const human = (id: string) => ({ id, kind: 'human-input', config: { message: `${id}?` } });
      twice = await client.flow({
        name: 'Twice',
        nodes: [
          { id: 'start', kind: 'start' },
          human('first'),
          human('second'),
          { id: 'end', kind: 'reply', config: { message: 'both' } },
        ],
        edges: [
          { from: 'start', to: 'first' },
          { from: 'first', to: 'second', on: '0' },
          { from: 'second', to: 'end', on: '0' },
        ],
      });
    });

    it('waits again under the first record, and a late click on the first approval does not decide the second', async () => {
      const chatId = freshChat();
      const first = await client.predict(twice, { question: 'q', chatId });
      const record = first.body.executionId as string;
      const second = await client.predict(twice, click(chatId, stopIn(first)));
      expect([second.body.text, await statusOf(record)]).toEqual(['second?', 'waiting']);
      expect(await statusOf(second.body.executionId)).toBe('succeeded');
      expect(stopIn(second)).not.toBe(stopIn(first));

      const late = await client.predict(twice, click(chatId, stopIn(first)));
      expect([late.status, late.text]).toEqual([200, second.text]);
      const other = await client.predict(twice, click(chatId, stopIn(first), 'reject'));
      expect(other.body).toMatchObject({
        status: 409,
        code: 'already_decided',
        decided: { type: 'proceed' },
      });
      expect(await statusOf(record)).toBe('waiting');

      const third = await client.predict(twice, click(chatId, stopIn(second)));
      expect([third.body.text, await statusOf(record)]).toEqual(['both', 'succeeded']);
    });

    it('decides by an async click the approval that its sender saw, however late it runs', async () => {
      const chatId = freshChat();
      const first = await client.predict(twice, { question: 'q', chatId });
      const send = (stop: string) => client.predict(twice, click(chatId, stop), { Prefer: 'respond-async' });
      const [one, two] = await Promise.all([send(stopIn(first)), send(stopIn(first))]);
      // One of them decided; the other agrees, and gets the address of the same run.
      expect([one.status, two.status]).toEqual([202, 202]);
      expect([two.text, two.headers.get('location')]).toEqual([one.text, one.headers.get('location')]);
      const record = first.body.executionId as string;
      await eventually(async () => (await statusOf(record)) === 'waiting');
      expect((await client.admin('GET', `executions/${record}`)).body.nodes.at(-1)).toMatchObject({
        nodeId: 'second',
        status: 'waiting',
      });
    });
  });

  it('fails with approval_expired when nobody answers in time, and reports that to a late click', async () => {
    const other = await startTestApp({ env: { APPROVAL_EXPIRES_HOURS: '1' } });
    const there = new ServiceClient(() => other);
    const id = await there.flow(approval());
    const [first, second] = [
      await there.predict(id, { question: 'lamps', chatId: 'a' }),
      await there.predict(id, { question: 'lamps', chatId: 'b' }),
    ];
    other.clock.advance(3_599_000);
    await other.app.get(ApprovalUpkeep).round();
    expect((await there.admin('GET', `executions/${first.body.executionId}`)).body.status).toBe('waiting');
    other.clock.advance(2_000);
    const late = await there.predict(id, click('a', stopIn(first)));
    expect(late.body).toMatchObject({ status: 409, code: 'already_decided', decided: { type: 'expired' } });
    await other.app.get(ApprovalUpkeep).round();
    for (const { body } of [first, second])
      expect(await there.ended(body.executionId)).toMatchObject({
        status: 'failed',
        code: 'approval_expired',
        credits: 1,
      });
    await other.close();
  });

  it('can be cancelled while it waits, and reports that to a later click', async () => {
    const { chatId, stop, record } = await ask();
    expect((await client.admin('POST', `executions/${record}/cancel`)).body).toMatchObject({
      status: 'aborted',
    });
    const late = await client.predict(flow, click(chatId, stop));
    expect(late.body).toMatchObject({ status: 409, decided: { type: 'cancelled' } });
  });

  it('refunds the first charge if it fails after the answer', async () => {
    const broken = await client.flow(
      approval({
        nodes: [
          { id: 'start', kind: 'start' },
          { id: 'ask', kind: 'human-input', config: { message: 'Order {{question}}?' } },
          { id: 'yes', kind: 'http', config: { method: 'GET', url: 'http://127.0.0.1:1/' } },
        ],
        edges: [
          { from: 'start', to: 'ask' },
          { from: 'ask', to: 'yes', on: '0' },
        ],
      }),
    );
    const { chatId, stop, record } = await ask(freshChat(), broken);
    const failed = await client.predict(broken, click(chatId, stop));
    expect([failed.status, failed.body.code]).toEqual([500, 'flow_failed']);
    expect(await client.ended(record)).toMatchObject({ status: 'failed', credits: 0, refunded: 1 });
    const again = await client.predict(broken, click(chatId, stop));
    expect([again.status, again.body.code, again.headers.get('idempotent-replay')]).toEqual([
      500,
      'flow_failed',
      'true',
    ]);
  });

  it('streams STOPPED before the action, and replays a decided approval as a stream', async () => {
    const chatId = freshChat();
    const stream = await client.stream(flow, { question: 'lamps', chatId });
    await stream.done;
    expect(stream.events.slice(-4).map(({ event, data }) => [event, typeof data])).toEqual([
      ['agentFlowEvent', 'string'],
      ['action', 'object'],
      ['metadata', 'object'],
      ['end', 'string'],
    ]);
    expect(stream.events.at(-4)!.data).toBe('STOPPED');
    const { nodeId } = (stream.events.at(-3)!.data as { data: { nodeId: string } }).data;
    const texts: string[] = [];
    for (let time = 0; time < 2; time++) {
      const answered = await client.stream(flow, click(chatId, nodeId));
      await answered.done;
      expect(answered.events.at(-3)).toMatchObject({ event: 'agentFlowEvent', data: 'FINISHED' });
      texts.push(answered.events.flatMap(({ event, data }) => (event === 'token' ? [data] : [])).join(''));
    }
    expect(texts).toEqual(['lamps ordered: Proceed', 'lamps ordered: Proceed']);
  });

  it('replays the answer to a click under its Idempotency-Key, and under a new one', async () => {
    const { chatId, stop } = await ask();
    const send = (key: string) => client.predict(flow, click(chatId, stop), { 'Idempotency-Key': key });
    const [one, two, three] = [await send('click-1'), await send('click-1'), await send('click-2')];
    expect([two.text, three.text]).toEqual([one.text, one.text]);
    expect(three.headers.get('idempotent-replay')).toBe('true');
  });

  it('reports the result of the second part to the async caller of the first', async () => {
    const chatId = freshChat();
    const first = await client.predict(flow, { question: 'lamps', chatId }, { Prefer: 'respond-async' });
    const location = first.headers.get('location')!;
    const state = async () => (await client.send('GET', location)).body;
    await eventually(async () => (await state()).status === 'waiting');
    const { answer } = await state();
    await client.predict(flow, click(chatId, answer.action.data.nodeId as string));
    expect(await state()).toMatchObject({ status: 'succeeded', answer: { text: 'lamps ordered: Proceed' } });
  });

  it('keeps waiting through a restart', async () => {
    const here = await startTestApp();
    let there = here;
    const talk = new ServiceClient(() => there);
    const id = await talk.flow(approval());
    const first = await talk.predict(id, { question: 'lamps', chatId: 'restart' });
    await here.close({ keep: true });
    there = await startTestApp({ place: here.place });
    expect((await talk.predict(id, click('restart', stopIn(first)))).body.text).toBe(
      'lamps ordered: Proceed',
    );
    await there.close();
  });
});
