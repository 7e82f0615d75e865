import { expectAccessible } from './support/accessibility.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('an agent in the console', () => {
  const fixture = consoleFixture();
  const { client, open, heading } = fixture;

  const flow = {
    name: 'Clerk',
    nodes: [
      { id: 'start', kind: 'start' },
      {
        id: 'clerk',
        kind: 'agent',
        label: 'Clerk',
        config: {
          model: { provider: 'openai-compatible', name: 'fake', baseUrl: '' },
          tools: [{ tool: 'date-time', name: 'clock' }],
        },
      },
    ],
    edges: [{ from: 'start', to: 'clerk' }],
  };

  it('shows each tool call below its agent, with its arguments and result', async () => {
    const { model } = fixture;
    flow.nodes[1]!.config!.model.baseUrl = model.url;
    const id = await client.flow(flow);
    model.answers.push({
      toolCalls: [
        { name: 'clock', arguments: '{"timeZone":"Europe/London"}' },
        { name: 'sing', arguments: '{}' },
      ],
    });
    const { body } = await client.predict(id, { question: 'What time is it?' });
    const { page } = await open(`/console/executions/${body.executionId as string}`);
    await heading('Prediction of Clerk').waitFor();
    const calls = page.getByRole('button', { name: /clock/ });
    await calls.first().waitFor();
    await calls.first().click();
    const call = page.getByRole('region', { name: 'Node clock' });
    await call.getByText('Europe/London').first().waitFor();
    await page.getByRole('button', { name: /sing/ }).first().click();
    await page.getByRole('region', { name: 'Node sing' }).getByText('There is no tool "sing"').waitFor();
    const picture = page.getByRole('group', { name: 'Picture of the flow' });
    await picture.getByRole('button', { name: /^clock Tool/ }).waitFor();
    await picture.getByRole('button', { name: /^sing Tool/ }).waitFor();
    const boxOf = (name: string) =>
      picture
        .getByRole('button', { name: new RegExp(`^${name}`) })
        .locator('.graph-words')
        .boundingBox();
    await expectSoon(async () => {
      const [head, inner] = await Promise.all(['Clerk Agent', 'clock Tool'].map(boxOf));
      return inner!.y - (head!.y + head!.height);
    }).toBeGreaterThanOrEqual(0);
    await expectAccessible(page);
  });
});
