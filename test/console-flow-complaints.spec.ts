import type { Page } from 'playwright-core';
import { consoleFixture } from './support/console.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { button, lookAgain, node, text, write } from './support/flow-workbench.js';
import { replyFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

/** Complaints of people about other flow editors. */
describeInBrowser('what people complain of in flow editors cannot happen here:', () => {
  const fixture = consoleFixture();
  const { client, open, row } = fixture;

  const make = (id: string, more: object = {}) =>
    client.flow(replyFlow('One', { id, name: `Flow ${id}`, price: 0, ...more }));
  const answer = async (id: string) => (await client.predict(id, { question: 'q' })).body.text as string;
  const message = async (id: string, path = '/draft') =>
    (await client.admin('GET', `flows/${id}${path}`)).body.nodes[1].config.message as string;
  const opened = async (id: string) => {
    const found = await open(`/console/flows/${id}`);
    await node(found.page, 'reply').waitFor();
    return found;
  };
  const change = async (page: Page, to: string) => {
    await write(page, replyFlow(to));
    await page.getByText('Not saved', { exact: true }).waitFor();
  };
  const save = async (page: Page) => {
    await button(page, 'Save').click();
    await page.getByText('Not saved', { exact: true }).waitFor({ state: 'detached' });
  };

  const seen = (page: Page, words: string) =>
    eventually(async () => {
      await lookAgain(page);
      return (await text(page)).includes(words);
    });

  it('(a) a draft forgotten while the old version serves: each page of the flow says so', async () => {
    await make('forgotten');
    const { page, go } = await opened('forgotten');
    await change(page, 'Two');
    await page.getByText('Callers get this version; your changes are not saved.').waitFor();
    await save(page);
    expect(await answer('forgotten')).toBe('One');
    await page.getByText('Draft saved. Callers still get version 1.').waitFor();
    await page.getByText('Callers get version 1.', { exact: true }).waitFor();
    await go('/console/flows');
    await row('Flow forgotten').getByText('Draft, ahead of version 1').waitFor();
    await go('/console/flows/forgotten');
    await page.getByText('Callers get version 1.', { exact: true }).waitFor();
  });

  it('(b) a test of another version than the one on screen: the pane and each answer name what ran', async () => {
    await make('tried');
    const { page } = await opened('tried');
    const ask = async () => {
      await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
      // It stands in for Stop once the run before has ended; until then Enter does nothing.
      await button(page, 'Send').waitFor();
      await page.keyboard.press('Enter');
    };
    const chat = page.getByRole('log', { name: 'Chat' });
    await change(page, 'Two');
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByText('Your changes are not saved yet. Version 1 runs.').waitFor();
    await ask();
    await chat.getByText('One', { exact: true }).waitFor();
    await chat.getByText('Version 1', { exact: true }).waitFor();
    await button(page, 'Save first').click();
    await page.getByText('Runs the saved draft.').waitFor();
    await ask();
    await chat.getByText('Two', { exact: true }).waitFor();
    await chat.getByText('Draft', { exact: true }).waitFor();
  });

  it('(c) edits lost by a reload or a crash: the tab stores each, or says that it cannot', async () => {
    await make('kept');
    const { page } = await opened('kept');
    page.on('dialog', (dialog) => void dialog.accept());
    await change(page, 'Unsaved');
    await page.reload();
    await page.getByText('This is your unsaved text from an earlier visit.').waitFor();
    await expectSoon(() => text(page)).toContain('"Unsaved"');
    await page.evaluate(`Storage.prototype.setItem = () => { throw new Error('full'); }`);
    await write(page, replyFlow('More'));
    await page.getByText('This browser has no room for your unsaved changes.').waitFor();
    await save(page);
    await page.getByText('This browser has no room').waitFor({ state: 'detached' });
    expect(await message('kept')).toBe('More');
  });

  it('(c) edits lost by a crash: another tab takes them over, unless they are open or were left', async () => {
    await make('crashed');
    const { page, context } = await opened('crashed');
    const opensAnother = async () => {
      const other = await context.newPage();
      const key = JSON.stringify(JSON.stringify(fixture.service.adminKey));
      await other.addInitScript(`sessionStorage.setItem('console:admin-key', ${key})`);
      await other.goto(`${fixture.service.url}/console/flows/crashed`);
      await node(other, 'reply').waitFor();
      return other;
    };
    const restored = (of: Page) => of.getByText('This is your unsaved text from an earlier visit.').count();
    // One of these comes before the copies of tabs, in whatever order the browser lists them.
    for (const name of [' crashed', '~ crashed'])
      await page.evaluate(`localStorage.setItem('console:flow-draft:${name}', '{"text": 5}')`);
    await change(page, 'Unsaved');
    const second = await opensAnother();
    await expectSoon(() => restored(second)).toBe(0);
    await change(second, 'Left');
    second.on('dialog', (dialog) => void dialog.accept());
    await second.goto('about:blank');
    await page.goto('chrome://crash').catch(() => undefined);
    const third = await opensAnother();
    await expectSoon(() => restored(third)).toBe(1);
    await expectSoon(() => text(third)).toContain('"Unsaved"');
    const fourth = await opensAnother();
    await expectSoon(() => restored(fourth)).toBe(0);
    await save(third);
    expect(await message('crashed')).toBe('Unsaved');
    await expectSoon(() =>
      third.evaluate('Object.keys(localStorage).filter((name) => name.includes("flow-draft"))'),
    ).toHaveLength(2);
  });

  it('(d) two editors that overwrite each other: the second tab is shown what the first one saved', async () => {
    await make('shared');
    const { page, context } = await opened('shared');
    const other = await context.newPage();
    const key = JSON.stringify(JSON.stringify(fixture.service.adminKey));
    await other.addInitScript(`sessionStorage.setItem('console:admin-key', ${key})`);
    await other.goto(page.url());
    await node(other, 'reply').waitFor();
    await change(other, 'Of the other tab');
    await change(page, 'Of this tab');
    await save(page);
    await button(other, 'Save').click();
    const dialog = other.getByRole('dialog', { name: 'Someone else saved this flow' });
    await dialog.getByRole('region', { name: 'Theirs' }).getByText('Of this tab').waitFor();
    expect(await message('shared')).toBe('Of this tab');
    await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await message('shared')).toBe('Of the other tab');
    await seen(page, 'Of the other tab');
  });

  it('(d) text restored after a reload never overwrites what somebody else saved meanwhile', async () => {
    await make('restored');
    const { page } = await opened('restored');
    page.on('dialog', (dialog) => void dialog.accept());
    await change(page, 'Mine');
    await client.admin('PUT', 'flows/restored/draft', replyFlow('Theirs'));
    await page.reload();
    const restored = page.getByText('This is your unsaved text from an earlier visit.');
    await restored.waitFor();
    await page.getByText('Someone else has saved this flow since you started editing.').waitFor();
    await expectSoon(() => text(page)).toContain('Mine');
    await button(page, 'Save').click();
    const dialog = page.getByRole('dialog', { name: 'Someone else saved this flow' });
    await dialog.getByRole('region', { name: 'Theirs' }).getByText('Theirs').waitFor();
    expect(await message('restored')).toBe('Theirs');
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await button(page, 'Discard').click();
    await restored.waitFor({ state: 'detached' });
    await eventually(async () => (await text(page)).includes('"Theirs"'));
    await change(page, 'Mine after theirs');
    await save(page);
    expect(await message('restored')).toBe('Mine after theirs');
  });

  it('(d) a draft that somebody else begins leaves unsaved text on the screen, with its history', async () => {
    await make('begun');
    const { page } = await opened('begun');
    await change(page, 'Mine');
    let letGo!: () => void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/flows/begun/draft', (route) => void held.then(() => route.continue()));
    await client.admin('PUT', 'flows/begun/draft', replyFlow('Theirs'));
    let isAsked = false;
    page.on('request', (request) => (isAsked ||= request.url().endsWith('/flows/begun/draft')));
    await eventually(async () => {
      await lookAgain(page);
      return isAsked;
    });
    await expectSoon(async () => [await text(page), await button(page, 'Undo').isDisabled()]).toEqual([
      expect.stringContaining('Mine'),
      false,
    ]);
    letGo();
    await page.getByText('Someone else has saved this flow since you started editing.').waitFor();
    await expectSoon(() => text(page)).toContain('Mine');
  });

  it('(e) an undo that goes back past the load: it ends at the text that was loaded', async () => {
    await make('undone');
    const { page } = await opened('undone');
    const canvas = page.locator('.react-flow__node', { has: node(page, 'reply') }).first();
    const before = await text(page);
    await change(page, 'Two');
    await canvas.focus();
    for (let times = 0; times < 5; times++) await page.keyboard.press('Control+z');
    await expectSoon(async () => [await text(page), await button(page, 'Undo').isDisabled()]).toEqual([
      before,
      true,
    ]);
    await client.admin('PUT', 'flows/undone/draft', replyFlow('Theirs'));
    await seen(page, 'Theirs');
    await canvas.focus();
    for (let times = 0; times < 5; times++) await page.keyboard.press('Control+z');
    await expectSoon(() => text(page)).toContain('Theirs');
  });

  it('(f) no way back to an older version: any is restored into the draft and published', async () => {
    await make('returned');
    await client.admin('PUT', 'flows/returned', replyFlow('Two', { name: 'Flow returned', price: 0 }));
    const { page } = await open('/console/flows/returned/versions');
    await page.getByRole('link', { name: 'Open version 1' }).click();
    await button(page, 'Restore into the draft').click();
    await page.getByText('Callers get version 2.').waitFor();
    await button(page, 'Publish').click();
    const dialog = page.getByRole('dialog', { name: 'Publish version 3' });
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Version 3 is published.').waitFor();
    expect([await answer('returned'), await message('returned', '/versions/2')]).toEqual(['One', 'Two']);
  });
});
