import type { Route } from 'playwright-core';
import { expectAccessible } from './support/accessibility.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { Hold } from './support/fake-model.js';
import { holdRequests } from './support/hold-requests.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('approvals in the console', () => {
  const fixture = consoleFixture();
  const { client, open } = fixture;
  let flow: string;

  beforeAll(async () => {
    flow = await client.flow({
      name: 'Orders',
      nodes: [
        { id: 'start', kind: 'start' },
        {
          id: 'ask',
          kind: 'human-input',
          label: 'Ask the office',
          config: { message: 'Order {{question}}?', feedback: true },
        },
        { id: 'yes', kind: 'reply', config: { message: 'Ordered: {{ask}}' } },
      ],
      edges: [
        { from: 'start', to: 'ask' },
        { from: 'ask', to: 'yes', on: '0' },
      ],
    });
  });

  const ask = async (chatId: string) => {
    const { body } = await client.predict(flow, { question: 'two lamps', chatId });
    const { page } = await open(`/console/executions/${body.executionId}`);
    const approvals = page.getByRole('region', { name: 'Approvals' });
    await approvals.getByRole('button', { name: 'Proceed' }).waitFor();
    return {
      page,
      approvals,
      id: body.executionId as string,
      action: body.action as { data: { nodeId: string } },
    };
  };

  it('lists waiting runs, and decides one there, with the name of who did and the time', async () => {
    const { page, approvals } = await ask('console-approves');
    await page.getByText('Waiting for approval at Ask the office.').waitFor();
    await expectSoon(() => page.getByRole('button', { name: 'Delete the record' }).count()).toBe(0);
    await expectAccessible(page);
    await approvals.getByLabel('Comment (optional)').fill('warm white');
    await approvals.getByRole('button', { name: 'Proceed' }).click();
    await approvals.getByText('Approved').waitFor();
    await page.getByText('Ordered: warm white').first().waitFor();
    await expectSoon(() => approvals.innerText()).toMatch(/warm white.*127\.0\.0\.1/s);
    await approvals.getByRole('link', { name: 'The call' }).click();
    await page.getByText('Resumes').waitFor();
    // Its question is the decision, not what was asked of the flow.
    await page.getByRole('button', { name: 'Delete the record' }).waitFor();
    await expectSoon(() => page.getByRole('button', { name: 'Run again' }).count()).toBe(0);
  });

  it('takes one decision, and no other while it is under way', async () => {
    const { page, approvals } = await ask('console-decides');
    const release = await holdRequests(page, '**/run');
    await approvals.getByRole('button', { name: 'Proceed' }).click();
    await expectSoon(() => approvals.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
    release();
    await approvals.getByText('Approved').waitFor();
  });

  it("shows an agent's call that needs approval, who approved it, and its result below the agent", async () => {
    const { model } = fixture;
    const tool = { tool: 'date-time', name: 'clock', requiresApproval: true };
    const config = {
      model: { provider: 'openai-compatible', name: 'fake', baseUrl: model.url },
      tools: [tool],
    };
    const agent = await client.flow({
      name: 'Clerk',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'clerk', kind: 'agent', label: 'Clerk', config },
      ],
      edges: [{ from: 'start', to: 'clerk' }],
    });
    model.answers.push({ toolCalls: [{ name: 'clock', arguments: '{"timeZone":"Europe/London"}' }] });
    const { body } = await client.predict(agent, { question: 'What time is it?', chatId: 'console-agent' });
    const { page } = await open(`/console/executions/${body.executionId as string}`);
    const approvals = page.getByRole('region', { name: 'Approvals' });
    await approvals.getByText('Europe/London').first().waitFor();
    await expectAccessible(page);
    await approvals.getByRole('button', { name: 'Proceed' }).click();
    await approvals.getByText('Approved').waitFor();
    await expectSoon(() => approvals.innerText()).toMatch(/Asked by Clerk.*Approved.*127\.0\.0\.1/s);
    await page
      .getByRole('button', { name: /^clock/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'Node clock' }).getByText('Europe/London').first().waitFor();
  });

  it('shows the decision if the chat was faster', async () => {
    const { page, approvals, action, id } = await ask('console-late');
    const humanInput = { type: 'reject', startNodeId: action.data.nodeId };
    // The page looks every five seconds: its next look is held back, so that the click comes before it knows.
    const held = new Hold();
    await new Promise<void>((looks, fails) => {
      const hold = async (route: Route) => {
        looks();
        await held.over;
        await route.continue();
      };
      page.route(`**/api/v1/executions/${id}`, hold).catch(fails);
    });
    await client.predict(flow, { chatId: 'console-late', humanInput });
    await approvals.getByRole('button', { name: 'Proceed' }).click();
    held.letGo();
    await approvals.getByText('Rejected', { exact: true }).waitFor();
    await expectSoon(() => approvals.getByRole('button', { name: 'Proceed' }).count()).toBe(0);
  });
});
