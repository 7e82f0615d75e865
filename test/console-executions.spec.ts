import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expectAccessible } from './support/accessibility.js';
import { DESK, holds, PHONE, SMALL_PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { eventually } from './support/eventually.js';
import { putExecutions } from './support/execution-rows.js';
import { executionsPage } from './support/executions-page.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser } from './support/page-fixture.js';

const HOUR_MS = 3_600_000;

/** Resolves when scrolling has stopped: two checks, two frames apart, find the same position. */
const AT_REST = `new Promise((done) => {
  const look = (before) => {
    const { scrollTop } = document.getElementById('content');
    scrollTop === before ? done() : requestAnimationFrame(() => requestAnimationFrame(() => look(scrollTop)));
  };
  look();
})`;

/** Returns by how many pixels the placeholder of the chat filter overflows. */
const CUT_OFF = `(() => {
  const field = document.querySelector('.filter-chat input');
  const style = getComputedStyle(field);
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = style.font;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return Math.max(0, pen.measureText(field.placeholder).width - room);
})()`;

describeInBrowser('executions in the console', () => {
  // Some records are older than the default: the first sweep, a minute after the start, would delete them.
  const fixture = consoleFixture({ env: { EXECUTION_RETENTION_DAYS: '36500' } });
  const { client, open, heading } = fixture;
  const { flows, list, rowWith, choose, search, failYesterday } = executionsPage(fixture);

  it('keeps the filters in the address, through reload and back', async () => {
    await putExecutions(fixture.service, [
      {
        startedAt: fixture.service.clock.now() - 1_000,
        chatId: 'kept-1',
        status: 'rejected',
        httpStatus: 401,
      },
    ]);
    const { page } = await open('/console/executions?chatId=kept-1');
    await list().getByRole('row').first().waitFor();
    await choose('Status', 'Rejected');
    await choose('HTTP status', 'HTTP 401');
    await choose('Kind', 'Prediction');
    await page.waitForURL(/kind=prediction/);
    const wanted = { chatId: 'kept-1', status: 'rejected', httpStatus: '401', kind: 'prediction' };
    await expectSoon(async () => search()).toEqual(wanted);
    await page.reload();
    await rowWith('kept-1').click();
    await page.getByText('Refused before anything ran').waitFor();
    await page.goBack();
    await rowWith('kept-1').waitFor();
    await expectSoon(async () => search()).toEqual(wanted);
    await page.goBack();
    await expectSoon(async () => search()).toEqual({
      chatId: 'kept-1',
      status: 'rejected',
      httpStatus: '401',
    });
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await holds(page, 'location.search === ""');
    await page.getByRole('searchbox', { name: 'Chat id' }).fill('nobody');
    await page.getByText('No execution in the chat nobody matches').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await list().getByRole('row').first().waitFor();
  });

  it('keeps what is typed while other filters take effect', async () => {
    const { page } = await open('/console/executions?chatId=before');
    await page.getByRole('button', { name: 'Clear filters' }).waitFor();
    await page.evaluate(`{
      [...document.querySelectorAll('button')].find(({ innerText }) => innerText === 'Clear filters').click();
      const field = document.querySelector('.filter-chat input');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'after');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
    await page.waitForURL(/chatId=after$/);
    await expectSoon(() => page.getByRole('searchbox', { name: 'Chat id' }).inputValue()).toBe('after');
  });

  it.each([
    ['a desk of 1280 px', { viewport: { width: 1280, height: 800 } }],
    ['a phone', PHONE],
    ['a small phone', SMALL_PHONE],
  ])('shows the placeholder of the chat filter in full on %s', async (_, browser) => {
    const { page } = await open('/console/executions', { browser });
    const field = page.getByRole('searchbox', { name: 'Chat id' });
    await field.waitFor();
    await expectSoon(() => field.getAttribute('placeholder')).toMatch(/phone/);
    await expectSoon(() => page.evaluate<number>(CUT_OFF)).toBe(0);
  });

  it('finds a chat by a telephone number in any notation', async () => {
    const startedAt = fixture.service.clock.now() - 1_000;
    // Random, because a retry finds the data of the first attempt.
    const [number, other] = [randomInt(100_000, 500_000), randomInt(500_000, 999_999)];
    await putExecutions(fixture.service, [
      { startedAt, chatId: `447700${number}`, question: `By ${number}` },
      { startedAt, chatId: `+44 7700 ${other}`, question: `Of ${other}` },
    ]);
    const { page, go } = await open('/console/executions');
    const field = page.getByRole('searchbox', { name: 'Chat id' });
    for (const typed of [`+44 7700 ${number}`, `447700 ${number}`, `+44 (0)7700-${number}`]) {
      await field.fill(typed);
      await eventually(() => search()['chatId'] === typed);
      await rowWith(`By ${number}`).waitFor();
      await eventually(async () => (await list().getByRole('row').count()) === 1);
    }
    await expectAccessible(page);
    await page.reload();
    await rowWith(`By ${number}`).waitFor();
    await expectSoon(() => field.inputValue()).toBe(`+44 (0)7700-${number}`);
    await field.fill(`+44 7700 ${other}`);
    await rowWith(`Of ${other}`).waitFor();
    await go('/console/executions?chatId=447700011223');
    await page.getByText('No execution in the chat 447700011223 matches').waitFor();
  });

  it('filters by a time range, and shows the executions of a selected bar', async () => {
    await failYesterday('range-1');
    const { page, go } = await open('/console/executions');
    await choose('Time', 'From and to…');
    await page.getByLabel('From', { exact: true }).fill('2026-11-02T10:00');
    await page.getByLabel('To', { exact: true }).fill('2026-11-01T10:00');
    await page.getByText('The end is before the start.').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2026-11-02T10:30');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(/from=2026-11-02.*to=2026-11-02/);
    await page.getByText('Past range').waitFor();

    await go('/console/executions');
    await page.getByRole('button', { name: 'Table' }).click();
    const figures = page.getByRole('region', { name: 'By hour' });
    await figures.getByRole('button', { name: 'Show these' }).first().click();
    await page.waitForURL(/from=.*to=/);
    const { from, to } = search();
    expect(Date.parse(to!) - Date.parse(from!)).toBe(HOUR_MS - 1);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Chart' }).click();
    await go('/console/executions');
    const bar = page.locator('.recharts-bar-rectangle path').first();
    await bar.hover({ force: true });
    await page.locator('.chart-tip').first().waitFor();
    await bar.click({ force: true });
    await page.waitForURL(/from=.*to=/);
  });

  it('names the days that it counts, also those before a clock change', async () => {
    const days = ['2026-03-10', '2026-03-21'];
    const flow = { flowId: flows.echo, flowName: 'Echo' };
    const noons = days.map((day) => ({ ...flow, startedAt: Date.parse(`${day}T12:00:00Z`) }));
    await putExecutions(fixture.service, noons);
    const { page, go } = await open('/console', { browser: { ...DESK, timezoneId: 'Europe/London' } });
    // Summer time begins on 29 March.
    await page.clock.setFixedTime('2026-04-10T12:00:00Z');
    await go('/console/executions?from=2026-03-01T00:00:00.000Z&to=2026-04-10T00:00:00.000Z');
    const bars = page.locator('.recharts-bar-rectangle path');
    await bars.last().hover({ force: true });
    await page
      .locator('.chart-tip')
      .getByText(/^Sat,? 21 Mar$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Table' }).click();
    const names = page.getByRole('region', { name: 'By day' }).getByRole('rowheader');
    await eventually(async () => (await names.count()) === days.length);
    await expectSoon(() => names.allInnerTexts()).toEqual(['Sat, 21 Mar 2026', 'Tue, 10 Mar 2026']);
  });

  it('shows new executions as they come, and moves nothing while somebody reads', async () => {
    await putExecutions(
      fixture.service,
      Array.from({ length: 80 }, (_, index) => ({
        startedAt: fixture.service.clock.now() - 5_000 - index,
        flowId: flows.echo,
        chatId: `earlier-${index}`,
      })),
    );
    const { page } = await open(`/console/executions?flowId=${flows.echo}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await client.predict(flows.echo, { question: 'The first that comes', chatId: 'live-1' });
    await rowWith('You said: The first that comes').waitFor();

    await page.mouse.move(700, 600);
    await page.mouse.wheel(0, 1_500);
    await holds(page, 'document.getElementById("content").scrollTop > 800');
    await page.evaluate(AT_REST);
    const reading = await list().getByRole('row').nth(12).innerText();
    for (const question of ['one', 'two', 'three'])
      await client.predict(flows.echo, { question, chatId: 'live-2' });
    const more = page.getByRole('button', { name: '3 new' });
    await more.waitFor();
    await expectSoon(() => list().getByRole('row').nth(12).innerText()).toBe(reading);
    await more.click();
    await rowWith('You said: three').waitFor();
    await expectSoon(() => page.evaluate('document.getElementById("content").scrollTop')).toBe(0);
  });

  it('is operated by keyboard shortcuts, which can be switched off', async () => {
    await failYesterday('keys-1');
    const { page } = await open('/console/executions');
    const focusOn = (text: string) => {
      const row = `document.activeElement.matches('[role=row]') && document.activeElement`;
      return holds(page, `${row}.innerText.includes('${text}')`);
    };
    await list().getByRole('row').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('keys-1');
    await page.waitForURL(/keys-1/);
    // The button comes with the list of this chat, before which the same rows stand in the list of all.
    await page.getByRole('button', { name: 'Clear filters' }).waitFor();
    await rowWith('keys-1').nth(2).waitFor();
    await page.keyboard.press('Tab');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await focusOn('quota');
    await page.keyboard.press('ArrowDown');
    await focusOn('On the first');
    await page.keyboard.press('k');
    await focusOn('quota');
    await page.keyboard.press('Enter');
    await page.waitForURL(/executions\/./);
    await heading('Prediction of Tenancy questions').waitFor();
    await page.keyboard.press('k');
    await page.getByRole('region', { name: 'Node Start' }).waitFor();
    await page.keyboard.press('Escape');
    await focusOn('quota');
    await expectSoon(async () => search()).toEqual({ chatId: 'keys-1' });

    await page.keyboard.press('?');
    await page.getByText('Next and previous execution').waitFor();
    await expectAccessible(page);
    await page.getByText('Use single-key shortcuts').click();
    await page.keyboard.press('Escape');
    await focusOn('quota');
    await page.keyboard.press('k');
    await page.keyboard.press('/');
    await focusOn('quota');
    await page.keyboard.press('ArrowUp');
    await focusOn('Capture');
  });

  it('continues when the service is back', async () => {
    const { page } = await open(`/console/executions?flowId=${flows.echo}`, { url: fixture.network.url });
    await page.getByText('Live', { exact: true }).waitFor();
    fixture.network.cut();
    await page.locator('.live').getByText('Connection lost, reconnecting').waitFor();
    await client.predict(flows.echo, { question: 'While you were away', chatId: 'away-1' });
    await page.route(/v1\/executions\?/, (route) => route.abort(), { times: 1 });
    fixture.network.mend();
    await rowWith('While you were away').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await client.predict(flows.echo, { question: 'And again', chatId: 'away-1' });
    await rowWith('And again').waitFor();
  });

  it('exports the filtered executions', async () => {
    await putExecutions(
      fixture.service,
      [1, 2, 3].map((step) => ({ startedAt: fixture.service.clock.now() - step, chatId: 'exported' })),
    );
    const { page } = await open('/console/executions?chatId=exported');
    await rowWith('exported').nth(2).waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toMatch(/^executions-.*\.ndjson$/);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).chatId)).toEqual(['exported', 'exported', 'exported']);
  });

  it.each([DESK, PHONE])('is accessible (%#)', async (device) => {
    const failed = await failYesterday('everybody-1');
    const { page, go } = await open('/console/executions', { browser: device });
    await list().getByRole('row').first().waitFor();
    await expectAccessible(page);
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    if (device === PHONE) {
      await page.getByRole('button', { name: 'Filters' }).click();
      await page
        .getByRole('button', { name: /Status$/ })
        .first()
        .waitFor();
      await expectAccessible(page);
    }
    await go(`/console/executions/${failed}`);
    await page.getByRole('group', { name: 'Picture of the flow' }).getByRole('button').first().waitFor();
    await expectAccessible(page);
    await expectSoon(() =>
      page.evaluate('document.getElementById("content").scrollWidth <= innerWidth'),
    ).toBe(true);
    await go('/console/executions/00000000-0000-7000-8000-000000000000');
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
  });
});
