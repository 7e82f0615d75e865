import { expectAccessible } from './support/accessibility.js';
import { consoleFixture } from './support/console.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { Hold } from './support/fake-model.js';
import { button, node, pictures, write } from './support/flow-workbench.js';
import { chatFlow, replyFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

const HOSTILE = '<img src=x onerror=alert(1)> {{7*7}} ‮gnol';

describeInBrowser('the try pane of a flow in the console', () => {
  const fixture = consoleFixture();
  const { client, open } = fixture;

  it('is tried beside its picture: nodes light up, the answer streams, and can be cancelled', async () => {
    await client.flow({ ...chatFlow(fixture.model.url), id: 'tried', name: 'Tried' });
    const { page } = await open('/console/flows/tried');
    await node(page, 'Think').waitFor();
    await page.getByRole('tab', { name: 'Try it' }).click();
    const held = new Hold();
    const tokens = ['**Slow', ' answer**', ' of', ' the', ' model'];
    fixture.model.answers.push({ tokens, held, heldAfter: 2 });
    await page.getByLabel('Message').fill('How are you?');
    await page.getByLabel('Message').press('Enter');
    await page.locator('.graph-node-running', { hasText: 'Think' }).waitFor();
    await page.getByText('Slow answer').waitFor();
    await expectSoon(() => page.locator('.graph-node-succeeded', { hasText: 'start' }).count()).toBe(1);
    held.letGo();
    await page.locator('.graph-node-succeeded', { hasText: 'Think' }).waitFor();
    await page.getByText('Slow answer of the model').waitFor();
    await expectAccessible(page);

    // The same chat has a memory. It takes the next message once the run has ended.
    await button(page, 'Send').waitFor();
    await page.getByLabel('Message').fill('And you?');
    await page.getByLabel('Message').press('Enter');
    await page.getByText('Hello there').waitFor();
    await button(page, 'Send').waitFor();
    expect(fixture.model.requests.at(-1)!.body.messages).toHaveLength(3);

    const words = Array<string>(100).fill(' word');
    fixture.model.answers.push({ tokens: words, held: new Hold(), heldAfter: 5 });
    await page.getByLabel('Message').fill('A long one');
    await page.getByLabel('Message').press('Enter');
    await page.getByText('word word').waitFor();
    await button(page, 'Stop').click();
    await page.getByText('Aborted').waitFor();
    await eventually(() => fixture.model.requests.at(-1)!.aborted);

    await button(page, 'New chat').click();
    await page.getByText('Send a message.').waitFor();
    await page.getByLabel('Message').fill('Who am I?');
    await button(page, 'Send').click();
    await page.getByText('Succeeded', { exact: true }).waitFor();
    expect(fixture.model.requests.at(-1)!.body.messages).toHaveLength(1);
    await page.getByRole('link', { name: 'Execution', exact: true }).click();
    await page.waitForURL(/\/console\/executions\/[0-9a-f-]{36}$/);
  });

  it('names the failed node and the remedy, and warns that unsaved changes do not run', async () => {
    await client.flow({
      name: 'Without a model',
      id: 'no-model',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'llm', kind: 'llm', label: HOSTILE },
      ],
      edges: [{ from: 'start', to: 'llm' }],
    });
    const { page } = await open('/console/flows/no-model');
    await node(page, HOSTILE).waitFor();
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByLabel('Message').fill(HOSTILE);
    await button(page, 'Send').click();
    const failure = page.getByRole('alert');
    await failure.getByText('No model is configured').waitFor();
    await failure.getByText(HOSTILE).waitFor();
    await failure.getByRole('link', { name: 'Access, Credentials' }).waitFor();
    await page.locator('.graph-node-failed').waitFor();
    await expectSoon(() => pictures(page)).toBe(0);
    await expectAccessible(page);

    await page.getByRole('tab', { name: 'Definition' }).click();
    await write(page, replyFlow('Now it answers', { name: 'With an answer' }));
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByText('Your changes are not saved yet.').waitFor();
    await button(page, 'Save first').click();
    await page.getByText('Your changes are not saved yet.').waitFor({ state: 'detached' });
    await page.getByLabel('Message').fill('Hello');
    await button(page, 'Send').click();
    await page.getByText('Now it answers', { exact: true }).waitFor();
  });

  it('is tried with photographs, also if it does not stream', async () => {
    const nodes = [
      { id: 'start', kind: 'start' },
      { id: 'state', kind: 'set-state', config: { state: { seen: '{{question}}' } } },
    ];
    await client.flow({ name: 'Silent', id: 'silent', nodes, edges: [{ from: 'start', to: 'state' }] });
    const { page } = await open('/console/flows/silent');
    await node(page, 'state').waitFor();
    await page.getByRole('tab', { name: 'Try it' }).click();
    const chooser = page.waitForEvent('filechooser');
    await button(page, 'Attach photographs').click();
    const buffer = Buffer.from('iVBORw0KGgo=', 'base64');
    await (
      await chooser
    ).setFiles([
      { name: 'roof.png', mimeType: 'image/png', buffer },
      { name: 'notes.txt', mimeType: 'text/plain', buffer },
    ]);
    await page.getByText('Only photographs can be attached.').waitFor();
    await page.getByRole('list', { name: 'Attached photographs' }).getByText('roof.png').waitFor();
    await button(page, 'Send').click();
    await page.getByText('Succeeded', { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Photographs', exact: true }).getByText('roof.png').waitFor();
    await page.locator('.graph-node-succeeded', { hasText: 'state' }).waitFor();
  });

  it('is tried with the form at its start', async () => {
    const inputs = [
      { type: 'string', label: HOSTILE, name: 'tenant' },
      { type: 'options', label: 'Kind', name: 'kind', addOptions: [{ option: 'House' }, { option: 'Flat' }] },
    ];
    await client.flow({
      name: 'Formal',
      id: 'formal',
      nodes: [
        { id: 'start', kind: 'start', config: { inputType: 'form', form: { inputs } } },
        { id: 'reply', kind: 'reply', config: { message: '{{$form.tenant}} lives in a {{$form.kind}}' } },
      ],
      edges: [{ from: 'start', to: 'reply' }],
    });
    const { page } = await open('/console/flows/formal');
    await node(page, 'reply').waitFor();
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByLabel(HOSTILE).fill('Ann');
    await page.getByRole('button', { name: /Kind/ }).click();
    await page.getByRole('option', { name: 'Flat' }).click();
    await button(page, 'Start').click();
    await page.getByText('Ann lives in a Flat').waitFor();
    await expectAccessible(page);
  });
});
