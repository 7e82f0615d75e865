import { holds } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { putExecutions } from './support/execution-rows.js';
import { expectSoon } from './support/expect-soon.js';
import { holdRequests } from './support/hold-requests.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('late scripts of the console', () => {
  const fixture = consoleFixture();
  const { open, heading } = fixture;

  beforeAll(() =>
    putExecutions(fixture.service, [{ startedAt: fixture.service.clock.now() - 1_000, chatId: 'late-1' }]),
  );

  const chart = () => fixture.page().getByRole('region', { name: 'Outcome over time' });
  /** Counts the stylesheets of this name with readable rules: those of a failed one cannot be read. */
  const styles = (name: string) =>
    fixture.page().evaluate<number>(`[...document.styleSheets].filter((sheet) => {
      try { return sheet.href?.includes('${name}') && sheet.cssRules.length > 0 } catch { return false }
    }).length`);

  it('a part of a page waits for its script, while the page is usable', async () => {
    const { page, go } = await open('/console/flows');
    await heading('Flows').waitFor();
    await page.route(/health\/live|assets\/outcome-chart/, (route) => route.abort());
    await go('/console/executions');
    await chart().getByText('Connection lost, reconnecting').waitFor();
    await page.getByRole('row').filter({ hasText: 'late-1' }).waitFor();
    await page.unroute(/health\/live|assets\/outcome-chart/);
    await chart().locator('.outcome-chart svg').first().waitFor();
    await expectSoon(() => page.getByText('Connection lost').count()).toBe(0);
  });

  it('a script is not applied without its style', async () => {
    const { page, go } = await open('/console/flows');
    await heading('Flows').waitFor();
    let requests = 0;
    await page.route(/chart-tip.*\.css/, (route) => (requests++ < 2 ? route.abort() : route.continue()));
    await go('/console/executions');
    await chart().locator('.outcome-chart svg').first().waitFor();
    await expectSoon(() => styles('chart-tip')).toBe(1);
    expect(requests).toBe(3);
  });

  it('a missing part is reported, while the page is usable', async () => {
    const { page, go } = await open('/console/flows');
    await page.route(/assets\/outcome-chart/, (route) => route.abort());
    await go('/console/executions');
    await chart().getByText('This part of the page cannot be shown.').waitFor();
    await page.getByRole('row').filter({ hasText: 'late-1' }).waitFor();
    await page.unroute(/assets\/outcome-chart/);
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await chart().locator('.outcome-chart svg').first().waitFor();
  });

  it('a page requested while the service is unreachable appears when it is back, without a reload', async () => {
    const { page } = await open('/console/flows', { url: fixture.network.url });
    await heading('Flows').waitFor();
    await page.evaluate('window.stayed = true');
    fixture.network.cut();
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByText('Connection lost, reconnecting').waitFor();
    fixture.network.mend();
    await heading('Access').waitFor();
    await holds(page, 'window.stayed');
  });

  it('a page chosen while the start page still loads is shown, not replaced by the executions', async () => {
    const { page, go } = await open('/console/documents');
    await heading('Documents').waitFor();
    const releaseExecutions = await holdRequests(page, '**/api/v1/executions?limit=1');
    await go('/console');
    await heading('Console').waitFor();
    const releaseScripts = await holdRequests(page, '**/assets/*.js');
    await page.getByRole('link', { name: 'Inspections' }).click();
    await page.waitForURL('**/console/inspections');
    const answered = page.waitForResponse('**/api/v1/executions?limit=1');
    releaseExecutions();
    await (await answered).finished();
    releaseScripts();
    await heading('Inspections').waitFor();
    await page.waitForURL('**/console/inspections');
  });
});
