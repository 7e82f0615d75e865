import { expectAccessible } from './support/accessibility.js';
import { DESK, PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { button, node, text, write } from './support/flow-workbench.js';
import { replyFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('the versions of a flow in the console', () => {
  const fixture = consoleFixture();
  const { client, open } = fixture;
  const flow = (id: string, more: object = {}) =>
    client.flow(replyFlow('One', { id, name: 'Greeter', price: 0, ...more }));
  const replies = async (id: string) => (await client.predict(id, { question: 'q' })).body.text as string;

  it('keep a draft apart until it is published, and say which one runs', async () => {
    await flow('drafted');
    const { page } = await open('/console/flows/drafted');
    await node(page, 'reply').waitFor();
    await page.getByText('Published. Callers get this version').waitFor();
    await write(page, replyFlow('Two'));
    await button(page, 'Save').click();
    await page.getByText('Callers get version 1.').waitFor();
    expect(await replies('drafted')).toBe('One');

    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByText('Runs the saved draft.').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
    await page.keyboard.press('Enter');
    const chat = page.getByRole('log', { name: 'Chat' });
    await chat.getByText('Two', { exact: true }).waitFor();
    await chat.getByText('Draft', { exact: true }).waitFor();
    await expectAccessible(page);

    await button(page, 'Publish').click();
    const dialog = page.getByRole('dialog', { name: 'Publish version 2' });
    await dialog.getByRole('list', { name: 'Changed nodes' }).getByText('reply').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Friendlier');
    await dialog.getByRole('textbox', { name: 'Author' }).fill('Ada');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Version 2 is published.').waitFor();
    await page.getByText('Published. Callers get this version').waitFor();
    expect(await replies('drafted')).toBe('Two');
    await page.getByRole('tab', { name: 'Definition' }).click();
    await expectSoon(() => text(page)).toContain('"Two"');
    expect((await client.admin('GET', 'flows/drafted/versions')).body.data[0]).toMatchObject({
      ...{ version: 2, name: 'Friendlier', by: 'Ada' },
    });
  });

  it('are listed, compared, and restored into the draft, which can be discarded', async () => {
    await flow('listed');
    await client.admin('PUT', 'flows/listed', replyFlow('Two', { name: 'Greeter', price: 5, author: 'Bob' }));
    const { page } = await open('/console/flows/listed/versions');
    const row = page.getByRole('row', { name: /^2 Published .* Bob/ });
    await row.waitFor();
    await page.getByRole('row', { name: /price 0 5/ }).waitFor();
    await page.getByRole('link', { name: 'Open version 2' }).click();
    const shown = page.getByRole('region', { name: 'Version 2' });
    await shown.getByText('"Two"').waitFor();
    await shown.getByText('"One"').waitFor();
    await expectSoon(() => shown.getByRole('list', { name: 'Changed nodes' }).innerText()).toMatch(
      /changed\s+reply/i,
    );
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Open version 1' }).click();
    await button(page, 'Restore into the draft').click();
    await page.waitForURL('**/console/flows/listed');
    await page.getByText('Callers get version 2.').waitFor();
    await eventually(async () => (await text(page)).includes('"One"'));
    await button(page, 'Discard draft').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Published. Callers get this version').waitFor();
    await eventually(async () => (await text(page)).includes('"Two"'));
  });

  it('are apart from settings, which take effect at once, and from the switch', async () => {
    await flow('switched');
    const { page } = await open('/console/flows/switched');
    await node(page, 'reply').waitFor();
    await expectSoon(() => text(page)).not.toContain('"price"');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('The flow answers calls').click();
    await button(page, 'Save settings').click();
    await page.getByText('Settings saved.').waitFor();
    expect((await client.predict('switched', { question: 'q' })).body.code).toBe('flow_disabled');
    await button(page, 'Edit as JSON').click();
    const settings = page.getByRole('textbox', { name: 'Settings' });
    await settings.waitFor();
    await expectAccessible(page);
    await settings.press('Control+a');
    await page.keyboard.insertText(JSON.stringify({ name: 'Renamed', price: 0 }));
    await button(page, 'Save settings').click();
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    expect((await client.admin('GET', 'flows/switched')).body).toMatchObject({ version: 1, name: 'Renamed' });
    expect(await replies('switched')).toBe('One');
  });

  it('are drawn as one graph with what differs, also on a phone', async () => {
    const at = (x: number, y: number) => ({ position: { x, y } });
    const start = { id: 'start', kind: 'start', ...at(0, 0) };
    const hello = { id: 'hello', kind: 'reply', label: 'Hello', config: { message: 'One' }, ...at(240, 0) };
    const old = { id: 'old', kind: 'reply', label: 'Old', config: { message: 'Bye' }, ...at(480, 0) };
    const edges = [{ from: 'start', to: 'hello' }];
    const one = {
      name: 'Compared',
      nodes: [start, hello, old],
      edges: [...edges, { from: 'hello', to: 'old' }],
    };
    await client.flow({ id: 'compared', ...one });
    const next = { ...old, id: 'next', label: 'Next', ...at(480, 200) };
    const nodes = [start, { ...hello, config: { message: 'Two' } }, next];
    const two = {
      ...one,
      nodes,
      edges: [...edges, { from: 'hello', to: 'next' }],
      vars: { a: { value: 1 } },
    };
    await client.admin('PUT', 'flows/compared', two);
    for (const browser of [DESK, PHONE]) {
      const { page, context } = await open('/console/flows/compared/versions?show=2', { browser });
      const picture = page.getByRole('group', { name: 'Picture of Version 2' });
      const ghost = picture.getByRole('group', { name: 'Old, reply, removed' });
      await ghost.waitFor();
      for (const name of ['Hello, reply, changed', 'Next, reply, added'])
        await picture.getByRole('group', { name }).waitFor();
      for (const name of ['Edge from hello to old', 'Edge from hello to next'])
        await picture.getByLabel(name).waitFor({ state: 'attached' });
      await expectSoon(() => picture.locator('.canvas-edge-change').allInnerTexts()).toEqual([
        'added',
        'removed',
      ]);
      const legend = picture.getByRole('list', { name: 'Legend' });
      await expectSoon(async () => (await legend.innerText()).split(/\s+/)).toEqual([
        'added',
        'changed',
        'removed',
      ]);
      await page.getByText('Also changed: edges, vars.').waitFor();
      // At its old place: in line with the node before it.
      await expectSoon(async () => {
        const [was, before] = [await ghost.boundingBox(), await picture.getByLabel(/^Hello/).boundingBox()];
        return Math.abs(was!.y - before!.y);
      }).toBeLessThan(2);
      await picture.getByLabel(/^Hello/).click();
      const changes = page.getByRole('region', { name: 'Changes of Hello' });
      await expectSoon(async () => (await changes.innerText()).split(/\s*\n\s*/)).toEqual([
        ...['Hello', 'config.message', 'Before', 'One', 'After', 'Two'],
      ]);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Old', exact: true }).click();
      await page.getByRole('region', { name: 'Changes of Old' }).getByText('Bye').waitFor();
      await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBe(
        browser.viewport.width,
      );
      await context.close();
    }
  });

  it('are named on an execution, which can be run again on the draft', async () => {
    await flow('replayed');
    const { body } = await client.predict('replayed', { question: 'Hello' });
    await client.admin('PUT', 'flows/replayed', replyFlow('Two', { name: 'Greeter', price: 0 }));
    await client.admin('PUT', 'flows/replayed/draft', replyFlow('Three'));
    const { page } = await open(`/console/executions/${body.executionId}`);
    await page.getByText('The picture shows version 1, which ran.').waitFor();
    await button(page, 'Run again').click();
    const dialog = page.getByRole('dialog', { name: 'Run again' });
    await dialog.getByText('On the draft instead of version 2').click();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog.getByText('Three', { exact: true }).waitFor();
    await dialog.getByText('Draft', { exact: true }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Version 1' }).click();
    await page.getByRole('region', { name: 'Version 1' }).getByText('"One"').waitFor();
  });
});
