import { expectSoon } from './support/expect-soon.js';
import { chatFlow, echoFlow, replyFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';
import { widgetFixture } from './support/widget-page.js';

/** npm `flowise-embed`, unmodified, on a page of another origin (contract section 7). */
describeInBrowser('the published widget', () => {
  const fixture = widgetFixture();
  const { client } = fixture;

  /** start → reply → set-state, a leaf that does not stream. */
  const settled = (more: object = {}) => ({
    ...echoFlow(),
    nodes: [
      ...echoFlow().nodes,
      { id: 'note', kind: 'set-state', config: { state: { last: '{{question}}' } } },
    ],
    edges: [...echoFlow().edges, { from: 'reply', to: 'note' }],
    ...more,
  });

  it('shows a streamed answer as it arrives, in one bubble', async () => {
    const widget = await fixture.visit(await client.flow(chatFlow(fixture.model.url)));
    fixture.model.answers.push({ tokens: ['Good ', 'morning'] });
    await widget.say('Hi');
    await widget.answered('Good morning');
    await widget.idle();
    await expectSoon(() => widget.answers().allInnerTexts()).toEqual([
      'Hi there! How can I help?',
      'Good morning',
    ]);
  });

  it('shows the answer of a flow that does not stream', async () => {
    const widget = await fixture.visit(await client.flow(settled()));
    await widget.say('Hi');
    await widget.answered('You said: Hi');
    await widget.idle();
  });

  it('continues its chat after a reload: the flow has its memory', async () => {
    const config = { messages: [], memory: { kind: 'all' } };
    const widget = await fixture.visit(await client.flow(chatFlow(fixture.model.url, {}, config)));
    await widget.say('My name is Olga');
    await widget.answered('Hello there');
    await widget.idle();
    await widget.reload();
    await widget.answered('Hello there');
    await widget.say('And my name?');
    await widget.idle();
    await expectSoon(() => widget.questions().allInnerTexts()).toEqual(['My name is Olga', 'And my name?']);
    const sentMessages = fixture.model.requests.at(-1)!.body.messages;
    expect(sentMessages).toMatchObject([
      { role: 'user', content: 'My name is Olga' },
      { role: 'assistant', content: 'Hello there' },
      { role: 'user', content: 'And my name?' },
    ]);
  });

  it('sends the key that its page adds to every request', async () => {
    const { id, key } = (await client.admin('POST', 'api-keys', { name: 'website' })).body;
    const flow = await client.flow(echoFlow({ access: { apiKeyId: id } }));
    const widget = await fixture.visit(flow, { key });
    await widget.say('Hi');
    await widget.answered('You said: Hi');
  });

  it('offers the first questions of the flow, and the follow-up questions of an answer', async () => {
    const nodes = [
      { id: 'start', kind: 'start' },
      { id: 'reply', kind: 'reply', config: { message: 'Which room?', choices: ['Kitchen', 'Hall "A"'] } },
    ];
    const flow = await client.flow(
      echoFlow({
        nodes,
        chat: { starterPrompts: ['Begin', 'What can you do?'], followUpPrompts: { status: true } },
      }),
    );
    const widget = await fixture.visit(flow);
    await widget.offer('Begin').click();
    await widget.answered('Which room?');
    await widget.offer('Hall "A"').click();
    await widget.questions().filter({ hasText: 'Hall "A"' }).waitFor();
    await widget.idle();
    await expectSoon(() => widget.questions().allInnerTexts()).toEqual(['Begin', 'Hall "A"']);
  });

  it('begins with a form, and shows the submitted values', async () => {
    const form = {
      title: 'About the property',
      description: 'Then we can begin.',
      inputs: [
        { type: 'string', label: 'Street', name: 'street' },
        { type: 'number', label: 'Rooms', name: 'rooms' },
        { type: 'boolean', label: 'Garden', name: 'garden' },
        { type: 'options', label: 'City', name: 'city', options: ['Leeds', 'York'] },
      ],
    };
    const nodes = [
      { id: 'start', kind: 'start', config: { inputType: 'form', form } },
      {
        id: 'reply',
        kind: 'reply',
        config: { message: '{{$form.street}}, {{$form.rooms}}, {{$form.garden}}, {{$form.city}}' },
      },
    ];
    const widget = await fixture.visit(await client.flow(echoFlow({ nodes })));
    await widget.page.getByText('About the property').waitFor();
    await widget.page.locator('[name=street]').fill('Acacia Avenue');
    await widget.page.locator('[name=rooms]').fill('4');
    await widget.page.locator('[name=garden]').check();
    await widget.page.locator('[name=city]').selectOption('York');
    await widget.button('Submit').click();
    await widget.answered('Acacia Avenue, 4, true, York');
  });

  it('sends a rating and its comment', async () => {
    const widget = await fixture.visit(
      await client.flow(echoFlow({ chat: { chatFeedback: { status: true } } })),
    );
    await widget.say('Hi');
    await widget.answered('You said: Hi');
    const given = widget.answerTo('POST', '/feedback/');
    await widget.page.getByTitle('Thumbs Down').click();
    expect(await given).toMatchObject({ rating: 'THUMBS_DOWN', content: '' });
    const changed = widget.answerTo('PUT', '/feedback/');
    await widget.page.getByPlaceholder('What do you think').fill('Too short');
    await widget.button(/Submit/).click();
    expect(await changed).toMatchObject({ rating: 'THUMBS_DOWN', content: 'Too short' });
  });

  it('requests contact data before the first question', async () => {
    const leads = {
      status: true,
      title: 'Who are you?',
      name: true,
      email: true,
      phone: true,
      successMessage: 'Thank you, go on.',
    };
    const widget = await fixture.visit(await client.flow(replyFlow('At your service', { chat: { leads } })));
    await widget.page.getByText('Who are you?').waitFor();
    await widget.page.getByPlaceholder('Name').fill('Olga');
    await widget.page.getByPlaceholder('Email').fill('olga@example.com');
    await widget.page.getByPlaceholder('Phone').fill('01134960000');
    const sent = widget.answerTo('POST', '/leads/');
    await widget.page.locator('form button').click();
    expect(await sent).toMatchObject({ name: 'Olga', email: 'olga@example.com', phone: '01134960000' });
    await widget.page.getByText('Thank you, go on.').waitFor();
    await widget.say('Hi');
    await widget.answered('At your service');
  });
});
