import { expectAccessible } from './support/accessibility.js';
import { PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { putExecutions } from './support/execution-rows.js';
import { expectSoon } from './support/expect-soon.js';
import { echoFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('many executions', () => {
  const fixture = consoleFixture();
  const { client, open, page, dialog } = fixture;
  const filters = () => Object.fromEntries(new URL(page().url()).searchParams);
  const views = () => page().getByRole('button', { name: 'Views' }).click();
  const item = (name: string) => page().getByRole('menuitem', { name });
  const view = (name: string) => page().getByRole('menuitemradio', { name });

  it('are found again under the name of their filters', async () => {
    const { go } = await open('/console/executions?status=failed&minDurationMs=10000');
    await views();
    await item('Save these filters…').click();
    await dialog('Save these filters').getByLabel('Name').fill('Slow failures');
    await expectAccessible(page());
    await dialog('Save these filters').getByRole('button', { name: 'Save' }).click();
    await page().setViewportSize(PHONE.viewport);
    await go('/console/executions');
    await views();
    await view('Slow failures').click();
    await page().waitForURL(/status=failed/);
    await expectSoon(async () => filters()).toEqual({ status: 'failed', minDurationMs: '10000' });
    await views();
    await item('Remove “Slow failures”').click();
    await views();
    await page().getByText('No view is saved in this browser').waitFor();
  });

  it('are run again together, with what their callers sent', async () => {
    const flow = await client.flow(echoFlow({ name: 'Repeated' }));
    const calls = [];
    for (const question of ['first', 'second', 'third'])
      calls.push(await client.predict(flow, { question, chatId: `of ${question}` }));
    await open(`/console/executions?flowId=${flow}&status=succeeded`);
    await page().getByRole('button', { name: 'Run again' }).click();
    const again = dialog('Run again');
    await again.getByText('second').click();
    await again.getByRole('button', { name: 'Run 2 executions' }).click();
    await again.getByText('2 of 2 runs succeeded.').waitFor();
    await expectAccessible(page());
    await again.getByRole('link', { name: 'Open' }).first().click();
    await page().getByText('first').first().waitFor();
    const { data } = (await client.admin('GET', `executions?flowId=${flow}`)).body as {
      data: { question: string }[];
    };
    expect(data.map(({ question }) => question).sort()).toEqual([
      'first',
      'first',
      'second',
      'third',
      'third',
    ]);
  });

  it('offer nothing to run again where none failed', async () => {
    await putExecutions(fixture.service, [{ startedAt: fixture.service.clock.now(), kind: 'capture' }]);
    await open('/console/executions?kind=capture');
    await page().getByRole('button', { name: 'Run again' }).click();
    await dialog('Run again').getByText('No call that has ended and failed matches these filters.').waitFor();
  });
});
