import { expectAccessible } from './support/accessibility.js';
import { consoleFixture } from './support/console.js';
import { putExecutions } from './support/execution-rows.js';
import { expectSoon } from './support/expect-soon.js';
import { echoFlow } from './support/flows.js';
import { holdRequests } from './support/hold-requests.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('what needs attention', () => {
  const fixture = consoleFixture({
    env: { INITIAL_CREDIT: '0' },
  });
  const { client, open, page, dialog } = fixture;
  const strip = () => page().getByRole('region', { name: 'Needs attention' });
  const cause = (words: string) => strip().getByRole('listitem').filter({ hasText: words });

  it('is a page that is not allowed: its domain is filled in', async () => {
    const flow = await client.flow(
      echoFlow({ name: 'Listed', access: { allowedDomains: ['good.example'] } }),
    );
    for (let call = 0; call < 2; call++)
      await client.predict(flow, { question: 'a' }, { origin: 'https://bad.example' });
    await open('/console/executions');
    const listed = cause('website that is not allowed');
    await listed.getByText('2 calls').waitFor();
    await listed.getByText('https://bad.example').waitFor();
    await expectAccessible(page());
    await listed.getByRole('link', { name: 'Allow a domain' }).click();
    const domains = dialog('Who may call').getByLabel('Allowed domains');
    await domains.waitFor();
    await expectSoon(() => domains.inputValue()).toBe('good.example\nbad.example');
    await dialog('Who may call').getByRole('button', { name: 'Save' }).click();
    await dialog('Who may call').waitFor({ state: 'detached' });
    const { status } = await client.predict(flow, { question: 'a' }, { origin: 'https://bad.example' });
    expect(status).not.toBe(403);
  });

  it('is an account without credit: account and amount are filled in', async () => {
    const flow = await client.flow(echoFlow({ name: 'Poor', account: 'poor desk', price: 7 }));
    for (let call = 0; call < 3; call++) await client.predict(flow, { question: 'a' });
    await open('/console/executions');
    const poor = cause('Not enough credit').filter({ hasText: 'poor desk' });
    await poor.getByRole('link', { name: 'Top up' }).click();
    await dialog('Top up').getByText('poor desk').waitFor();
    await expectSoon(() => dialog('Top up').getByLabel('Credits').inputValue()).toBe('21');
  });

  it('is shown once the flows are known, whose prices its remedies need', async () => {
    const flow = await client.flow(echoFlow({ name: 'Broke', account: 'broke desk', price: 5 }));
    await client.predict(flow, { question: 'a' });
    const { page, go } = await open('/console/documents');
    const release = await holdRequests(page, '**/api/v1/flows?*');
    await go('/console/executions');
    await page.getByRole('region', { name: 'Outcome over time' }).locator('svg').first().waitFor();
    expect(await strip().count()).toBe(0);
    release();
    await cause('Not enough credit')
      .filter({ hasText: 'broke desk' })
      .getByRole('link', { name: 'Top up' })
      .click();
    await expectSoon(() => dialog('Top up').getByLabel('Credits').inputValue()).toBe('5');
  });

  it('links to the calls of a cause and to the latest one', async () => {
    const key = (await client.admin('POST', 'api-keys', { name: 'desk' })).body;
    const other = (await client.admin('POST', 'api-keys', { name: 'front door' })).body;
    const flow = await client.flow(echoFlow({ name: 'Keyed', access: { apiKeyId: key.id } }));
    await client.predict(flow, { question: 'a' }, { authorization: `Bearer ${other.key}` });
    await open('/console/executions');
    const keyed = cause('Missing or wrong API key').filter({ hasText: 'Keyed' });
    await keyed.getByRole('link', { name: '1 call' }).click();
    await page().waitForURL(/[?&]code=/);
    await page().getByRole('grid', { name: 'Executions' }).getByRole('row').first().waitFor();
    const { code, flowId } = Object.fromEntries(new URL(page().url()).searchParams);
    expect([code, flowId]).toEqual(['invalid_api_key', flow]);
    await page().goBack();
    await keyed.getByRole('link', { name: 'Open the latest: Missing or wrong API key' }).click();
    await page().getByText('front door').waitFor();
    await page().getByText('of another flow').waitFor();
  });

  it('is the run that began first, however many have not ended', async () => {
    const began = fixture.service.clock.now() - 86_400_000;
    const runs = Array.from({ length: 230 }, (_, at) => ({
      startedAt: began + at * 1_000,
      status: 'running',
      flowName: 'Stuck',
      question: `Stuck ${at}`,
    }));
    const [first] = await putExecutions(fixture.service, runs);
    await open('/console/executions');
    const stuck = cause('Running for more than 10 minutes');
    await stuck.getByText('230 runs').waitFor();
    await stuck.getByRole('link', { name: 'Open the longest' }).click();
    await page().waitForURL(`**/executions/${first}*`);
  });

  it('is empty without refusals and with filters', async () => {
    await open('/console/executions?kind=capture');
    await page().getByRole('region', { name: 'Outcome over time' }).waitFor();
    await expectSoon(() => strip().count()).toBe(0);
  });

  it('lists the longest first', async () => {
    const now = fixture.service.clock.now();
    await putExecutions(fixture.service, [
      { startedAt: now - 2_000, chatId: 'long-1', durationMs: 9_000 },
      { startedAt: now - 1_000, chatId: 'long-2', durationMs: 90_000 },
      { startedAt: now - 500, chatId: 'long-3', durationMs: 10 },
    ]);
    await open('/console/executions?minDurationMs=1000&sort=duration');
    const rows = page().getByRole('grid', { name: 'Executions' }).getByRole('row');
    await rows.nth(1).waitFor();
    await expectSoon(() => rows.count()).toBe(2);
    await expectSoon(() => rows.nth(0).textContent()).toContain('long-2');
    await expectSoon(() => rows.nth(1).textContent()).toContain('long-1');
  });
});
