import type { Route } from 'playwright-core';
import { expectAccessible } from './support/accessibility.js';
import { PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { echoFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

const HOSTILE = '<img src=x onerror="document.title=1"> {{question}} \u202Ereversed';

describeInBrowser('rate limits in the console', () => {
  const { client, open, page, row, dialog, giveKey, refuseKeyOnce } = consoleFixture({
    env: { TRUST_PROXY: '1' },
  });
  const call = (flowId: string, headers: Record<string, string> = {}) =>
    client.predict(flowId, { question: 'Hello' }, headers);

  const edit = async (name: string) => {
    await page()
      .getByRole('button', { name: `Edit who may call ${name}`, exact: true })
      .click();
    return dialog('Who may call');
  };
  const access = async (flowId: string) => (await client.admin('GET', `flows/${flowId}`)).body.access;

  it('are set and enforced, and show their current use', async () => {
    const flow = await client.flow(echoFlow({ name: 'Limited', price: 0 }));
    await open('/console/access/limits');
    await row('Limited').getByText('No limit').waitFor();
    const form = await edit('Limited');
    await form.getByText('Limit calls per caller').click();
    await form.getByLabel('Calls', { exact: true }).fill('0');
    await form.getByLabel('Window in seconds').fill('1.5');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Enter a whole number from 1 to 1,000,000.').waitFor();
    await form.getByText('Whole seconds').waitFor();
    await expectAccessible(page());
    await form.getByLabel('Calls', { exact: true }).fill('2');
    await form.getByLabel('Window in seconds').fill('590');
    await form.getByLabel('Message to refused callers').fill('Gently, please.');
    await refuseKeyOnce(`**/api/v1/flows/${flow}`);
    await form.getByRole('button', { name: 'Save' }).click();
    await giveKey();
    await row('Limited').getByText('2 calls in 9 min 50 s').waitFor();

    const from = { 'X-Forwarded-For': '198.51.100.77' };
    expect((await call(flow, from)).status).toBe(200);
    await row('Limited').getByText('1 of 2').waitFor();
    expect((await call(flow, from)).status).toBe(200);
    const refused = await call(flow, from);
    expect([refused.status, refused.body.message]).toEqual([429, 'Gently, please.']);
    await row('Limited').getByText('2 of 2').waitFor();
    await row('Limited')
      .getByText(/198\.51\.100\.77, free in \d+ min \d+ s/)
      .waitFor();
    await expectAccessible(page());
    expect((await client.admin('GET', `flows/${flow}`)).body.nodes).toHaveLength(2);
  });

  it("are merged with others' changes; a conflicting change is shown first", async () => {
    const flow = await client.flow(echoFlow({ name: 'Shared', access: { public: false } }));
    const put = async (more: object) => {
      const { body } = await client.admin('GET', `flows/${flow}`);
      await client.admin('PUT', `flows/${flow}`, { ...body, ...more });
    };
    let raced = 0;
    await open('/console/access/limits');
    const form = await edit('Shared');
    await put({ description: 'by another', access: { public: true } });
    await form.getByText('Limit calls per caller').click();
    // Another admin saves between reading the flow and writing it.
    const quicker = async (route: Route) => {
      await put({ price: 9 });
      await route.continue();
    };
    await page().route(
      (url) => url.pathname.endsWith(`/flows/${flow}`),
      (route) => (route.request().method() === 'PUT' && !raced++ ? quicker(route) : route.continue()),
    );
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect(raced).toBe(2);
    expect((await client.admin('GET', `flows/${flow}`)).body.price).toBe(9);
    expect(await access(flow)).toMatchObject({
      public: true,
      rateLimit: { limit: 60, windowSeconds: 60 },
    });
    expect((await client.admin('GET', `flows/${flow}`)).body.description).toBe('by another');

    await row('Shared').getByText('60 calls in 1 min').waitFor();
    await edit('Shared');
    await form.getByLabel('Calls', { exact: true }).fill('5');
    await put({ access: { public: true, rateLimit: { limit: 9, windowSeconds: 9 } } });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Someone else has changed the rate limit').waitFor();
    await expectSoon(() => form.getByLabel('Calls', { exact: true }).inputValue()).toBe('5');
    expect(await access(flow)).toMatchObject({ rateLimit: { limit: 9 } });
    await expectAccessible(page());
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await access(flow)).toMatchObject({ rateLimit: { limit: 5, windowSeconds: 60 } });
  });

  it('stand beside who may call: key, websites, public page', async () => {
    const { body: key } = await client.admin('POST', 'api-keys', { name: 'Partner' });
    const flow = await client.flow(echoFlow({ name: HOSTILE }));
    await open('/console/access/limits', { browser: PHONE });
    const form = await edit(HOSTILE);
    await form.getByRole('button', { name: 'API key' }).click();
    await page().getByRole('option', { name: 'Partner' }).click();
    await form.getByLabel('Allowed domains').fill('example.com\nnot a/host');
    await form.getByText('Public chat page').click();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('must be a host').first().waitFor();
    expect(await access(flow)).toMatchObject({ apiKeyId: null });
    await expectAccessible(page());
    await form.getByLabel('Allowed domains').fill('example.com\n*.example.org:8080');
    await form.getByRole('button', { name: 'Save' }).click();
    await row(HOSTILE).getByText('Key “Partner”').waitFor();
    await row(HOSTILE).getByText('From example.com and 1 more website').waitFor();
    expect(await access(flow)).toEqual({
      apiKeyId: key.id,
      allowedDomains: ['example.com', '*.example.org:8080'],
      public: true,
      rateLimit: null,
    });
    await expectSoon(() => page().evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
