import { expectAccessible } from './support/accessibility.js';
import { PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { echoFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

const HOSTILE = '<img src=x onerror="document.title=1"> {{question}} \u202Ereversed';

describeInBrowser('feedback and leads in the console', () => {
  const { client, open, page, row, heading } = consoleFixture();

  async function ask(flow: string, question: string, chatId: string): Promise<string> {
    return (await client.predict(flow, { question, chatId })).body.chatMessageId as string;
  }
  const rate = (flow: string, more: object) => client.send('POST', `/api/v1/feedback/${flow}`, more);
  const lead = (flow: string, more: object) =>
    client.send('POST', '/api/v1/leads', { chatflowid: flow, chatId: '447700900123', ...more });

  it('are linked from the flow, and name the rated answer', async () => {
    const flow = await client.flow(echoFlow({ name: 'Rated' }));
    const chatId = '447700900123';
    const messageId = await ask(flow, 'Größe der Bremsscheibe?', chatId);
    await rate(flow, { chatId, messageId, rating: 'THUMBS_DOWN', content: 'It forgot the colour' });
    await rate(flow, { chatId, messageId: 'of-nothing', rating: 'THUMBS_UP', content: HOSTILE });
    await lead(flow, { name: 'Ann', email: 'ann@example.org', phone: '+44 7700 900123' });
    await lead(flow, { name: HOSTILE, email: 'javascript:alert(1)', phone: 'tomorrow' });

    await open('/console/flows');
    await page().getByRole('button', { name: 'More about Rated' }).click();
    await page().getByRole('menuitem', { name: 'Feedback and leads' }).click();
    await heading('Feedback and leads').waitFor();
    const rated = row('It forgot the colour');
    for (const words of ['Not helpful', 'Größe der Bremsscheibe?', 'You said: Größe der Bremsscheibe?'])
      await rated.getByText(words, { exact: true }).waitFor();
    await row('{{question}}').getByText('The answer is no longer stored').waitFor();
    await expectAccessible(page());

    await page().getByRole('tab', { name: 'Leads' }).click();
    await expectSoon(async () => page().url()).toContain('tab=leads');
    const reached = (name: string) => row('Ann').getByRole('link', { name }).getAttribute('href');
    await row('Ann').waitFor();
    expect([await reached('ann@example.org'), await reached('+44 7700 900123')]).toEqual([
      'mailto:ann%40example.org',
      'tel:+447700900123',
    ]);
    await expectSoon(() => row('javascript').getByRole('link').count()).toBe(1);
    await expectAccessible(page());
    await row('Ann').getByRole('link', { name: chatId }).click();
    await heading('Executions').waitFor();
    await page().getByText('Größe der Bremsscheibe?').first().waitFor();
  });

  it('are listed in pages', async () => {
    const flow = await client.flow(echoFlow({ name: 'Many' }));
    for (let count = 1; count <= 101; count++) await lead(flow, { name: `Number ${count}.` });
    await open(`/console/flows/${flow}/visitors?tab=leads`);
    await row('Number 101.').waitFor();
    await expectSoon(() => row('Number 1.').count()).toBe(0);
    await page().getByRole('button', { name: 'Show more' }).click();
    await row('Number 1.').waitFor();
    await page().getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
  });

  it('report on a phone an empty list, and an unknown flow', async () => {
    const flow = await client.flow(echoFlow({ name: 'Quiet' }));
    const { go } = await open(`/console/flows/${flow}/visitors`, { browser: PHONE });
    await page().getByRole('heading', { name: 'No feedback yet' }).waitFor();
    await page().getByRole('link', { name: 'Quiet' }).waitFor();
    await expectAccessible(page());
    await page().getByRole('tab', { name: 'Leads' }).click();
    await page().getByRole('heading', { name: 'No lead yet' }).waitFor();
    await rate(flow, {
      chatId: 'a'.repeat(256),
      messageId: 'x',
      rating: 'THUMBS_UP',
      content: 'w'.repeat(900),
    });
    await go(`/console/flows/${flow}/visitors`);
    await row('wwww').waitFor();
    await expectAccessible(page());
    await go('/console/flows/no-such-flow/visitors');
    await page().getByText('A flow with this id does not exist').waitFor();
  });
});
