import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from './support/accessibility.js';
import { holds } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { button, node, openText, text, write } from './support/flow-workbench.js';
import { replyFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

/** Counts how often each node and each edge is rendered: React reports its commits to such a hook. */
const COUNTING = `
  globalThis.rendered = new Map();
  const walk = (fiber) => {
    const { data, id: own } = fiber.memoizedProps ?? {};
    const id = data?.node?.id ?? (String(own).startsWith('edge:') ? own : undefined);
    if (id && typeof fiber.type === 'function' && fiber.flags & 1)
      rendered.set(id, (rendered.get(id) ?? 0) + 1);
    if (fiber.alternate && fiber.child === fiber.alternate.child) return;
    for (let child = fiber.child; child; child = child.sibling) walk(child);
  };
  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: (_, root) => walk(root.current),
    onCommitFiberUnmount() {},
  };`;

describeInBrowser('the canvas of a flow in the console', () => {
  const fixture = consoleFixture();
  const { client, open } = fixture;

  const saved = async (id: string) => (await client.admin('GET', `flows/${id}/draft`)).body;
  const outOf = (page: Page, label: string, branch = ''): Locator =>
    page
      .locator('.react-flow__node', { has: node(page, label) })
      .locator(`.react-flow__handle.source${branch === '' ? '' : `[data-handleid="${branch}"]`}`);
  const into = (page: Page, label: string): Locator =>
    page.locator('.react-flow__node', { has: node(page, label) }).locator('.react-flow__handle.target');
  const middle = async (place: Locator) => {
    const { x, y, width, height } = (await place.boundingBox())!;
    return [x + width / 2, y + height / 2] as const;
  };
  const drag = async (page: Page, from: Locator, to: readonly [number, number]) => {
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(to[0], to[1], { steps: 6 });
    await page.mouse.up();
  };
  const add = async (page: Page, kind: string) => {
    await button(page, 'Add node').click();
    await page.locator('.palette-kind', { hasText: kind }).first().click();
  };
  const canvas = (page: Page) => page.getByRole('group', { name: /^Canvas of/ });

  it('builds a flow with two branches by mouse, which is tried and published', async () => {
    await client.flow({ id: 'drawn', name: 'Drawn', nodes: [{ id: 'start', kind: 'start' }], edges: [] });
    const { page } = await open('/console/flows/drawn');
    await node(page, 'start').click();
    await add(page, 'Condition');
    await page.getByLabel('Value1').fill('{{que');
    await page.getByRole('option', { name: /^question/ }).click();
    await page.getByRole('button', { name: /Operation/ }).click();
    await page.getByRole('option', { name: 'contains', exact: true }).click();
    await page.getByLabel('Value2').fill('call');
    await page.getByText('condition').first().waitFor();
    // Drop on nothing: the next node is picked there.
    const [x, y] = await middle(outOf(page, 'condition', '0'));
    await drag(page, outOf(page, 'condition', '0'), [x + 60, y - 140]);
    await page.locator('.palette-kind', { hasText: 'HTTP' }).click();
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill('http://127.0.0.1:9/never');
    await add(page, 'Language model');
    await button(page, 'Undo').click();
    await node(page, 'llm').waitFor({ state: 'detached' });
    await button(page, 'Redo').click();
    await button(page, 'Show all of the flow').click();
    await node(page, 'llm').click();
    await expectAccessible(page);
    await button(page, 'Set model').click();
    await button(page, 'New API key…').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Mine');
    await page.getByRole('dialog').getByLabel('API key').fill('sk-canvas-0123456789');
    await page.getByRole('dialog').getByRole('button', { name: 'Store' }).click();
    await page.getByRole('button', { name: /^Mine/ }).waitFor();
    await page.getByRole('button', { name: /Provider/ }).click();
    await page.getByRole('option', { name: 'openai-compatible' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('fake');
    await page.getByRole('textbox', { name: 'Base URL' }).fill(fixture.model.url);
    // The new node followed the HTTP node. It shall follow the other branch.
    await page.getByRole('group', { name: 'Edge from http to llm' }).dispatchEvent('click');
    await button(page, 'Remove the edge from http to llm').click();
    await drag(page, outOf(page, 'condition', 'else'), await middle(into(page, 'llm')));
    await page.getByText('No faults.').waitFor();
    await button(page, 'Save').click();
    await page.getByText('Draft saved.').waitFor();
    const { nodes, edges } = await saved('drawn');
    expect(nodes.map(({ kind }: { kind: string }) => kind)).toEqual(['start', 'condition', 'http', 'llm']);
    expect(edges).toEqual([
      { from: 'start', to: 'condition' },
      { from: 'condition', to: 'http', on: '0' },
      { from: 'condition', to: 'llm', on: 'else' },
    ]);
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByLabel('Message').fill('Hello');
    await button(page, 'Send').click();
    await page.getByText('Hello there').waitFor();
    await page.locator('.graph-node-succeeded', { hasText: 'llm' }).waitFor();
    await button(page, 'Publish').click();
    const publishing = page.getByRole('dialog', { name: 'Publish version 2' });
    await publishing.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published. Callers get this version').waitFor();
    const published = (await client.admin('GET', 'flows/drawn')).body;
    expect([published.version, published.draft, published.edges]).toEqual([2, false, edges]);
  });

  it('places a kind that is dragged from the palette, and a note', async () => {
    await client.flow(replyFlow('Hello', { id: 'placed', name: 'Placed' }));
    const { page } = await open('/console/flows/placed');
    await node(page, 'reply').waitFor();
    await button(page, 'Add node').click();
    await page.getByLabel('Search kinds of nodes').fill('other flow');
    const target = { targetPosition: { x: 600, y: 600 } };
    await page.locator('.palette-kind').dragTo(page.locator('.react-flow__pane'), target);
    await node(page, 'execute-flow').waitFor();
    await button(page, 'Close').click();
    await button(page, 'More on the canvas').click();
    await page.getByRole('menuitem', { name: 'Add a note' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Remember');
    await expectAccessible(page);
    await button(page, 'Find in the flow').click();
    await page.getByRole('searchbox', { name: 'Find in the flow' }).fill('remem');
    await page.getByText('1 match', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.canvas-note.canvas-selected').waitFor();
    const chosen = page.locator('.react-flow__node', { has: node(page, 'reply') }).first();
    await node(page, 'reply').click();
    await chosen.focus();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await node(page, 'reply-2').waitFor();
    await page.keyboard.press('Control+z');
    await node(page, 'reply-2').waitFor({ state: 'detached' });
    const definition = JSON.parse(
      await page.evaluate<string>(`JSON.parse(sessionStorage.getItem('console:flow-draft:placed')).text`),
    ) as { notes: object[]; nodes: { kind: string; position: object }[] };
    expect(definition.notes).toEqual([{ text: 'Remember', position: expect.any(Object) }]);
    expect(definition.nodes.map(({ kind, position }) => [kind, typeof position])).toEqual([
      ...[
        ['start', 'object'],
        ['reply', 'object'],
        ['execute-flow', 'object'],
      ],
    ]);
  });

  it('edits the same document as the text, with one history, by keyboard alone', async () => {
    await client.flow(
      replyFlow('{{start}} and {{reply.output}}', { id: 'keyed', name: 'Keyed', odd: { b: 1, a: 2 } }),
    );
    const { page } = await open('/console/flows/keyed');
    await node(page, 'reply').waitFor();
    const before = await text(page);
    const focus = (label: string) =>
      page
        .locator('.react-flow__node', { has: node(page, label) })
        .first()
        .focus();
    await focus('reply');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await eventually(async () => (await text(page)).includes('"position"'));
    await focus('reply');
    await page.keyboard.press('Control+d');
    await node(page, 'reply-2').waitFor();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expectSoon(() => text(page)).toBe(before);

    await focus('reply');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Space');
    await page.keyboard.press('a');
    await page.getByLabel('Search kinds of nodes').fill('retriev');
    await page.keyboard.press('Enter');
    await node(page, 'retriever').waitFor();
    await expectSoon(() => text(page)).toMatch(/"from": "reply",\s*"to": "retriever"/);
    await focus('start');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Space');
    await page.keyboard.press('c');
    await page
      .getByRole('dialog', { name: 'Connect start' })
      .getByRole('button', { name: 'Connect' })
      .click();
    await expectSoon(() => text(page)).toMatch(/"from": "start",\s*"to": "retriever"/);
    await focus('reply');
    await page.keyboard.press('Enter');
    await holds(page, `document.activeElement.closest('.schema-form') !== null`);
    const id = page.getByLabel('Id', { exact: true });
    await id.fill('answer');
    await id.press('Enter');
    await node(page, 'answer').waitFor();
    await expectSoon(() => text(page)).toContain('{{start}} and {{answer.output}}');
    await focus('retriever');
    await page.keyboard.press('Delete');
    await node(page, 'retriever').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await node(page, 'retriever').waitFor();
    await write(page, 'broken {');
    await canvas(page).getByText('The text is not valid JSON.').waitFor();
    await expectSoon(() => node(page, 'answer').count()).toBe(1);
    await page.getByText('Not saved', { exact: true }).waitFor();
    await button(page, 'Undo').click();
    await canvas(page).getByText('The text is not valid JSON.').waitFor({ state: 'detached' });
  });

  it('marks faults on their node, and restores what was drawn after a crash', async () => {
    await client.flow(replyFlow('Hello', { id: 'crashed', name: 'Crashed' }));
    const { page } = await open('/console/flows/crashed');
    await node(page, 'reply').click();
    await add(page, 'Other flow');
    await page.getByText(/^\d faults?$/).waitFor();
    await page.locator('.canvas-bad', { hasText: 'execute-flow' }).waitFor();
    await page.getByRole('list', { name: 'Faults' }).getByRole('button').first().click();
    await page.getByText('must not be empty').first().waitFor();
    await expectAccessible(page);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('This is your unsaved text').waitFor();
    await node(page, 'execute-flow').waitFor();
  });

  it('renders only the moved node of 500 and its edges while it is dragged, and keeps what is unknown', async () => {
    const nodes = Array.from({ length: 500 }, (_, index) => ({
      ...(index === 0 ? { id: 'start', kind: 'start' } : { id: `n${index}`, kind: 'reply' }),
      ...(index > 0 && { config: { message: `Node ${index}` } }),
      position: { x: (index % 25) * 260, y: Math.floor(index / 25) * 100 },
    }));
    const edges = nodes.slice(1).map(({ id }, index) => ({ from: nodes[index]!.id, to: id }));
    await client.flow({ id: 'wide', name: 'Wide', nodes, edges });
    const { page, go } = await open('/console/flows');
    await page.addInitScript(COUNTING);
    await go('/console/flows/wide?node=n210');
    await page.locator('.react-flow__node.selected').waitFor();
    await page.getByText('No faults.').waitFor();
    // The map shows the whole flow within its frame.
    await page.locator('.react-flow__minimap-node').nth(499).waitFor({ state: 'attached' });
    const outside = await page.evaluate<number>(`{
      const frame = document.querySelector('.canvas-map').getBoundingClientRect();
      [...document.querySelectorAll('.react-flow__minimap-node')].filter((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom;
      }).length;
    }`);
    expect(outside).toBe(0);
    const moved = page.locator('[data-id="n210"]');
    const [x, y] = await middle(moved);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 20, y + 20, { steps: 2 });
    await page.evaluate('rendered.clear()');
    await page.mouse.move(x + 90, y + 60, { steps: 8 });
    // The edges n209–n210 and n210–n211.
    const rendered = async () => (await page.evaluate<string[]>('[...rendered.keys()]')).toSorted();
    await expectSoon(rendered).toEqual(['edge:209', 'edge:210', 'n210']);
    await page.mouse.up();
    await openText(page);
    await button(page, 'Save').click();
    await page.getByText('Draft saved.').waitFor();
    const after = await saved('wide');
    expect(
      after.nodes.filter(
        (one: object, index: number) => JSON.stringify(one) !== JSON.stringify(nodes[index]),
      ),
    ).toEqual([{ ...nodes[210], position: { x: expect.any(Number), y: expect.any(Number) } }]);
  });
});
