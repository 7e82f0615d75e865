import type { Page } from 'playwright-core';
import { expectAccessible } from './support/accessibility.js';
import { consoleFixture } from './support/console.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { Hold } from './support/fake-model.js';
import { button, node } from './support/flow-workbench.js';
import { chatFlow } from './support/flows.js';
import { describeInBrowser, restartService } from './support/page-fixture.js';

const counted = (count: number) => Array.from({ length: count }, (_, index) => `n${index} `);
const LOST = 'Connection lost, reconnecting';

/** start → Consider → Think, both with this model. */
function twoModels(baseUrl: string, id: string): object {
  const { nodes, edges, ...flow } = chatFlow(baseUrl, { id, name: `Flow ${id}` });
  const first = { ...nodes[1]!, id: 'first', label: 'Consider' };
  return {
    ...flow,
    nodes: [nodes[0], first, nodes[1]],
    edges: [
      { from: 'start', to: 'first' },
      { ...edges[0], from: 'first' },
    ],
  };
}

describeInBrowser('a run from the console whose connection breaks', () => {
  // Checking the disconnected page may take longer than a service usually keeps a run without a client.
  const fixture = consoleFixture({ env: { STREAM_GRACE_SECONDS: '60' } });
  const { client } = fixture;

  let flows = 0;
  /** Creates a flow; returns its id. */
  const newFlow = (name: string) => client.flow(twoModels(fixture.model.url, `${name}-${++flows}`));

  /** Opens the try pane of a new flow through the network, and sends a question. */
  async function tried(name: string): Promise<Page> {
    const id = await newFlow(name);
    const { page } = await fixture.open(`/console/flows/${id}`, { url: fixture.network.url });
    await node(page, 'Think').waitFor();
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByLabel('Message').fill('Count');
    await page.getByLabel('Message').press('Enter');
    return page;
  }

  /** Opens the dialog of an execution in its own flow through the network, and runs it again. */
  async function runAgain(name: string): Promise<Page> {
    const id = await newFlow(name);
    fixture.model.answers.unshift({ tokens: ['Well'] }, { tokens: ['Before'] });
    const { body } = await client.predict(id, { question: 'Count' });
    const { page } = await fixture.open(`/console/executions/${body.executionId}`, {
      url: fixture.network.url,
    });
    await button(page, 'Run again').click();
    await fixture.dialog('Run again').getByRole('button', { name: 'Run', exact: true }).click();
    return page;
  }

  const places = [
    ['the try pane', tried, '.try-answer', '.work', 'The service stopped before the run had ended'],
    [
      'the dialog that asks again',
      runAgain,
      '.replay-answer',
      '.replay',
      'The service stopped during the run',
    ],
  ] as const;

  describe.each(places)('in %s', (_, ask, answer, place, interrupted) => {
    const id = place.slice(1);
    const nodeThat = (page: Page, state: string, label: string) =>
      page.locator(`${place} .graph-node-${state}`, { hasText: label });
    const answerOn = (page: Page) => page.locator(answer);
    const words = (page: Page) => page.locator(place);
    const ended = (page: Page) => button(page, id === 'replay' ? 'Run once more' : 'Send');

    it('reports it and resumes at the break: nothing twice, nothing missing, and nodes continue to light up', async () => {
      const [hold, rest, tokens] = [new Hold(), new Hold(), counted(40)];
      fixture.model.answers.push({ tokens: ['Well'], held: hold }, { tokens, held: rest, heldAfter: 20 });
      const page = await ask(`${id}-on`);
      await nodeThat(page, 'running', 'Consider').waitFor();
      await eventually(() => fixture.model.answers.length === 1);
      const before = fixture.model.requests.length;
      fixture.network.cut();
      await words(page).getByText(LOST).waitFor();
      await expectAccessible(page);
      hold.letGo();
      fixture.network.mend();
      await nodeThat(page, 'succeeded', 'Consider').waitFor();
      await nodeThat(page, 'running', 'Think').waitFor();
      await answerOn(page).getByText('n5').waitFor();

      fixture.network.cut();
      await words(page).getByText(LOST).waitFor();
      rest.letGo();
      fixture.network.mend();
      await words(page).getByText('Succeeded', { exact: true }).waitFor();
      await nodeThat(page, 'succeeded', 'Think').waitFor();
      await expectSoon(async () => (await answerOn(page).innerText()).trim()).toBe(tokens.join('').trim());
      expect(fixture.model.requests.length).toBe(before + 1);
      await expectSoon(() => words(page).getByText(LOST).count()).toBe(0);
    });

    it('reads the outcome in the record if nothing is left to resume', async () => {
      const hold = new Hold();
      fixture.model.answers.push({ tokens: ['Well'] }, { tokens: ['All', ' of', ' it'], held: hold });
      const page = await ask(`${id}-gone`);
      await nodeThat(page, 'running', 'Think').waitFor();
      await page.route('**/run/stream', (route) =>
        route.fulfill({ status: 410, json: { code: 'stream_expired', detail: 'Nothing is left.' } }),
      );
      fixture.network.cut();
      await words(page).getByText(LOST).waitFor();
      hold.letGo();
      fixture.network.mend();
      await answerOn(page).getByText('All of it').waitFor();
      await words(page).getByText('Succeeded', { exact: true }).waitFor();
      await nodeThat(page, 'succeeded', 'Think').waitFor();
      await ended(page).waitFor();
    });

    it('reports that a restart interrupted the run', async () => {
      fixture.model.answers.push({ tokens: ['Well'] }, { tokens: counted(2_000), tokenMs: 50 });
      const page = await ask(`${id}-restart`);
      await answerOn(page).getByText('n5').waitFor();
      fixture.network.cut();
      await words(page).getByText(LOST).waitFor();
      await restartService(fixture);
      await words(page).getByText(interrupted).waitFor();
      await words(page).getByText('Failed', { exact: true }).waitFor();
      await expectSoon(() => answerOn(page).innerText()).toContain('n5');
      await expectSoon(() => page.locator(`${place} .graph-node-running`).count()).toBe(0);
      await ended(page).waitFor();
      await expectAccessible(page);
    });
  });

  it('can be cancelled while it is unreachable', async () => {
    fixture.model.answers.push({ tokens: ['Well'] }, { tokens: counted(2_000), tokenMs: 50 });
    const page = await tried('stopped');
    await page.locator('.try-answer').getByText('n5').waitFor();
    fixture.network.cut();
    await page.locator('.try').getByText(LOST).waitFor();
    await button(page, 'Stop').click();
    await page.locator('.try').getByText('Aborted').waitFor();
    await expectSoon(() => page.locator('.try').getByRole('alert').count()).toBe(0);
  });
});
