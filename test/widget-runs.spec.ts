import { expectSoon } from './support/expect-soon.js';
import { Hold } from './support/fake-model.js';
import { chatFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';
import { type WidgetOptions, widgetFixture } from './support/widget-page.js';

const TRACES: Partial<WidgetOptions> = { theme: { chatWindow: { showAgentMessages: true } } };

const approval = (more: object = {}) => ({
  name: 'Approval',
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'ask', kind: 'human-input', config: { message: 'Order {{question}}?', ...more } },
    { id: 'yes', kind: 'reply', config: { message: 'Ordered. You said: {{ask}}' } },
    { id: 'no', kind: 'reply', config: { message: 'Nothing was ordered: {{ask}}' } },
  ],
  edges: [
    { from: 'start', to: 'ask' },
    { from: 'ask', to: 'yes', on: '0' },
    { from: 'ask', to: 'no', on: '1' },
  ],
});

/** Runs that the published widget cancels, resumes, and shows the nodes of (contract sections 7 and 11). */
describeInBrowser('the published widget', () => {
  const fixture = widgetFixture();
  const { client } = fixture;

  const lastRun = async (flowId: string) => {
    const { data } = (await client.admin('GET', `executions?flowId=${flowId}&limit=1`)).body;
    return client.ended(data[0].id as string);
  };

  it('cancels a run before its answer has begun', async () => {
    const held = new Hold();
    fixture.model.answers.push({ held, tokens: ['too late'] });
    const flow = await client.flow(chatFlow(fixture.model.url));
    const widget = await fixture.visit(flow);
    await widget.say('Hi');
    await widget.stop().click();
    await widget.idle();
    expect(await lastRun(flow)).toMatchObject({ status: 'aborted', httpStatus: 499 });
    held.letGo();
    await widget.say('Once more');
    await widget.answered('Hello there');
  });

  it('cancels a run in the middle of its answer', async () => {
    const held = new Hold();
    fixture.model.answers.push({ held, heldAfter: 1, tokens: ['Half', ' and half'] });
    const flow = await client.flow(chatFlow(fixture.model.url));
    const widget = await fixture.visit(flow);
    await widget.say('Hi');
    await widget.answered('Half');
    await widget.stop().click();
    await widget.idle();
    expect(await lastRun(flow)).toMatchObject({ status: 'aborted' });
    held.letGo();
    await widget.say('Once more');
    await widget.answered('Hello there');
  });

  it.each([
    ['Proceed', 'Ordered. You said: '],
    ['Reject', 'Nothing was ordered: '],
  ])('resumes a waiting run with its button %s', async (label, answer) => {
    const flow = await client.flow(approval());
    const widget = await fixture.visit(flow);
    await widget.say('two lamps');
    await widget.answered('Order two lamps?');
    await widget.button(label).click();
    await widget.answered(answer);
    await widget.idle();
    await expectSoon(() => widget.button(label).count()).toBe(0);
  });

  it('sends the comment of a decision', async () => {
    const widget = await fixture.visit(await client.flow(approval({ feedback: true })));
    await widget.say('two lamps');
    await widget.button('Reject').click();
    await widget.page.getByPlaceholder('Please provide your feedback').fill('too dear');
    await widget.button('Submit').click();
    await widget.answered('Nothing was ordered: too dear');
    await widget.idle();
  });

  it('finds a run still waiting after a reload', async () => {
    const widget = await fixture.visit(await client.flow(approval()));
    await widget.say('two lamps');
    await widget.button('Proceed').waitFor();
    await widget.reload();
    await widget.button('Proceed').click();
    await widget.answered('Ordered.');
    await widget.idle();
  });

  it('takes the next question if somebody else has decided before', async () => {
    const flow = await client.flow(approval());
    const widget = await fixture.visit(flow);
    await widget.say('two lamps');
    await widget.button('Proceed').waitFor();
    const { data } = (await client.admin('GET', `executions?flowId=${flow}&status=waiting&limit=1`)).body;
    const { approvals } = (await client.admin('GET', `executions/${data[0].id}`)).body;
    const humanInput = { type: 'reject', startNodeId: approvals[0].name as string };
    await client.admin('POST', `flows/${flow}/run`, { chatId: data[0].chatId, humanInput });
    await widget.button('Proceed').click();
    await widget.idle();
    await expectSoon(() => widget.lastAnswer().innerText()).toBe('Order two lamps?');
    // The widget displays only 401, 403 and 429; for others it throws, and nobody catches that.
    await widget.threw('Error');
    await widget.say('three chairs');
    await widget.answered('Order three chairs?');
  });

  it.each([true, false])('draws the nodes of a run (exposeTrace: %s)', async (exposeTrace) => {
    const nodes = [
      { id: 'start', kind: 'start' },
      { id: 'each', kind: 'iteration', label: 'Each room', config: { items: '["Hall", "Kitchen"]' } },
      { id: 'say', kind: 'reply', parentNode: 'each', config: { message: 'In {{$iteration}}' } },
      { id: 'reply', kind: 'reply', label: 'Sum up', config: { message: 'Rooms: {{each}}' } },
    ];
    const edges = [
      { from: 'start', to: 'each' },
      { from: 'each', to: 'reply' },
    ];
    const widget = await fixture.visit(
      await client.flow({ name: 'Rooms', exposeTrace, nodes, edges }),
      TRACES,
    );
    await widget.say('Hi');
    await widget.answered(/Rooms: In Hall\s+In Kitchen/);
    await widget.idle();
    await widget.page.getByTitle('Traces').click();
    for (const label of ['Each room', 'Sum up']) await widget.page.getByText(label).first().click();
    const output = widget.page.getByText('Rooms: In Hall');
    if (exposeTrace) await output.nth(1).waitFor();
    else await expectSoon(() => output.count()).toBe(1);
  });

  it('shows the reasoning of an agent, and its calls in the trace', async () => {
    const model = { provider: 'openai-compatible', name: 'fake', baseUrl: fixture.model.url };
    fixture.model.answers.push(
      { thinking: ['I wonder', ' what day it is'], toolCalls: [{ name: 'today', arguments: '{}' }] },
      { thinking: ['So'], tokens: ['It is', ' Monday'] },
    );
    const nodes = [
      { id: 'start', kind: 'start' },
      {
        id: 'agent',
        kind: 'agent',
        label: 'Ask the calendar',
        config: { model, tools: [{ tool: 'date-time', name: 'today' }] },
      },
    ];
    const edges = [{ from: 'start', to: 'agent' }];
    const flow = await client.flow({ name: 'Agent', exposeTrace: true, nodes, edges });
    const widget = await fixture.visit(flow, TRACES);
    await widget.say('Which day is it?');
    await widget.answered('It is Monday');
    await widget.idle();
    await widget.page
      .getByText(/Thought|Thinking/)
      .first()
      .waitFor();
    await widget.page.getByTitle('Traces').click();
    await widget.page.getByText('Ask the calendar').first().click();
    await widget.page.getByText('It is Monday').nth(1).waitFor();
  });
});
