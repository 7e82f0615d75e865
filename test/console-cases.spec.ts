import { expectAccessible } from './support/accessibility.js';
import { PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { echoFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';
import { photographed } from './support/rehearsed-cases.js';

const answering = (message: string) => ({
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', config: { message } },
  ],
  edges: [{ from: 'start', to: 'reply' }],
});

describeInBrowser('cases in the console', () => {
  const { client, open, page, row, heading, dialog, press } = consoleFixture();

  it('are kept from an execution, and show before and after for the draft', async () => {
    const flow = await client.flow(echoFlow({ name: 'Tested' }));
    const { executionId } = (await client.predict(flow, { question: 'Is the boiler on?' })).body;
    await client.admin('PUT', `flows/${flow}/draft`, answering('You asked: {{question}}'));
    await open(`/console/executions/${executionId}`);
    await press('Keep as a case');
    const keeping = dialog('Keep as a case');
    await keeping.getByText('words and files are copied').waitFor();
    await keeping.getByLabel('The answer must contain').fill('You said');
    await expectAccessible(page());
    await keeping.getByRole('button', { name: 'Keep', exact: true }).click();
    await keeping.getByRole('link', { name: 'Open the cases' }).click();
    await heading('Cases').waitFor();
    await row('Is the boiler on?').getByText('not run yet').waitFor();

    await press('Run all cases');
    await page().getByText('1 of 1 passed against version 1.').waitFor();
    await page().getByLabel('Run against').click();
    await page().getByRole('option', { name: 'The draft' }).click();
    await press('Run all cases');
    await page().getByText('0 of 1 passed against the draft.').waitFor();
    await expectAccessible(page());
    await press('Details of Is the boiler on?');
    const result = dialog('Is the boiler on?');
    const answer = (name: string) => result.getByRole('region', { name, exact: true }).textContent();
    expect([await answer('Before'), await answer('Now')]).toEqual([
      'You said: Is the boiler on?',
      'You asked: Is the boiler on?',
    ]);
    await result.getByText('does not contain "You said"').waitFor();
    await expectAccessible(page());
    await result.getByRole('button', { name: 'Close' }).click();

    await press('Compare the latest executions');
    await row(executionId.slice(0, 13)).getByText('Changed').waitFor();
  });

  it('run against a draft before it is published, and name those that change', async () => {
    const flow = await client.flow(echoFlow({ name: 'Publishing' }));
    const { executionId } = (await client.predict(flow, { question: 'Hi' })).body;
    await client.admin('POST', `flows/${flow}/cases`, { name: 'Says hi', executionId });
    await client.admin('PUT', `flows/${flow}/draft`, answering('Never mind'));
    await open(`/console/flows/${flow}`);
    await press('Publish');
    const publishing = dialog('Publish version 2');
    await publishing.getByText('1 of 1 passed against the draft.').waitFor();
    const changed = publishing.getByRole('row', { name: /Says hi/ });
    for (const words of ['Changed', 'You said: Hi', 'Never mind']) await changed.getByText(words).waitFor();
    await expectAccessible(page());
    await publishing.getByRole('link', { name: 'All cases' }).click();
    await heading('Cases').waitFor();
  });

  it('show the reports of live calls, which are gone', async () => {
    const flow = await client.flow({
      name: 'Rendering',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'take', kind: 'capture', config: { area: 'Hall' } },
        { id: 'report', kind: 'render', config: { meta: { tenant: 'Ann' } } },
      ],
      edges: [
        { from: 'start', to: 'take' },
        { from: 'take', to: 'report' },
      ],
    });
    const input = await photographed('Renders', '');
    await client.admin('POST', `flows/${flow}/cases`, { name: 'Renders', input });
    await open(`/console/flows/${flow}/cases`);
    await press('Run all cases');
    await page().getByText('1 of 1 passed').waitFor();
    await press('Details of Renders');
    const result = dialog('Renders');
    await result.getByRole('heading', { name: 'Reports made, deleted when the case ended' }).waitFor();
    await result.getByText(/\.pdf: \d+ pages?, 1 photograph\./).waitFor();
    await expectAccessible(page());
  });

  it('are edited and deleted, on a phone too', async () => {
    const flow = await client.flow(echoFlow({ name: 'Edited' }));
    const made = { name: 'Greets', input: { question: 'Hi' }, calls: 'recorded' };
    await client.admin('POST', `flows/${flow}/cases`, made);
    await open(`/console/flows/${flow}/cases`, { browser: PHONE });
    await press('More about Greets');
    await page().getByRole('menuitem', { name: 'Edit' }).click();
    const editing = dialog('Edit the case');
    await editing.getByRole('button', { name: 'Add a check' }).click();
    await editing.getByRole('button', { name: 'Save' }).click();
    await editing.getByText('Enter a text.').waitFor();
    await editing.getByRole('button', { name: /Check/ }).click();
    await page().getByRole('option', { name: 'is a text' }).click();
    await editing.getByRole('textbox', { name: 'Text' }).fill('You said: Hi');
    await expectAccessible(page());
    await editing.getByRole('button', { name: 'Save' }).click();
    await row('Greets').getByText('1 check').waitFor();
    await press('Run all cases');
    await page().getByText('1 of 1 passed').waitFor();
    await expectAccessible(page());
    await press('More about Greets');
    await page().getByRole('menuitem', { name: 'Delete' }).click();
    await page().getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page().getByRole('heading', { name: 'No case yet' }).waitFor();
  });
});
