import { Overloaded } from '../src/common/service-error.js';
import { FunctionSandbox } from '../src/flows/nodes/function/function-sandbox.js';
import { expectAccessible } from './support/accessibility.js';
import { chatFixture, type ChatPage, published } from './support/chat-page.js';
import { expectSoon } from './support/expect-soon.js';
import { Hold } from './support/fake-model.js';
import { chatFlow, echoFlow } from './support/flows.js';
import { describeInBrowser, restartService } from './support/page-fixture.js';

const counted = (count: number, mark: string) =>
  Array.from({ length: count }, (_, index) => `${mark}${index} `);

/** Keeps the page from repeating a lost call by itself, five seconds later: only the person does. */
const WITHOUT_REPEATS = `{
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (work, ms, ...given) => (ms === 5_000 ? 0 : setTimeout(work, ms, ...given));
}`;

describeInBrowser('a chat that is disconnected or refused', () => {
  const fixture = chatFixture();
  const { client } = fixture;
  let chat: ChatPage;

  beforeEach(async () => {
    chat = await fixture.visit();
  });

  const open = (flowId: string, url = fixture.service.url) => chat.open(flowId, url);

  it('reconnects to an answer whose connection broke, and shows all of it once', async () => {
    const tokens = counted(40, 'n');
    const held = new Hold();
    fixture.model.answers.push({ tokens, tokenMs: 5, held, heldAfter: 20 });
    await open(await client.flow(chatFlow(fixture.model.url, published)), fixture.network.url);
    const before = fixture.model.requests.length;
    await chat.say('Count');
    await chat.lastAnswer().getByText('n5').waitFor();
    fixture.network.cut();
    await chat.page.getByText('Connection lost. Reconnecting…').waitFor();
    fixture.network.mend();
    held.letGo();
    await chat.idle();
    await expectSoon(async () => (await chat.lastAnswer().textContent())!.trim()).toBe(
      tokens.join('').trim(),
    );
    await expectSoon(() => chat.answers().count()).toBe(1);
    expect(fixture.model.requests.length).toBe(before + 1);
  });

  it('resumes the answer after a reload', async () => {
    const tokens = counted(40, 'm');
    const held = new Hold();
    fixture.model.answers.push({ tokens, tokenMs: 5, held, heldAfter: 20 });
    await open(await client.flow(chatFlow(fixture.model.url, published)));
    await chat.say('Count');
    await chat.lastAnswer().getByText('m5').waitFor();
    await chat.page.reload();
    await chat.lastAnswer().getByText('m5').waitFor();
    held.letGo();
    await chat.lastAnswer().getByText('m39').waitFor();
    await chat.idle();
    await expectSoon(async () => (await chat.lastAnswer().textContent())!.trim()).toBe(
      tokens.join('').trim(),
    );
    await expectSoon(() => chat.page.getByText('Count').count()).toBe(1);
  });

  it('retries an undelivered message under the same idempotency key', async () => {
    const sent = chat.predictions();
    await chat.page.addInitScript(WITHOUT_REPEATS);
    await open(await client.flow(echoFlow(published)), fixture.network.url);
    await chat.field().waitFor();
    fixture.network.cut();
    await chat.say('Hello?');
    await chat.page.getByRole('main').getByText('Waiting for the network').waitFor();
    fixture.network.mend();
    await chat.button('Try again').click();
    await chat.lastAnswer().getByText('You said: Hello?').waitFor();
    const keys = await Promise.all(sent.map((request) => request.headerValue('idempotency-key')));
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });

  it('explains a failure in words, and retries a failed run under another key', async () => {
    const sent = chat.predictions();
    const id = await client.flow(chatFlow(fixture.model.url, published));
    fixture.model.answers.push({ error: { status: 400, message: 'bad' } }, { tokens: ['Better', ' now'] });
    await open(id);
    await chat.say('Try');
    await chat.trouble('Something went wrong while answering your message').waitFor();
    await chat.button('Try again').click();
    await chat.lastAnswer().getByText('Better now').waitFor();
    const keys = await Promise.all(sent.map((request) => request.headerValue('idempotency-key')));
    // The failure stored under the first key does not answer the retry.
    expect([keys.length, keys[1] === keys[0], keys[2] === keys[0]]).toEqual([3, true, false]);
    await expectSoon(() => chat.page.getByRole('alert').count()).toBe(0);
  });

  it('resumes a run that the service could not finish, without repeating its effects', async () => {
    const flow = chatFlow(fixture.model.url, published);
    const nodes = [...flow.nodes, { id: 'then', kind: 'function', config: { code: 'return "Done";' } }];
    const edges = [...flow.edges, { from: 'llm', to: 'then' }];
    fixture.model.answers.push({ tokens: ['Asked', ' once'] });
    await open(await client.flow({ ...flow, nodes, edges }));
    const before = fixture.model.requests.length;
    const busy = jest
      .spyOn(fixture.service.app.get(FunctionSandbox), 'run')
      .mockRejectedValueOnce(new Overloaded('Busy.', 1));
    await chat.say('Try');
    await chat.trouble('The service could not finish this answer').waitFor();
    await chat.button('Try again').click();
    await chat.lastAnswer().getByText('Done').waitFor();
    expect(busy).toHaveBeenCalledTimes(2);
    expect(fixture.model.requests.length).toBe(before + 1);
    busy.mockRestore();
  });

  it('shows beside each unanswered message the reason, after the chat has moved on', async () => {
    fixture.model.answers.push(
      { error: { status: 400, message: 'bad' } },
      { error: { status: 400, message: 'bad' } },
    );
    await open(await client.flow(chatFlow(fixture.model.url, published)), fixture.network.url);
    const why = (words: string) => chat.page.getByRole('article', { name: 'You' }).filter({ hasText: words });
    await chat.say('The first');
    await chat.trouble('Something went wrong while answering your message. Try again.').waitFor();
    fixture.network.cut();
    await chat.say('The second');
    await chat.page.getByRole('main').getByText('Waiting for the network').waitFor();
    await expectSoon(() => why('The first').innerText()).toMatch(
      /^The first\s+Something went wrong while answering your message\.$/,
    );
    fixture.network.mend();
    // It is sent by itself, and this one after it.
    await chat.trouble('Something went wrong').waitFor();
    await chat.say('The third');
    await chat.lastAnswer().getByText('Hello there').waitFor();
    await chat.idle();
    await expectAccessible(chat.page);
    await chat.page.reload();
    await why('The second').getByText('Something went wrong').waitFor();
    await expectSoon(() => why('The first').getByText('Something went wrong').count()).toBe(1);
    await expectSoon(() => why('The third').innerText()).toBe('The third');
  });

  it('does not resend by itself a message that was refused before a reload', async () => {
    const access = { public: true, rateLimit: { limit: 1, windowSeconds: 600 } };
    await open(await client.flow(echoFlow({ access })));
    await chat.say('one');
    await chat.lastAnswer().getByText('You said: one').waitFor();
    await chat.idle();
    await chat.say('two');
    await chat.trouble('You can continue in 10 minutes.').waitFor();
    const sent = chat.predictions();
    await chat.page.reload();
    await chat.trouble('too many messages').waitFor();
    expect(sent).toHaveLength(0);
    await chat.button('Try again').click();
    await chat.page.getByRole('alert').waitFor();
    expect(sent).toHaveLength(1);
  });
});

