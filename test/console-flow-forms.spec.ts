import { expectAccessible } from './support/accessibility.js';
import { DESK, PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { button, lookAgain, node } from './support/flow-workbench.js';
import { replyFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('the forms of a flow in the console', () => {
  const fixture = consoleFixture();
  const { client, open, heading } = fixture;
  const tab = (name: string) => fixture.page().getByRole('tab', { name, exact: true });
  const group = (name: string) => fixture.page().getByRole('group', { name, exact: true });
  const choose = async (field: RegExp, option: string) => {
    await fixture.page().getByRole('button', { name: field }).click();
    await fixture.page().getByRole('option', { name: option, exact: true }).click();
  };

  it('edit variables, chat and report in the one document, with one history', async () => {
    const vars = { tone: { value: 'kind', locked: true }, most: { value: 5 } };
    await client.flow(
      replyFlow('{{$vars.tone}}', { id: 'formed', name: 'Formed', vars, chat: { own: [1] } }),
    );
    const { page } = await open('/console/flows/formed');
    await node(page, 'reply').waitFor();
    await tab('Flow').click();
    await group('tone').getByRole('textbox', { name: 'Value' }).fill('friendly');
    await group('most').getByRole('textbox', { name: 'Value (JSON)' }).fill('{"n": 6}');
    await button(page, 'Add to variables').click();
    await group('name').getByRole('textbox', { name: 'Name', exact: true }).fill('office');
    await group('name').getByRole('textbox', { name: 'Value' }).fill('York');
    await group('office').getByRole('textbox', { name: 'Value' }).waitFor();
    await button(page, 'Set brand').click();
    await page.getByRole('textbox', { name: 'Colour' }).fill('red');
    await page.getByText('must be a colour as #rrggbb').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Colour' }).fill('#AA0000');
    await page.getByRole('textbox', { name: 'Own (JSON)' }).waitFor();
    await button(page, 'Set report').click();
    await button(page, 'Add to items').click();
    await choose(/^kitchen\s*Name|Name\s*kitchen/, 'hall');
    await button(page, 'Add to value of hall').click();
    await page.getByRole('textbox', { name: 'Value of hall 1' }).fill('Mirror');
    await button(page, 'Add to overrides').click();
    await choose(/Override 1/, 'reply.message');
    await button(page, 'Add to starter prompts').click();
    await page.getByRole('textbox', { name: 'Starter prompt 1' }).fill('Hello');
    await page.getByText('No faults.').waitFor();
    await button(page, 'Save').click();
    await page.getByText('Draft saved.').waitFor();
    expect((await client.admin('GET', 'flows/formed/draft')).body).toMatchObject({
      overrides: ['reply.message'],
      vars: {
        tone: { value: 'friendly', locked: true },
        most: { value: { n: 6 } },
        office: { value: 'York' },
      },
      chat: { own: [1], brand: { colour: '#AA0000' }, starterPrompts: ['Hello'] },
      report: { items: { hall: ['Mirror'] } },
    });
    const undo = button(page, 'Undo');
    while (await undo.isEnabled()) await undo.click();
    const left = await page.evaluate<string>(
      `JSON.parse(sessionStorage.getItem('console:flow-draft:formed')).text`,
    );
    const { nodes, edges } = replyFlow('{{$vars.tone}}');
    expect(left).toBe(`${JSON.stringify({ vars, chat: { own: [1] }, nodes, edges }, null, 2)}\n`);
  });

  it('edit every setting with pickers and faults at the field, and lose none', async () => {
    await client.flow(replyFlow('Hello', { id: 'set', name: 'Set', price: 0 }));
    await client.admin('POST', 'api-keys', { name: 'Website' });
    const data = { secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` };
    await client.admin('POST', 'credentials', { name: 'Signer', kind: 'webhook', data });
    await client.admin('POST', 'credentials', {
      name: 'Model key',
      kind: 'api-key',
      data: { apiKey: 'sk-1' },
    });
    const { page } = await open('/console/flows/set');
    await node(page, 'reply').waitFor();
    await tab('Settings').click();
    const save = button(page, 'Save settings');
    await page.getByRole('textbox', { name: 'Price' }).fill('0.5');
    await page.getByText('must be a whole number').waitFor();
    await expectSoon(() => save.isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Price' }).fill('0');
    await page.getByRole('textbox', { name: 'Account' }).fill('office');
    await choose(/API key/, 'Website');
    await button(page, 'Add to allowed domains').click();
    await page.getByRole('textbox', { name: 'Allowed domain 1' }).fill('no host');
    await page.getByText('must be a host such as example.com, *.example.com or localhost:3000').waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Allowed domain 1' }).fill('example.com');
    await button(page, 'Set rate limit').click();
    await page.getByRole('textbox', { name: 'Limit' }).fill('7');
    await page.getByRole('textbox', { name: 'Window seconds' }).fill('60');
    await page.getByRole('button', { name: /Webhook credential/ }).click();
    await expectSoon(() => page.getByRole('option').allInnerTexts()).toEqual(['Not set', 'Signer']);
    await page.getByRole('option', { name: 'Signer' }).click();
    // Another tab, and the settings stay as they are typed.
    await tab('Node').click();
    await tab('Settings').click();
    await page.getByRole('link', { name: 'Access' }).click();
    const leave = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await leave.getByText('The settings that you changed are lost.').waitFor();
    await leave.getByRole('button', { name: 'Stay' }).click();
    await save.click();
    await page.getByText('Settings saved.').waitFor();
    const { body: flow } = await client.admin('GET', 'flows/set');
    const { body: keys } = await client.admin('GET', 'api-keys');
    expect(flow).toMatchObject({
      version: 1,
      price: 0,
      account: 'office',
      access: {
        apiKeyId: keys.data.find(({ name }: { name: string }) => name === 'Website').id,
        allowedDomains: ['example.com'],
        rateLimit: { limit: 7, windowSeconds: 60 },
      },
      webhookCredentialId: expect.any(String),
    });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('');
    await page.getByText('must not be empty').waitFor();
    await button(page, 'Revert').click();
    await eventually(async () => save.isDisabled());
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed');
    await save.click();
    await heading('Renamed').waitFor();
  });

  const openSettings = async (id: string) => {
    await client.flow(replyFlow('Hello', { id, name: 'Shared', price: 0 }));
    const { page } = await open(`/console/flows/${id}`);
    await node(page, 'reply').waitFor();
    await tab('Settings').click();
    const description = page.getByRole('textbox', { name: 'Description' });
    await description.fill('Mine');
    return { page, description, save: button(page, 'Save settings') };
  };
  const access = { allowedDomains: ['theirs.example'] };
  const stored = async (id: string) => (await client.admin('GET', `flows/${id}`)).body;
  const theirs = () => fixture.dialog('Someone else saved the settings');
  const seesTheirs = () =>
    theirs().getByRole('region', { name: 'Theirs' }).getByText('theirs.example').waitFor();

  it('never overwrite settings that somebody else has saved, once the page has read them', async () => {
    const { page, description, save } = await openSettings('set-before');
    await client.admin('PUT', 'flows/set-before', replyFlow('Hello', { name: 'Shared', price: 0, access }));
    const notice = page.getByText('Someone else has saved the settings since you started editing.');
    await eventually(async () => {
      await lookAgain(page);
      return (await notice.count()) === 1;
    });
    await expectAccessible(page);
    await save.click();
    await seesTheirs();
    await expectAccessible(page);
    expect((await stored('set-before')).access).toMatchObject(access);
    await theirs().getByRole('button', { name: 'Use theirs' }).click();
    await theirs().waitFor({ state: 'detached' });
    await notice.waitFor({ state: 'detached' });
    await eventually(async () => (await description.inputValue()) === '');
    await description.fill('Beside theirs');
    await save.click();
    await page.getByText('Settings saved.').waitFor();
    expect(await stored('set-before')).toMatchObject({ description: 'Beside theirs', access });
  });

  it('never overwrite settings that somebody else has saved, before the page has read them', async () => {
    const { page, description, save } = await openSettings('set-after');
    await client.admin('PUT', 'flows/set-after', replyFlow('Theirs', { name: 'Shared', price: 0 }));
    await save.click();
    await page.getByText('Settings saved.').waitFor();
    const { version, nodes, ...settings } = await stored('set-after');
    expect([version, nodes[1].config.message, settings.description]).toEqual([2, 'Theirs', 'Mine']);

    await description.fill('Mine again');
    await client.admin('PUT', 'flows/set-after', replyFlow('Theirs', { name: 'Shared', price: 0, access }));
    for (const choice of ['Keep editing', 'Overwrite with mine']) {
      await save.click();
      await seesTheirs();
      expect((await stored('set-after')).access).toMatchObject(access);
      await theirs().getByRole('button', { name: choice }).click();
      await theirs().waitFor({ state: 'detached' });
    }
    expect(await stored('set-after')).toMatchObject({ description: 'Mine again' });
  });

  it('of a node are shown when it is tapped on a phone', async () => {
    await client.flow(replyFlow('Hello', { id: 'tapped', name: 'Tapped' }));
    const { page } = await open('/console/flows/tapped', { browser: PHONE });
    await node(page, 'reply').tap();
    await page.getByRole('textbox', { name: 'Message' }).fill('Good morning');
    await expectAccessible(page);
    await tab('Flow').tap();
    await button(page, 'Add to variables').waitFor();
    await expectAccessible(page);
    await tab('Settings').tap();
    await page.getByText('The flow answers calls').waitFor();
    await expectAccessible(page);
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await button(page, 'Save').tap();
    await page.getByText('Draft saved.').waitFor();
    const { body: draft } = await client.admin('GET', 'flows/tapped/draft');
    expect(draft.nodes[1].config.message).toBe('Good morning');
  });

  it('name other flows, also after the list of flows was shown', async () => {
    await client.flow(replyFlow('Hello', { id: 'called', name: 'Called' }));
    const calls = { id: 'call', kind: 'execute-flow', config: { flowId: 'called', question: 'x' } };
    const nodes = [{ id: 'start', kind: 'start' }, calls];
    await client.flow({ id: 'calling', name: 'Calling', nodes, edges: [{ from: 'start', to: 'call' }] });
    const { page } = await open('/console/flows', { browser: DESK });
    await page.getByRole('link', { name: 'Calling', exact: true }).click();
    await node(page, 'call').click();
    await page.getByRole('button', { name: /Called/ }).waitFor();
  });
});
