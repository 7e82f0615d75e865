import { readFileSync } from 'node:fs';
import { expectAccessible } from './support/accessibility.js';
import { PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { button, editor, node, pictures } from './support/flow-workbench.js';
import { echoFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

const HOSTILE = '<img src=x onerror=alert(1)> {{7*7}} ‮gnol';

describeInBrowser('flows in the console', () => {
  const fixture = consoleFixture();
  const { client, open } = fixture;

  beforeAll(() => client.flow({ ...echoFlow(), id: 'echo', access: { public: true } }));

  it('lists them with who may call them, whatever their names, and finds them', async () => {
    await client.flow({
      ...echoFlow({ name: HOSTILE, description: HOSTILE, account: '<b>me</b>' }),
      id: 'hostile',
    });
    const { page } = await open('/console/flows');
    await page.getByRole('link', { name: HOSTILE, exact: true }).waitFor();
    await page.getByText('<b>me</b>').waitFor();
    await expectSoon(() => pictures(page)).toBe(0);
    const echo = page.getByRole('row', { name: /Echo/ });
    await expectSoon(() => echo.getByText('Share link').count()).toBe(1);
    const chat = await echo.getByRole('link', { name: 'Chat page of Echo' }).getAttribute('href');
    expect((await client.send('GET', chat!)).status).toBe(200);
    await expectAccessible(page);
    await page.getByLabel('Search flows').fill('HOST');
    await page.getByText('1 of 2 flows').waitFor();
    await page.getByLabel('Search flows').fill('nothing of the kind');
    await page.getByRole('heading', { name: 'No flow matches' }).waitFor();
  });

  it('deletes one after a confirmation', async () => {
    await client.flow({ ...echoFlow({ name: 'Short-lived' }), id: 'short-lived' });
    const { page } = await open('/console/flows');
    const more = page.getByRole('button', { name: 'More about Short-lived' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByText('Its address and chat page stop working').waitFor();
    await expectAccessible(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await more.waitFor({ state: 'detached' });
    expect((await client.admin('GET', 'flows/short-lived')).status).toBe(404);
  });

  it('deletes one that was saved meanwhile only after a second confirmation', async () => {
    await client.flow({ ...echoFlow({ name: 'Contested' }), id: 'contested' });
    const { page } = await open('/console/flows');
    const more = page.getByRole('button', { name: 'More about Contested' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const saved = { ...echoFlow({ name: 'Contested' }), description: 'Wanted after all' };
    expect((await client.admin('PUT', 'flows/contested', saved)).status).toBe(200);
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('alert').getByText('Someone else has just saved “Contested”.').waitFor();
    await expectAccessible(page);
    expect((await client.admin('GET', 'flows/contested')).status).toBe(200);
    await question.getByRole('button', { name: 'Keep' }).click();
    await page.getByText('Wanted after all').waitFor();
    await more.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await more.waitFor({ state: 'detached' });
    expect((await client.admin('GET', 'flows/contested')).status).toBe(404);
  });

  it('imports an export, shows where one is invalid, and what was not carried over', async () => {
    const { page } = await open('/console/flows');
    await button(page, 'Import').click();
    const choose = async (name: string, content: string) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: /^Choose/ }).click();
      await (await chooser).setFiles([{ name, mimeType: 'application/json', buffer: Buffer.from(content) }]);
      await page.getByText(name).first().waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
    };
    await choose('odd.json', '{"nodes"');
    await page.getByRole('alert').getByText('is not JSON').waitFor();
    const exported = (name: string) => ({
      nodes: [
        { id: 'startAgentflow_0', data: { name: 'startAgentflow', inputs: { startInputType: 'chatInput' } } },
        { id: 'x_0', data: { name, label: HOSTILE, inputs: { directReplyMessage: '<p>Hi</p>' } } },
      ],
      edges: [
        {
          source: 'startAgentflow_0',
          sourceHandle: 'startAgentflow_0-output-startAgentflow',
          target: 'x_0',
        },
      ],
    });
    const { nodes, edges } = exported('directReplyAgentflow');
    await choose('broken.json', JSON.stringify({ nodes: [nodes[0], { id: 'x_0', data: 7 }], edges }));
    await page.getByRole('alert').getByText('nodes.1').first().waitFor();
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('Brought along');
    await choose('unknown.json', JSON.stringify(exported('noSuchAgentflow')));
    await page.getByText('“Brought along” has been imported').waitFor();
    await page.getByText('noSuchAgentflow').first().waitFor();
    await page.getByRole('link', { name: 'Open the flow' }).click();
    await page.getByRole('heading', { level: 1, name: 'Brought along' }).waitFor();
    await node(page, HOSTILE).waitFor();
  });

  it('imports several files at once; one that fails stops no other, and placeholders stay listed', async () => {
    const { page } = await open('/console/flows');
    await button(page, 'Import').click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: /^Choose/ }).click();
    const file = (name: string, content: object | string) => ({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
    });
    const placeholder = { id: 'mail', kind: 'missing', config: { original: 'gmail' } };
    const replaced = {
      ...echoFlow({ name: 'With a placeholder' }),
      nodes: [{ id: 'start', kind: 'start' }, placeholder],
      edges: [{ from: 'start', to: 'mail' }],
    };
    await (
      await chooser
    ).setFiles([
      file('one.json', echoFlow({ name: 'The first' })),
      file('broken.json', '{'),
      file('two.json', replaced),
    ]);
    await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('2 flows imported.').waitFor();
    await page.getByRole('heading', { name: 'broken.json was not imported' }).waitFor();
    await page.getByRole('dialog').getByText('“With a placeholder”: "mail"').waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('link', { name: 'With a placeholder' }).click();
    await page.getByText(/placeholder for .gmail./).waitFor();
  });

  it('duplicates one with its settings, and exports it as a file that can be imported', async () => {
    const id = await client.flow(echoFlow({ name: 'Original', price: 3 }));
    const { page, go } = await open('/console/flows');
    await page.getByRole('button', { name: 'More about Original' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { level: 1, name: 'Original (copy)' }).waitFor();
    const copy = (await client.admin('GET', `flows/${page.url().split('/').at(-1)}`)).body;
    expect([copy.id === id, copy.price, copy.nodes.length]).toEqual([false, 3, 2]);
    await go('/console/flows');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'More about Original', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    const exported = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
    expect([exported.id, exported.price, exported.version]).toEqual([id, 3, undefined]);
    expect((await client.admin('POST', 'flows', { ...exported, id: 'exported' })).status).toBe(200);
  });

  it('uses the chosen model wherever the export names one', async () => {
    const { body: credential } = await client.admin('POST', 'credentials', {
      name: 'Models',
      kind: 'api-key',
      data: { apiKey: 'sk-import-0123456789' },
    });
    const { page } = await open('/console/flows');
    await button(page, 'Import').click();
    const dialog = page.getByRole('dialog');
    const chosen = async (label: string, option: string) => {
      await dialog.getByRole('button', { name: label }).click();
      await page.getByRole('option', { name: option }).click();
    };
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: /^Choose/ }).click();
    const llm = {
      llmModel: 'chatAnything',
      llmModelConfig: { modelName: 'any' },
      llmUserMessage: '<p>Hi</p>',
    };
    const nodes = [
      { id: 'startAgentflow_0', data: { name: 'startAgentflow', inputs: { startInputType: 'chatInput' } } },
      { id: 'llmAgentflow_0', data: { name: 'llmAgentflow', inputs: llm } },
    ];
    const edges = [{ source: 'startAgentflow_0', sourceHandle: '', target: 'llmAgentflow_0' }];
    const buffer = Buffer.from(JSON.stringify({ nodes, edges }));
    await (await chooser).setFiles([{ name: 'llm.json', mimeType: 'application/json', buffer }]);
    await dialog.getByLabel('Id', { exact: true }).fill('with-model');
    await chosen('Model', 'Another, by OpenAI’s protocol');
    await dialog.getByLabel('Model name').fill('small');
    await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:4010/v1');
    await chosen('Credential', 'Models');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('has been imported').waitFor();
    const { body: flow } = await client.admin('GET', 'flows/with-model');
    expect(flow.nodes[1].config.model).toEqual({
      provider: 'openai-compatible',
      name: 'small',
      baseUrl: 'http://127.0.0.1:4010/v1',
      credentialId: credential.id,
    });
  });

  it('may have any id, and a page of their own beside every list of flows', async () => {
    await client.flow({ ...echoFlow({ name: 'Everything' }), id: 'all' });
    const { page } = await open('/console/access/limits');
    await page.getByRole('link', { name: 'Everything' }).click();
    await page.getByRole('heading', { level: 1, name: 'Everything' }).waitFor();
    await node(page, 'Say it again').waitFor();
  });

  it('works on a phone', async () => {
    const { page } = await open('/console/flows/echo', { browser: PHONE });
    const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
    await node(page, 'start').waitFor();
    await expectAccessible(page);
    await expectSoon(() => width()).toBe(390);
    await page.getByRole('tab', { name: 'Definition' }).click();
    await editor(page).waitFor();
    await expectAccessible(page);
    await expectSoon(() => width()).toBe(390);
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByLabel('Message').fill('From the field');
    await button(page, 'Send').click();
    await page.getByText('You said: From the field').waitFor();
    await page.locator('.graph-node-succeeded').first().waitFor();
    await expectAccessible(page);
    await expectSoon(() => width()).toBe(390);
    await page.goto(`${fixture.service.url}/console/flows`);
    await page.getByRole('heading', { level: 1, name: 'Flows' }).waitFor();
    await page.getByText('Open', { exact: true }).first().waitFor();
    await expectAccessible(page);
    await expectSoon(() => width()).toBe(390);
  });
});
