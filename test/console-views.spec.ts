import { expectAccessible } from './support/accessibility.js';
import { PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { putExecutions } from './support/execution-rows.js';
import { expectSoon } from './support/expect-soon.js';
import { Hold } from './support/fake-model.js';
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

  it('continue to run again when their dialog closes or another page opens', async () => {
    const flow = await client.flow(echoFlow({ name: 'Left alone' }));
    for (const question of ['one', 'two', 'three']) await client.predict(flow, { question });
    await open(`/console/executions?flowId=${flow}&status=succeeded`);
    const held = new Hold();
    await page().route('**/run', async (route) => {
      await held.over;
      await route.continue();
    });
    await page().getByRole('button', { name: 'Run again' }).click();
    const again = dialog('Run again');
    await again.getByRole('button', { name: 'Run 3 executions' }).click();
    await again.getByText('0 of 3 runs ended.').waitFor();
    await page().keyboard.press('Escape');
    await page().getByRole('link', { name: 'Flows' }).first().click();
    await fixture.heading('Flows').waitFor();
    held.letGo();
    await page().goBack();
    await page().getByRole('button', { name: 'Run again' }).click();
    await again.getByText('3 of 3 runs succeeded.').waitFor();
    await again.getByRole('button', { name: 'Close' }).last().click();
    await page().getByRole('button', { name: 'Run again' }).click();
    await again.getByRole('button', { name: 'Run 6 executions' }).waitFor();
  });

  it('offer nothing to run again where none failed', async () => {
    await putExecutions(fixture.service, [{ startedAt: fixture.service.clock.now(), kind: 'capture' }]);
    await open('/console/executions?kind=capture');
    await page().getByRole('button', { name: 'Run again' }).click();
    await dialog('Run again').getByText('No call that has ended and failed matches these filters.').waitFor();
  });
});
