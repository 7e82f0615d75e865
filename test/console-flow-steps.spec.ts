import type { Locator, Page } from 'playwright-core';
import { consoleFixture } from './support/console.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { button, node } from './support/flow-workbench.js';
import { describeInBrowser } from './support/page-fixture.js';

type Draft = {
  nodes: { id: string; position: { x: number; y: number } }[];
  edges: { from: string; to: string }[];
  notes?: object[];
};

/** Returns replies at these places, without edges. */
const replies = (places: Record<string, readonly [number, number]>, message = 'Hello') => [
  { id: 'start', kind: 'start', position: { x: 0, y: 0 } },
  ...Object.entries(places).map(([id, [x, y]]) => ({
    ...{ id, kind: 'reply', config: { message } },
    position: { x, y },
  })),
];

describeInBrowser('a step on the canvas', () => {
  const { client, open } = consoleFixture();

  const item = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  const middle = async (place: Locator) => {
    const { x, y, width, height } = (await place.boundingBox())!;
    return [x + width / 2, y + height / 2] as const;
  };
  const drag = async (page: Page, from: Locator, to: readonly [number, number]) => {
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 6 });
    await page.mouse.up();
  };
  /** Returns what the tab stores as unsaved. */
  const unsaved = async (page: Page, id: string): Promise<Draft | undefined> => {
    const stored = await page.evaluate<string | null>(`sessionStorage.getItem('console:flow-draft:${id}')`);
    return stored === null ? undefined : (JSON.parse((JSON.parse(stored) as { text: string }).text) as Draft);
  };
  const places = ({ nodes }: Draft) => new Map(nodes.map(({ id, position }) => [id, position]));
  /** Undoes one step, after which the text is the loaded one to the letter. */
  const undone = async (page: Page, id: string) => {
    await button(page, 'Undo').click();
    await page.getByText('Not saved', { exact: true }).waitFor({ state: 'detached' });
    expect([await unsaved(page, id), await button(page, 'Undo').isDisabled()]).toEqual([undefined, true]);
  };

  it('moves or aligns all selected nodes, or leads an edge elsewhere, and is undone as one', async () => {
    const nodes = replies({ a: [300, 0], b: [340, 160], c: [620, 80] });
    const edges = [
      { from: 'start', to: 'a' },
      { from: 'a', to: 'c', on: undefined },
    ];
    await client.flow({ id: 'stepped', name: 'Stepped', nodes, edges });
    const { page } = await open('/console/flows/stepped');
    await item(page, 'a').click();
    await item(page, 'b').click({ modifiers: ['Control'] });
    await page.locator('.react-flow__node.selected').nth(1).waitFor();
    const [x, y] = await middle(item(page, 'a'));
    await drag(page, item(page, 'a'), [x + 60, y + 90]);
    const moved = places((await unsaved(page, 'stepped'))!);
    const by = { x: moved.get('a')!.x - 300, y: moved.get('a')!.y };
    expect(by.x > 20 && by.y > 20).toBe(true);
    expect(moved.get('b')).toEqual({ x: 340 + by.x, y: 160 + by.y });
    expect(moved.get('c')).toEqual({ x: 620, y: 80 });
    await undone(page, 'stepped');

    await button(page, 'More on the canvas').click();
    await page.getByRole('menuitem', { name: 'Align left' }).click();
    await eventually(async () => (await unsaved(page, 'stepped')) !== undefined);
    const aligned = places((await unsaved(page, 'stepped'))!);
    expect([aligned.get('a'), aligned.get('b')]).toEqual([
      { x: 300, y: 0 },
      { x: 300, y: 160 },
    ]);
    await undone(page, 'stepped');

    await page.getByRole('group', { name: 'Edge from a to c' }).dispatchEvent('click');
    const end = page.locator('[data-id="edge:1"] .react-flow__edgeupdater-target');
    await drag(page, end, await middle(item(page, 'b').locator('.react-flow__handle.target')));
    await page.getByRole('group', { name: 'Edge from a to b' }).waitFor({ state: 'attached' });
    expect((await unsaved(page, 'stepped'))!.edges).toEqual([
      { from: 'start', to: 'a' },
      { from: 'a', to: 'b' },
    ]);
    await undone(page, 'stepped');
    await page.getByRole('group', { name: 'Edge from a to c' }).waitFor({ state: 'attached' });
  });

  it('that cuts removes only what a paste brings back, and a paste stays in its iteration', async () => {
    const each = { id: 'each', kind: 'iteration', config: { items: '[1]' }, position: { x: 900, y: 400 } };
    const inner = { id: 'inner', kind: 'reply', parentNode: 'each', config: { message: 'Hello' } };
    const nodes = [...replies({ a: [300, 0] }), each, { ...inner, position: { x: 40, y: 60 } }];
    const notes = [{ text: 'Remember', position: { x: 0, y: 300 } }];
    await client.flow({ id: 'cut', name: 'Cut', nodes, edges: [{ from: 'start', to: 'a' }], notes });
    const { page } = await open('/console/flows/cut');
    const ids = async () => (await unsaved(page, 'cut'))?.nodes.map(({ id }) => id).join(' ');
    await item(page, 'inner').waitFor();
    await item(page, 'inner').focus();
    await page.keyboard.press('Space');
    await page.locator('.react-flow__node.selected').waitFor();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await eventually(async () => (await ids()) === 'start a each inner inner-2');
    expect((await unsaved(page, 'cut'))!.nodes.at(-1)).toEqual({
      ...{ ...inner, id: 'inner-2', position: { x: 72, y: 92 } },
    });
    await page.keyboard.press('Control+z');
    await item(page, 'inner-2').waitFor({ state: 'detached' });

    await page.keyboard.press('Control+a');
    await page.locator('.react-flow__node.selected').nth(4).waitFor();
    await page.keyboard.press('Control+x');
    await item(page, 'a').waitFor({ state: 'detached' });
    await eventually(async () => (await ids()) === 'start');
    await page.keyboard.press('Control+v');
    await eventually(async () => (await ids()) === 'start a each inner');
    expect((await unsaved(page, 'cut'))!.notes).toEqual(notes);
  });

  it('that draws a circle is a fault at its edge: it is saved as a draft, and never reaches callers', async () => {
    const nodes = replies({ a: [300, 0], b: [560, 120] });
    const edges = [
      { from: 'start', to: 'a' },
      { from: 'a', to: 'b' },
    ];
    await client.flow({ id: 'circled', name: 'Circled', price: 0, nodes, edges });
    const { page } = await open('/console/flows/circled');
    // Waits until the flow has been fitted into the canvas, which moves it.
    await item(page, 'b').hover({ trial: true });
    const source = item(page, 'b').locator('.react-flow__handle.source');
    await drag(page, source, await middle(item(page, 'a').locator('.react-flow__handle.target')));
    await page
      .getByRole('list', { name: 'Faults' })
      .getByText(/without a loop node/)
      .waitFor();
    await page.locator('.canvas-edge-bad').waitFor({ state: 'attached' });
    await button(page, 'Save').click();
    await page.getByText('1 fault to correct before it can be published').waitFor();
    await expectSoon(() => button(page, 'Publish').isDisabled()).toBe(true);
    expect((await client.predict('circled', { question: 'q' })).body.text).toContain('Hello');
    await button(page, 'Undo').click();
    await page.getByText('No faults.').waitFor();
  });

  it('in a definition of 10 MB loses nothing, and beyond the limit the save is refused with the reason', async () => {
    const letters = 'word '.repeat(10_000);
    const row = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [
        `n${index}`,
        [(index % 20) * 260 + 260, Math.floor(index / 20) * 100] as const,
      ]),
    );
    const nodes = replies(row, letters);
    const edges = nodes.slice(1).map(({ id }, index) => ({ from: nodes[index]!.id, to: id }));
    await client.flow({ id: 'huge', name: 'Huge', nodes, edges });
    const { page } = await open('/console/flows/huge?node=n42');
    await item(page, 'n42').waitFor();
    await item(page, 'n42').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('This browser has no room for your unsaved changes.').waitFor();
    await button(page, 'Save').click();
    await page.getByText('Draft saved.').waitFor();
    const { body } = await client.admin('GET', 'flows/huge/draft');
    expect(body.nodes).toHaveLength(nodes.length);
    const changed = nodes.filter((one, index) => JSON.stringify(one) !== JSON.stringify(body.nodes[index]));
    expect(changed.map(({ id }) => id)).toEqual(['n42']);
    expect(JSON.stringify(body.edges)).toBe(JSON.stringify(edges));

    await item(page, 'n42').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+d');
    await page.getByText('Not saved', { exact: true }).waitFor();
    await button(page, 'Save').click();
    await page.getByText('body_too_large').waitFor();
    expect((await client.admin('GET', 'flows/huge/draft')).body.revision).toBe(body.revision);
    await page.getByText('Not saved', { exact: true }).waitFor();
  });

  it('in a flow of 1,000 nodes loses nothing, and only what is in sight is rendered', async () => {
    const row = Object.fromEntries(
      Array.from({ length: 999 }, (_, index) => [
        `n${index}`,
        [(index % 40) * 260 + 260, Math.floor(index / 40) * 100] as const,
      ]),
    );
    const nodes = replies(row);
    const edges = nodes.slice(1).map(({ id }, index) => ({ from: nodes[index]!.id, to: id }));
    await client.flow({ id: 'thousand', name: 'Thousand', nodes, edges });
    const { page } = await open('/console/flows/thousand?node=n500');
    await item(page, 'n500').waitFor();
    await page.getByText('No faults.').waitFor();
    const rendered = await page.locator('.react-flow__node').count();
    expect(rendered > 10 && rendered < 200).toBe(true);
    const [x, y] = await middle(item(page, 'n500'));
    await drag(page, item(page, 'n500'), [x + 30, y + 20]);
    await button(page, 'Find in the flow').click();
    await page.getByRole('searchbox', { name: 'Find in the flow' }).fill('n998');
    await page.getByText('1 match', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await item(page, 'n998').waitFor();
    await page.getByRole('group', { name: 'Edge from n997 to n998' }).waitFor({ state: 'attached' });
    await node(page, 'n998').first().waitFor();
    await button(page, 'Save').click();
    await page.getByText('Draft saved.').waitFor();
    const { body } = await client.admin('GET', 'flows/thousand/draft');
    const changed = nodes.filter((one, index) => JSON.stringify(one) !== JSON.stringify(body.nodes[index]));
    expect([body.nodes.length, changed.map(({ id }) => id)]).toEqual([1_000, ['n500']]);
    expect(JSON.stringify(body.edges)).toBe(JSON.stringify(edges));
  });
});