describeInBrowser('the chat page while the service restarts', () => {
  const fixture = chatFixture();
  const { client } = fixture;

  it.each([
    ['and says so', 'nothing', 'The service stopped before the run had ended', 'Try again'],
    ['without a word', 'network', 'The service stopped before the run had ended', 'Try again'],
    ['and its record is deleted', 'record', 'the rest is not available', 'Send again'],
  ])(
    'reports that the answer is lost, and resends the message on request: %s',
    async (_, lost, words, label) => {
      const chat = await fixture.visit();
      const id = await client.flow(chatFlow(fixture.model.url, published));
      fixture.model.answers.push({ tokens: counted(400, 'k'), held: new Hold(), heldAfter: 10 });
      await chat.open(id, fixture.network.url);
      await chat.say('Count');
      await chat.lastAnswer().getByText('k5').waitFor();
      if (lost !== 'nothing') fixture.network.cut();
      await restartService(fixture, async () => {
        if (lost !== 'record') return;
        const [{ id: record }] = (await client.admin('GET', `executions?flowId=${id}`)).body.data;
        expect((await client.admin('DELETE', `executions/${record}`)).status).toBe(204);
      });
      await chat.trouble(words).waitFor();
      await expectAccessible(chat.page);
      const before = fixture.model.requests.length;
      fixture.model.answers.push({ tokens: ['All', ' of', ' it'] });
      await chat.button(label).click();
      await chat.lastAnswer().getByText('All of it').waitFor();
      expect(fixture.model.requests.length).toBe(before + 1);
      await expectSoon(() => chat.answers().count()).toBe(1);
    },
  );
});
