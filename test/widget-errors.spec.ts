import { chatFlow, echoFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';
import { type Widget, widgetFixture } from './support/widget-page.js';

const note = { id: 'note', kind: 'set-state', config: { state: { last: '{{question}}' } } };

/** Its leaf does not stream, so that the widget requests JSON. */
const answeredAtOnce = <Flow extends { nodes: { id: string }[]; edges: object[] }>(flow: Flow) => ({
  ...flow,
  nodes: [...flow.nodes, note],
  edges: [...flow.edges, { from: flow.nodes.at(-1)!.id, to: note.id }],
});

const limited = { rateLimit: { limit: 1, windowSeconds: 3600, message: 'Come back tomorrow.' } };
const elsewhere = { allowedDomains: ['shop.example'] };
const FAILURE = { error: { status: 400, message: 'the model is on holiday' } };

/** Failed calls of the published widget (contract section 2), and their display. */
describeInBrowser('the published widget', () => {
  const fixture = widgetFixture();
  const { client } = fixture;
  const refusals: [number, () => Promise<object>, string][] = [
    [401, keyed, 'This needs the API key of its flow.'],
    [403, () => Promise.resolve({ access: elsewhere }), 'This flow may not be called from this site.'],
    [429, () => Promise.resolve({ access: limited }), 'Come back tomorrow.'],
  ];

  async function keyed(): Promise<object> {
    const { id } = (await client.admin('POST', 'api-keys', { name: 'of somebody else' })).body;
    return { access: { apiKeyId: id } };
  }

  /** Sends a message to this flow; returns the widget and the last message that it shows. */
  async function ask(definition: object): Promise<{ widget: Widget; shown: string }> {
    const flow = await client.flow(definition);
    // Uses up the limit, if there is one.
    await client.predict(flow, { question: 'first' });
    const widget = await fixture.visit(flow);
    await widget.say('Hi');
    await widget.idle();
    return { widget, shown: await widget.lastAnswer().innerText() };
  }

  it.each(refusals)('shows why a stream is refused with %d', async (_, reason, sentence) => {
    const { widget, shown } = await ask(echoFlow(await reason()));
    expect(shown).toContain(sentence);
    // The widget throws the displayed error, and nobody catches that: no fault of the answer.
    await widget.threw(shown);
  });

  it('shows nothing if a stream is refused with 402, and takes the next question', async () => {
    const { widget, shown } = await ask(echoFlow({ account: 'empty' }));
    expect(shown).toBe('Hi there! How can I help?');
    await widget.threw('Error');
  });

  it.each([
    ...refusals,
    [402, () => Promise.resolve({ account: 'empty' }), 'This flow has no credit left.'] as const,
  ])('shows why an answer as JSON is refused with %d', async (_, reason, sentence) => {
    const { shown } = await ask(answeredAtOnce(echoFlow(await reason())));
    expect(shown).toMatch(new RegExp(`^Error: ${sentence}`));
  });

  it('reports that the flow failed, within the stream or in place of the answer', async () => {
    const flow = chatFlow(fixture.model.url);
    for (const [definition, said] of [
      [flow, 'The flow failed.'],
      [answeredAtOnce(flow), 'Error: The flow failed.'],
    ] as const) {
      fixture.model.answers.push(FAILURE, FAILURE);
      expect((await ask(definition)).shown).toContain(said);
    }
  });

  it('reports that there is no such flow', async () => {
    const widget = await fixture.visit('no-such-flow');
    await widget.say('Hi');
    await widget.answered('Error: There is no flow with this id.');
    await widget.idle();
  });
});
