import type { Page } from 'playwright-core';
import { expectAccessible } from './support/accessibility.js';
import { DESK, holds } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { button, editor, node, text, write } from './support/flow-workbench.js';
import { echoFlow, replyFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

const SCHEMA_LOADED = `performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/flows/schema'))`;

describeInBrowser('the flow editor in the console', () => {
  const fixture = consoleFixture();
  const { client, open } = fixture;

  beforeAll(() => client.flow({ ...echoFlow(), id: 'echo', access: { public: true } }));

  const faults = (page: Page) => page.getByRole('list', { name: 'Faults' });
  const save = (page: Page) => button(page, 'Save').click();
  /** Waits for the underlined texts, which an effect draws after the list. */
  const expectMarked = async (page: Page, severity: 'error' | 'warning', texts: string[]) => {
    const marked = () => page.locator(`.cm-lintRange-${severity}`).allInnerTexts();
    await eventually(async () => JSON.stringify(await marked()) === JSON.stringify(texts));
  };
  /** Accepts the first suggestion. The editor ignores an Enter that comes too soon for a person to have read it. */
  const pick = async (page: Page, name: string | RegExp) => {
    await page.getByRole('option', { name, selected: true }).waitFor();
    await new Promise((resolve) => setTimeout(resolve, 150));
    await page.keyboard.press('Enter');
  };

  it('creates one from a template, suggests node kinds while it is written, and draws it', async () => {
    const { page } = await open('/console/flows');
    await page.getByRole('link', { name: 'New flow' }).first().click();
    await page.getByText('Start with a small flow').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Reply' }).click();
    await node(page, 'Answer').waitFor();
    await expectAccessible(page);
    const begun = '{"name": "Made here", "nodes": [{"id": "start", "kind": "start"}, {"id": "say", ';
    await write(page, begun);
    await editor(page).press('Control+End');
    await page.keyboard.type('"kin');
    await page.getByRole('option', { name: /^kind/ }).waitFor();
    await expectAccessible(page);
    await pick(page, /^kind/);
    await page.getByRole('option', { name: 'condition', exact: true }).waitFor();
    await page.keyboard.type('rep');
    await pick(page, 'reply');
    await expectSoon(() => text(page)).toContain('"kind": "reply"');
    // The last picture stays while the text is not valid JSON.
    await page.getByText('1 fault', { exact: true }).waitFor();
    await expectSoon(() => node(page, 'Answer').count()).toBe(1);
    await page.keyboard.type(', "label": "Say it", ');
    await page.keyboard.press('Control+Space');
    await page.getByRole('option', { name: /^config/ }).click();
    await expectSoon(() => text(page)).toMatch(/"config": \{\s*"message": ""\s*\}/);
    await page.keyboard.type('{{que');
    await pick(page, /^question/);
    await expectSoon(() => text(page)).toContain('"message": "{{question}}"');
    await editor(page).press('Control+End');
    await page.keyboard.type('}], "edges": [{"from": "start", "to": "');
    await pick(page, /^say/);
    // The editor has closed the opened brackets.
    await editor(page).press('Control+End');
    await page.keyboard.type('}');
    await node(page, 'Say it').waitFor();
    await button(page, 'Format').click();
    await page.getByText('No faults.').waitFor();
    await button(page, 'Create').click();
    await page.waitForURL(/\/console\/flows\/[0-9a-f-]{36}$/);
    await page.getByRole('heading', { level: 1, name: 'Made here' }).waitFor();
    const { body: made } = await client.admin('GET', `flows/${page.url().split('/').at(-1)!}`);
    expect(made).toMatchObject({ name: 'Made here', edges: [{ from: 'start', to: 'say' }] });
  });

  it('opens a flow with any id', async () => {
    const { page, go } = await open('/console/flows/~new');
    await page.getByText('Start with a small flow').waitFor();
    expect((await client.admin('POST', 'flows', { ...echoFlow(), id: '~new' })).status).toBe(400);

    await client.flow({ ...echoFlow(), id: 'new', name: 'Called new' });
    await go('/console/flows');
    await page.getByRole('link', { name: 'Called new', exact: true }).click();
    await page.waitForURL('**/console/flows/new');
    await page.getByRole('heading', { level: 1, name: 'Called new' }).waitFor();
    await node(page, 'Say it again').waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Called new' }).waitFor();
  });

  it('shows a fault at its place, saves a draft with it, and guards text against loss', async () => {
    await client.flow(replyFlow('Hello', { id: 'broken-one', name: 'Broken one' }));
    const { page } = await open('/console/flows/broken-one');
    await node(page, 'reply').waitFor();
    const broken = {
      ...replyFlow('Hello', { name: 'Broken one' }),
      overrides: 1,
      edges: [{ from: 'start', to: 'nowhere' }],
    };
    await write(page, broken);
    await faults(page).getByText('overrides').waitFor();
    await write(page, { ...broken, overrides: [] });
    const fault = faults(page).getByRole('button', { name: /edges\.0\.to there is no node "nowhere"/ });
    await faults(page).getByText('overrides').waitFor({ state: 'detached' });
    await fault.waitFor();
    await expectMarked(page, 'error', ['"nowhere"']);
    await fault.click();
    await holds(page, `document.activeElement.classList.contains('json-editor')`);
    await expectAccessible(page);
    await save(page);
    await page.getByText('1 fault to correct before it can be published').waitFor();
    await expectSoon(() => button(page, 'Publish').isDisabled()).toBe(true);
    expect((await client.admin('GET', 'flows/broken-one')).body.edges).toEqual([
      { from: 'start', to: 'reply' },
    ]);

    await write(page, { ...broken, overrides: [], edges: [{ from: 'start', to: 'elsewhere' }] });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('This is your unsaved text').waitFor();
    await expectSoon(() => text(page)).toContain('"elsewhere"');
    await expectAccessible(page);
    await button(page, 'Discard').click();
    await fault.waitFor();
    await expectSoon(() => text(page)).not.toContain('elsewhere');
  });

  it('drops a corrected fault before the service has checked the text', async () => {
    await client.flow(replyFlow('Hello', { id: 'slow-one', name: 'Slow one' }));
    const { page } = await open('/console/flows/slow-one');
    await node(page, 'reply').waitFor();
    const broken = { ...replyFlow('Hello', { name: 'Slow one' }), edges: [{ from: 'start', to: 'nowhere' }] };
    await write(page, { ...broken, overrides: 1 });
    await expectMarked(page, 'error', ['"nowhere"', '1']);
    // Without the schema, the page itself cannot find the fault that is corrected below.
    await holds(page, SCHEMA_LOADED);
    let answer = () => {};
    const isReleased = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/flows/check', async (route) => {
      await isReleased;
      await route.continue();
    });
    await write(page, { ...broken, overrides: [] });
    await expectMarked(page, 'error', ['"nowhere"']);
    answer();
    await page.getByText('1 fault', { exact: true }).waitFor();
  });

  it('warns of a probable mistake at its line, and saves it', async () => {
    await client.flow(replyFlow('Hello', { id: 'odd-one', name: 'Odd one' }));
    const { page, go } = await open('/console/flows/odd-one');
    await node(page, 'reply').waitFor();
    const odd = replyFlow('Hello {{questoin}}', { name: 'Odd one', prise: 2 });
    await write(page, odd);
    const warnings = page.getByRole('list', { name: 'Warnings' });
    await warnings.getByRole('button', { name: /Line 22 prise .* Did you mean “price”\?/ }).waitFor();
    const warning = warnings.getByRole('button', {
      name: /Line 12 nodes\.1\.config\.message .* Did you mean “question”/,
    });
    await warning.waitFor();
    await page.getByText('No faults.').waitFor();
    await page.getByText('2 warnings', { exact: true }).waitFor();
    await expectMarked(page, 'warning', ['"Hello {{questoin}}"', '2']);
    await expectAccessible(page);
    await warning.click();
    await expectSoon(() => page.locator('.cm-activeLine').innerText()).toContain('questoin');
    await save(page);
    await page.getByText('Draft saved.').waitFor();
    const { body: draft } = await client.admin('GET', 'flows/odd-one/draft');
    expect(draft.nodes[1].config.message).toContain('questoin');
    await go('/console/flows/odd-one');
    await page.getByRole('list', { name: 'Warnings' }).getByText('{{questoin}} stays as written').waitFor();
    await expectSoon(() => text(page)).not.toContain('"warnings"');
  });

  it('asks before it is left unsaved, and restores the text on return', async () => {
    await client.flow(replyFlow('Hello', { id: 'left-one', name: 'Left one' }));
    const { page } = await open('/console/flows/left-one');
    await node(page, 'reply').waitFor();
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => (dialogs.push(dialog.type()), void dialog.dismiss()));
    await write(page, 'not even JSON');
    await page.getByText('Not saved', { exact: true }).waitFor();
    const leave = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await page.getByRole('link', { name: 'Access' }).click();
    await leave.waitFor();
    await expectAccessible(page);
    await leave.getByRole('button', { name: 'Stay' }).click();
    await expectSoon(() => text(page)).toBe('not even JSON');
    await page.close({ runBeforeUnload: true });
    await eventually(() => dialogs.includes('beforeunload'));
    await page.getByRole('link', { name: 'Access' }).click();
    await leave.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/\/console\/access\/keys$/);
    await page.getByRole('heading', { level: 1, name: 'Access' }).waitFor();
    await page.goBack();
    await page.getByText('This is your unsaved text').waitFor();
    await expectSoon(() => text(page)).toBe('not even JSON');
  });

  it('never overwrites an unseen change by somebody else', async () => {
    await client.flow(replyFlow('First', { id: 'shared-one', name: 'Shared' }));
    const { page } = await open('/console/flows/shared-one');
    await node(page, 'reply').waitFor();
    await write(page, replyFlow('Mine', { name: 'Shared' }));
    await client.admin('PUT', 'flows/shared-one', replyFlow('Theirs', { name: 'Shared' }));
    await save(page);
    const dialog = page.getByRole('dialog', { name: 'Someone else saved this flow' });
    await dialog.getByRole('region', { name: 'Theirs' }).getByText('Theirs').waitFor();
    await expectAccessible(page);
    expect((await client.admin('GET', 'flows/shared-one')).body.nodes[1].config.message).toBe('Theirs');
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expectSoon(() => text(page)).toContain('"Mine"');
    await save(page);
    await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body: draft } = await client.admin('GET', 'flows/shared-one/draft');
    expect(draft.nodes[1].config.message).toBe('Mine');

    await write(page, replyFlow('Mine again', { name: 'Shared' }));
    await client.admin('PUT', 'flows/shared-one/draft', { ...replyFlow('Theirs again'), author: 'Ada' });
    await save(page);
    await dialog.getByText('Ada saved the draft').waitFor();
    await dialog.getByRole('button', { name: 'Use theirs' }).click();
    await eventually(async () => (await text(page)).includes('Theirs again'));
    await page.getByText('Not saved', { exact: true }).waitFor({ state: 'detached' });

    await client.admin('DELETE', 'flows/shared-one');
    await write(page, replyFlow('Still here', { name: 'Shared' }));
    await save(page);
    await page.getByRole('button', { name: 'Create again' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
  });

  it('is left with Tab, saved with Ctrl+S, and opened from a node', async () => {
    const { page } = await open('/console/flows/echo', { browser: DESK });
    await node(page, 'Say it again').click();
    await button(page, 'Show in the JSON').click();
    await holds(page, `document.activeElement.classList.contains('json-editor')`);
    await expectSoon(() => page.locator('.cm-activeLine').innerText()).toContain('{');
    await page.keyboard.press('Tab');
    await holds(page, `!document.activeElement.classList.contains('json-editor')`);
    await write(page, echoFlow({ vars: {} }));
    await editor(page).press('Control+s');
    await page.getByText('Draft saved. Callers still get version 1.').waitFor();
  });
});
