import { expectAccessible } from './support/accessibility.js';
import { chatFixture, type ChatPage, published } from './support/chat-page.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser } from './support/page-fixture.js';

const approval = {
  name: 'Approval',
  ...published,
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'ask', kind: 'human-input', config: { message: 'Order **{{question}}**?', feedback: true } },
    { id: 'yes', kind: 'reply', config: { message: 'Ordered. You said: {{ask}}' } },
    { id: 'no', kind: 'reply', config: { message: 'Nothing was ordered.' } },
  ],
  edges: [
    { from: 'start', to: 'ask' },
    { from: 'ask', to: 'yes', on: '0' },
    { from: 'ask', to: 'no', on: '1' },
  ],
};

describeInBrowser('an approval on the chat page', () => {
  const fixture = chatFixture();
  const { client } = fixture;
  let chat: ChatPage;
  let flow: string;

  beforeAll(async () => {
    flow = await client.flow(approval);
  });

  const ask = async () => {
    chat = await fixture.visit();
    await chat.open(flow, fixture.service.url);
    await chat.say('two lamps');
    await chat.button('Proceed').waitFor();
  };
  const words = () => chat.page.getByLabel('Comment (optional)');
  const waiting = () => chat.page.getByRole('group', { name: 'The chat is waiting for your decision' });

  it('is answered by a button, with a comment if it takes one', async () => {
    await ask();
    await expectAccessible(chat.page);
    await words().fill('warm white');
    await chat.button('Proceed').click();
    await chat.lastAnswer().getByText('Ordered. You said: warm white').waitFor();
    await chat.idle();
    await expectSoon(() => waiting().count()).toBe(0);
    expect(chat.faults).toEqual([]);
  });

  it('shows a call within its frame, however long its arguments are', async () => {
    const given = { note: 'a long note '.repeat(40), word: 'x'.repeat(400) };
    const tool = { tool: 'function', name: 'write', code: 'return 1', requiresApproval: true };
    const parameters = { type: 'object', properties: {} };
    const calling = await client.flow({
      name: 'Calling',
      ...published,
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'write', kind: 'tool', config: { ...tool, parameters, arguments: given } },
      ],
      edges: [{ from: 'start', to: 'write' }],
    });
    chat = await fixture.visit();
    await chat.open(calling, fixture.service.url);
    await chat.say('write');
    await chat.lastAnswer().getByText('May "write" be called with this?').waitFor();
    const frame = (await waiting().boundingBox())!;
    for (const part of [waiting().locator('pre'), words()]) {
      const { x, width } = (await part.boundingBox())!;
      expect(x).toBeGreaterThan(frame.x);
      expect(x + width).toBeLessThan(frame.x + frame.width);
    }
    await expectAccessible(chat.page);
  });

  it('stays through a reload, and beside another question', async () => {
    await ask();
    await chat.page.reload();
    await waiting().waitFor();
    await chat.say('three chairs');
    await chat.lastAnswer().getByText('three chairs').waitFor();
    await chat.idle();
    await chat.button('Reject').click();
    await chat.lastAnswer().getByText('Nothing was ordered.').waitFor();
  });

  it('shows the decision if somebody else was faster', async () => {
    await ask();
    const { data } = (await client.admin('GET', `executions?flowId=${flow}&status=waiting&limit=1`)).body;
    const { approvals } = (await client.admin('GET', `executions/${data[0].id}`)).body;
    const humanInput = { type: 'reject', startNodeId: approvals[0].name as string };
    await client.admin('POST', `flows/${flow}/run`, { chatId: data[0].chatId, humanInput });
    await chat.button('Proceed').click();
    await chat.trouble('It was rejected before this answer came').waitFor();
    await chat.idle();
    await expectSoon(() => waiting().count()).toBe(0);
    await expectSoon(() => chat.button('Try again').count()).toBe(0);
  });
});
