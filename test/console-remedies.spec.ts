import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { echoFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('a failed execution', () => {
  const { client, open, page, dialog } = consoleFixture({ env: { INITIAL_CREDIT: '100' } });

  /** Opens the record of a call; returns its description of the outcome. */
  const outcomeOf = async (call: Promise<{ headers: Headers }>) => {
    const id = (await call).headers.get('x-execution-id')!;
    await client.ended(id);
    await open(`/console/executions/${id}`);
    return page().getByRole('region', { name: 'Outcome' });
  };

  it('links to the account that was too low, and tops it up', async () => {
    const flow = await client.flow(echoFlow({ account: 'poor desk' }));
    const verdict = await outcomeOf(client.predict(flow, { question: 'a' }));
    await verdict.getByRole('link', { name: 'Top up' }).click();
    await dialog('Top up').getByText('poor desk').waitFor();
  });

  it('links to an account only when it is known which', async () => {
    const flow = await client.flow(echoFlow({ account: 'slow desk' }));
    const verdict = await outcomeOf(client.predict(flow, { question: 'a' }));
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page().route(`**/api/v1/flows/${flow}`, async (route) => {
      await held;
      await route.continue();
    });
    await page().reload();
    await verdict.waitFor();
    await expectSoon(() => verdict.getByRole('link', { name: 'Top up' }).count()).toBe(0);
    release();
    await verdict.getByRole('link', { name: 'Top up' }).click();
    await dialog('Top up').getByText('slow desk').waitFor();
  });

  it('links to who may call it, and how often', async () => {
    const key = (await client.admin('POST', 'api-keys', { name: 'desk' })).body;
    const refused = {
      'Change the key': { apiKeyId: key.id },
      'Allow a domain': { allowedDomains: ['good.example'] },
      'Change the limit': { rateLimit: { limit: 1, windowSeconds: 3600 } },
    };
    for (const [remedy, access] of Object.entries(refused)) {
      const flow = await client.flow(echoFlow({ name: `Flow of ${remedy}`, access }));
      const call = () => client.predict(flow, { question: 'a' }, { origin: 'https://bad.example' });
      await call();
      const verdict = await outcomeOf(call());
      await verdict.getByRole('link', { name: remedy }).click();
      await dialog('Who may call').getByText(`Flow of ${remedy}`).waitFor();
      await page().keyboard.press('Escape');
      await dialog('Who may call').waitFor({ state: 'detached' });
      await page().context().close();
    }
  });

  it('links to the failed node, with its form', async () => {
    const flow = await client.flow({
      name: 'Failing',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'ask', kind: 'http', label: 'Ask', config: { method: 'GET', url: 'https://127.0.0.1:1/' } },
      ],
      edges: [{ from: 'start', to: 'ask' }],
    });
    const verdict = await outcomeOf(client.predict(flow, { question: 'a' }));
    await verdict.getByRole('link', { name: 'Edit the node' }).click();
    await page().locator('.react-flow__node.selected', { hasText: 'Ask' }).waitFor();
    await expectSoon(() => page().getByLabel('Id', { exact: true }).inputValue()).toBe('ask');
  });

  it('links to the block of an address', async () => {
    for (let miss = 0; miss < 3; miss++) await client.predict('nobody', { question: 'a' });
    const verdict = await outcomeOf(client.predict('nobody', { question: 'a' }));
    await verdict.getByRole('link', { name: 'Lift the block' }).click();
    await page().getByRole('heading', { name: 'Blocks' }).first().waitFor();
    await client.admin('DELETE', 'address-blocks/127.0.0.1');
  });
});
