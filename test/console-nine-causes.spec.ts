import { randomUUID } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { consoleFixture } from './support/console.js';
import { putExecutions, putTrace } from './support/execution-rows.js';
import { chatFlow, echoFlow } from './support/flows.js';
import { areasOf, drag, FLOW, inspectionsPage, picture } from './support/inspections-page.js';
import { describeInBrowser } from './support/page-fixture.js';

const HOUR_MS = 3_600_000;

/** Each begins on the start page; the clicks to the cause, and to its remedy, are counted. */
describeInBrowser('what an admin finds and mends from the start page', () => {
  const fixture = consoleFixture({
    env: { SAMPLES: 'on', INITIAL_CREDIT: '0', TRUST_PROXY: '1' },
  });
  const { client, open, page, dialog } = fixture;
  const { capture } = inspectionsPage(fixture);
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks++;
    await target.click();
  };
  const start = async () => {
    clicks = 0;
    await open('/console');
  };
  const strip = () => page().getByRole('region', { name: 'Needs attention' });
  /** Shows all causes, which costs a click where there are many. */
  const cause = async (words: string) => {
    const found = strip().getByRole('listitem').filter({ hasText: words });
    const all = strip().getByRole('button', { name: /Show all/ });
    // The names of flows come after their ids.
    await found.or(all).first().waitFor();
    if ((await found.count()) === 0) await click(all);
    return found;
  };
  const press = (name: string | RegExp) => click(page().getByRole('button', { name }));
  const choose = (box: ReturnType<typeof dialog>, name: string) => click(box.getByRole('button', { name }));

  beforeAll(async () => {
    await client.admin('POST', 'credit/default/top-ups', { amount: 1_000, reference: 'start' });
  });

  it('a chat that failed, and its node', async () => {
    const flow = await client.flow(chatFlow(fixture.model.url, { name: 'Failing' }));
    fixture.model.answers.push({ error: { status: 400, message: 'quota exhausted' } });
    await client.predict(flow, { question: 'a', chatId: 'of a tenant' });
    await start();
    await click((await cause('Failing')).getByRole('link', { name: /Open the latest/ }));
    await page().getByText('quota exhausted').first().waitFor();
    expect(clicks).toBeLessThanOrEqual(2);
    await press('Run again');
    await choose(dialog('Run again'), 'Run');
    await dialog('Run again').locator('.replay-head').getByText('Succeeded').waitFor();
    expect(clicks).toBeLessThanOrEqual(4);
  });

  it('an account without credit', async () => {
    const flow = await client.flow(echoFlow({ name: 'Poor', account: 'poor desk', price: 7 }));
    await client.predict(flow, { question: 'a' });
    await start();
    const poor = await cause('poor desk');
    expect(clicks).toBeLessThanOrEqual(2);
    await click(poor.getByRole('link', { name: 'Top up' }));
    await dialog('Top up').getByLabel('Reference').fill('invoice 7');
    await choose(dialog('Top up'), 'Add credits');
    await dialog('Top up').waitFor({ state: 'detached' });
    expect(clicks).toBeLessThanOrEqual(4);
    expect((await client.predict(flow, { question: 'a' })).status).toBe(200);
  });

  it('an address that is blocked', async () => {
    const guess = (id: string) => client.predict(id, { question: 'a' }, { 'x-forwarded-for': '203.0.113.9' });
    for (const id of ['unknown-1', 'unknown-2', 'unknown-3', 'unknown-4']) await guess(id);
    await start();
    await click((await cause('blocked address')).getByRole('link', { name: 'Lift the block' }));
    expect(clicks).toBeLessThanOrEqual(2);
    await press('Lift');
    await choose(page().getByRole('alertdialog'), 'Lift');
    await page().getByText('Block lifted.').waitFor();
    expect(clicks).toBeLessThanOrEqual(4);
  });

  it('a wrong key', async () => {
    const key = (await client.admin('POST', 'api-keys', { name: 'desk' })).body;
    const other = (await client.admin('POST', 'api-keys', { name: 'front door' })).body;
    const flow = await client.flow(echoFlow({ name: 'Keyed', access: { apiKeyId: key.id } }));
    await client.predict(flow, { question: 'a' }, { authorization: `Bearer ${other.key}` });
    await start();
    await click((await cause('Keyed')).getByRole('link', { name: /Open the latest/ }));
    await page().getByText('front door').waitFor();
    expect(clicks).toBeLessThanOrEqual(2);
    await click(page().getByRole('link', { name: 'Change the key' }));
    await dialog('Who may call').waitFor();
    expect(clicks).toBeLessThanOrEqual(4);
  });

  it('a rate limit', async () => {
    const flow = await client.flow(
      echoFlow({ name: 'Limited', access: { rateLimit: { limit: 1, windowSeconds: 3_600 } } }),
    );
    for (let call = 0; call < 2; call++) await client.predict(flow, { question: 'a' });
    await start();
    const limited = await cause('Limited');
    expect(clicks).toBeLessThanOrEqual(2);
    await click(limited.getByRole('link', { name: 'Change the limit' }));
    await dialog('Who may call').getByRole('textbox', { name: 'Calls' }).fill('100');
    await choose(dialog('Who may call'), 'Save');
    await dialog('Who may call').waitFor({ state: 'detached' });
    expect(clicks).toBeLessThanOrEqual(4);
    expect((await client.predict(flow, { question: 'a' })).status).toBe(200);
  });

  it('a website that is refused', async () => {
    const flow = await client.flow(
      echoFlow({ name: 'Listed', access: { allowedDomains: ['good.example'] } }),
    );
    await client.predict(flow, { question: 'a' }, { origin: 'https://bad.example' });
    await start();
    const refused = await cause('https://bad.example');
    expect(clicks).toBeLessThanOrEqual(2);
    await click(refused.getByRole('link', { name: 'Allow a domain' }));
    await choose(dialog('Who may call'), 'Save');
    await dialog('Who may call').waitFor({ state: 'detached' });
    expect(clicks).toBeLessThanOrEqual(4);
  });

  it('a run that is stuck', async () => {
    const startedAt = fixture.service.clock.now() - HOUR_MS;
    const stuck = { startedAt, flowName: 'Stuck', question: 'Are you there?', status: 'running' };
    const [id] = await putExecutions(fixture.service, [stuck]);
    await putTrace(fixture.service, id!, startedAt, [
      { nodeId: 'llm', label: 'Think', kind: 'llm', status: 'running' },
    ]);
    await start();
    await click(
      (await cause('Running for more than 10 minutes')).getByRole('link', { name: /Open the longest/ }),
    );
    await page().getByText('Think').first().waitFor();
    expect(clicks).toBeLessThanOrEqual(2);
    await press('Cancel');
    await choose(page().getByRole('alertdialog'), 'Cancel it');
    await page().getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(clicks).toBeLessThanOrEqual(4);
  });

  it('a photograph in the wrong area', async () => {
    const id = randomUUID();
    await capture(id, { area: 'Hallway', photographs: [await picture()] });
    await capture(id, { area: 'Kitchen', photographs: [await picture()] });
    await start();
    await click(page().getByRole('link', { name: 'Inspections' }));
    await click(page().getByRole('link', { name: id }));
    const hallway = page().getByRole('region', { name: 'Hallway', exact: true });
    await hallway.locator('.tile').waitFor();
    expect(clicks).toBeLessThanOrEqual(2);
    const kitchen = page().getByRole('region', { name: 'Kitchen', exact: true });
    await drag(page(), hallway.locator('.tile'), kitchen);
    clicks++;
    await page().getByText('1 photograph moved to Kitchen.').waitFor();
    expect(clicks).toBeLessThanOrEqual(4);
    const { body } = await client.admin('GET', `inspection/sessions/${id}?flowId=${FLOW}`);
    expect(areasOf(body)).toEqual(['Kitchen', 'Kitchen']);
  });

  it('a report that is missing', async () => {
    const id = randomUUID();
    await capture(id, { area: 'Bathroom', photographs: [await picture()] });
    await start();
    await click(page().getByRole('link', { name: 'Inspections' }));
    await click(page().getByRole('link', { name: id }));
    await page().getByText('Bathroom').first().waitFor();
    expect(clicks).toBeLessThanOrEqual(2);
    await click(page().getByRole('tab', { name: 'Report' }));
    await press('Render the report');
    await page().getByRole('region', { name: 'The report' }).waitFor();
    expect(clicks).toBeLessThanOrEqual(4);
  });
});
