import { expectAccessible } from './support/accessibility.js';
import { PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { echoFlow, replyFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

const HOSTILE = '<img src=x onerror="document.title=1"> {{question}} \u202Ereversed';

describeInBrowser('credit in the console', () => {
  const { client, open, page, row, dialog, press, giveKey, refuseKeyOnce } = consoleFixture({
    env: { INITIAL_CREDIT: '250' },
  });
  const call = (flowId: string, headers: Record<string, string> = {}) =>
    client.predict(flowId, { question: 'Hello' }, headers);

  const topUp = async (amount: string, reference: string) => {
    const form = dialog('Top up');
    await form.getByLabel('Credits').fill(amount);
    await form.getByLabel('Reference').fill(reference);
    await form.getByRole('button', { name: 'Add credits' }).click();
    return form;
  };
  const balance = async (account: string) =>
    (await client.admin('GET', `credit/${encodeURIComponent(account)}`)).body.balance as number;

  it('is topped up; the same reference a second time is reported as known', async () => {
    await client.flow(echoFlow({ name: 'Dear', price: 100, account: 'agency' }));
    await open('/console/access/credit?account=agency');
    await page().getByText('Too low').waitFor();
    await page().getByText('until you top up the account.').waitFor();
    await press('Top up');
    for (const [typed, said] of [
      ['', 'Enter the number of credits.'],
      ['1.5', 'Credits are whole numbers'],
      ['0', 'At least 1 credit.'],
      ['9007199254740992', 'You can add at most'],
    ] as const) {
      await (await topUp(typed, '')).getByText(said).waitFor();
      await dialog('Top up').getByText('Enter a reference.').waitFor();
    }
    await expectAccessible(page());
    await topUp('1,000', 'invoice 7');
    await page().getByText('1,000 credits added.').waitFor();
    await dialog('Top up').waitFor({ state: 'detached' });
    await page().getByText('10 runs', { exact: true }).waitFor();

    await press('Top up');
    const form = await topUp('500', 'invoice 7');
    await form.getByText('is that of a top-up of 1000 credits. Nothing was added').waitFor();
    await (await topUp('1,000', 'invoice 7')).getByText('Nothing was added: “invoice 7”').waitFor();
    await (await topUp('500', 'invoice 7')).getByText('give another payment another reference').waitFor();
    await expectSoon(() => form.getByLabel('Credits').inputValue()).toBe('500');
    await expectAccessible(page());
    await topUp('500', 'invoice 8');
    await dialog('Top up').waitFor({ state: 'detached' });
    expect(await balance('agency')).toBe(1_500);
  });

  it('loses no input if the key is refused or the service is unreachable meanwhile', async () => {
    await open('/console/access/credit');
    await press('Top up');
    await page().route('**/top-ups', (route) => route.abort(), { times: 1 });
    const form = await topUp('40', 'invoice 9');
    await form.getByText('The service cannot be reached.').waitFor();
    await refuseKeyOnce('**/top-ups');
    await form.getByRole('button', { name: 'Add credits' }).click();
    await giveKey();
    await form.waitFor({ state: 'detached' });
    await row('invoice 9').getByText('+40').waitFor();
    const { body } = await client.admin('GET', 'credit/default/entries');
    expect(body.data.filter((entry: { reference: string }) => entry.reference === 'invoice 9')).toHaveLength(
      1,
    );
  });

  it('has a ledger with links and a chart, which follows new charges', async () => {
    const flow = await client.flow(echoFlow({ name: 'Desk', price: 7 }));
    const failing = await client.flow({
      ...replyFlow('x', { name: 'Broken', price: 3 }),
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'http', kind: 'http', config: { method: 'GET', url: 'http://nowhere.invalid/' } },
      ],
      edges: [{ from: 'start', to: 'http' }],
    });
    const before = await balance('default');
    await call(flow);
    await call(failing);
    await open('/console/access/credit');
    await row('Refund').getByText('+3', { exact: true }).waitFor();
    const chart = page().getByRole('img', { name: /Balance over the last \d+ movements/ });
    await chart.waitFor();
    await expectSoon(() => chart.getAttribute('aria-label')).toContain(`to ${before - 7}`);
    await chart.locator('svg path').first().waitFor();
    await expectAccessible(page());
    const { headers } = await call(flow);
    const id = headers.get('x-execution-id')!;
    await row(id).getByText('−7').waitFor();
    await row(id).getByRole('link').click();
    await page().waitForURL(`**/console/executions/${id}`);
  });

  it('pages through a long ledger, of accounts with any name', async () => {
    const account = `${HOSTILE} / Büro`;
    for (let n = 1; n <= 105; n++) {
      const path = `credit/${encodeURIComponent(account)}/top-ups`;
      await client.admin('POST', path, { amount: n, reference: n === 1 ? HOSTILE : `r${n}` });
    }
    await open('/console/access/credit', { browser: PHONE });
    await page().getByRole('button', { name: 'Account' }).click();
    await page().getByRole('option', { name: account }).click();
    await page().getByText('5,565', { exact: false }).first().waitFor();
    await page().getByText('No flow is charged to this account.').waitFor();
    await row('+105').waitFor();
    await expectSoon(() => page().getByRole('row').count()).toBe(101);
    await press('Load earlier entries');
    await row(HOSTILE).waitFor();
    await expectSoon(() => page().getByRole('row').count()).toBe(106);
    await page().getByRole('button', { name: 'Load earlier entries' }).waitFor({ state: 'detached' });
    await expectSoon(() => page().evaluate('document.documentElement.scrollWidth')).toBe(390);
    await expectAccessible(page());
    await page().reload();
    await row('+105').waitFor();
    await expectSoon(() => page().title()).toBe('Access · Console');
  });
});
