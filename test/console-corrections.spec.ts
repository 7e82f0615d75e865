import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from './support/accessibility.js';
import { holds, PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import {
  areasOf,
  drag,
  dragByFinger,
  FLOW,
  inspectionPath,
  inspectionsPage,
  picture,
} from './support/inspections-page.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('corrections in the console', () => {
  const fixture = consoleFixture({ env: { SAMPLES: 'on' } });
  const { client, open, press, dialog } = fixture;
  const { capture } = inspectionsPage(fixture);

  /** Makes an inspection with this many photographs in each area, a minute apart. */
  const inspection = async (areas: Record<string, number>): Promise<string> => {
    const id = randomUUID();
    let minute = 0;
    for (const [area, count] of Object.entries(areas))
      for (let at = 0; at < count; at++)
        await capture(id, {
          area,
          captureTs: new Date(Date.UTC(2026, 6, 1, 11, minute++)).toISOString(),
          photographs: [await picture()],
        });
    return id;
  };
  const at = (page: Page, area: string) => page.getByRole('region', { name: area, exact: true });
  const tiles = (page: Page, area: string) => at(page, area).locator('.tile');
  const recorded = async (id: string) =>
    (await client.admin('GET', `inspection/sessions/${id}?flowId=${FLOW}`)).body;
  const notice = (page: Page, words: string) => page.locator('.run-notice').getByText(words).waitFor();
  const box = (tile: Locator) => tile.getByRole('checkbox');
  /** Waits until keys go to a part of the page. */
  const focusIn = (page: Page, part: string) => holds(page, `document.activeElement.closest('${part}')`);

  it('drags a photograph to another area with the mouse, and undoes it', async () => {
    const id = await inspection({ Hallway: 2, Kitchen: 1 });
    const { page } = await open(inspectionPath(id));
    await drag(page, tiles(page, 'Hallway').first(), at(page, 'Kitchen'));
    await notice(page, '1 photograph moved to Kitchen.');
    await holds(page, `document.querySelectorAll('[data-area=Kitchen] .tile').length === 2`);
    expect(areasOf(await recorded(id))).toEqual(['Kitchen', 'Hallway', 'Kitchen']);
    await expectSoon(() => page.getByRole('dialog').count()).toBe(0);
    await press('Undo');
    await notice(page, 'Undone.');
    expect(areasOf(await recorded(id))).toEqual(['Hallway', 'Hallway', 'Kitchen']);
    await drag(page, tiles(page, 'Kitchen').first(), tiles(page, 'Kitchen').first(), { givenUp: true });
    await expectSoon(() => page.getByRole('dialog').count()).toBe(0);
    await drag(page, tiles(page, 'Kitchen').first(), page.getByText('Drop here for another area…'));
    await dialog('Move the photograph').getByLabel('Area', { exact: true }).fill('Loft');
    await page.keyboard.press('Enter');
    await at(page, 'Loft').waitFor();
    expect(areasOf(await recorded(id))).toEqual(['Hallway', 'Hallway', 'Loft']);
  });

  it('drags with a finger after a long press, and scrolls under one without it', async () => {
    const id = await inspection({ Hallway: 3, Kitchen: 1 });
    const { page } = await open(inspectionPath(id), { browser: PHONE });
    const [first, second] = [tiles(page, 'Hallway').first(), tiles(page, 'Hallway').nth(1)];
    await dragByFinger(page, first, at(page, 'Kitchen'));
    await notice(page, '1 photograph moved to Kitchen.');
    expect(areasOf(await recorded(id))).toEqual(['Kitchen', 'Hallway', 'Hallway', 'Kitchen']);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await dragByFinger(page, second, at(page, 'Kitchen'), { rest: false });
    await dragByFinger(page, second, second);
    await page.getByText('1 selected').waitFor();
    await expectSoon(() => box(second).isChecked()).toBe(true);
    expect(areasOf(await recorded(id))).toEqual(['Kitchen', 'Hallway', 'Hallway', 'Kitchen']);
    await expectAccessible(page);
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('moves with the keyboard alone: to an existing area, and to a typed one, with a reason', async () => {
    const id = await inspection({ Hallway: 2, Kitchen: 1 });
    const { page } = await open(inspectionPath(id));
    await tiles(page, 'Hallway').first().getByRole('button').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: 'Another area…' }).waitFor();
    await expectAccessible(page);
    await focusIn(page, '[role=menu]');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await notice(page, '1 photograph moved to Kitchen.');
    await tiles(page, 'Hallway').first().getByRole('button').focus();
    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: 'Another area…' }).waitFor();
    await focusIn(page, '[role=menu]');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await dialog('Move the photograph').waitFor();
    await focusIn(page, '[role=dialog] form');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the name of an area.').waitFor();
    await page.keyboard.type('Bedroom 2');
    await page.keyboard.press('Tab');
    await page.keyboard.type('It has the blue wall');
    await page.keyboard.press('Enter');
    await notice(page, '1 photograph moved to Bedroom 2.');
    const { photographs } = await recorded(id);
    expect(areasOf({ photographs })).toEqual(['Kitchen', 'Bedroom 2', 'Kitchen']);
    const { body } = await client.admin('GET', `inspection/photographs/${photographs[1].id}`);
    expect(body.corrections).toMatchObject([
      { by: 'admin', change: { area: 'Bedroom 2' }, reason: 'It has the blue wall' },
    ]);
  });

  it('selects a range, single ones and a whole area, and moves them together', async () => {
    const id = await inspection({ Hallway: 5, Kitchen: 2 });
    const { page } = await open(inspectionPath(id));
    const open1 = (area: string, at: number) => tiles(page, area).nth(at).getByRole('button');
    await open1('Hallway', 0).click({ modifiers: ['ControlOrMeta'] });
    await open1('Hallway', 2).click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await open1('Hallway', 1).click({ modifiers: ['ControlOrMeta'] });
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Select all of Kitchen' }).click();
    await page.getByText('4 selected').waitFor();
    await page.getByRole('button', { name: 'Select all of Kitchen' }).click();
    await page.getByText('2 selected').waitFor();
    await drag(page, tiles(page, 'Hallway').first(), at(page, 'Kitchen'));
    await notice(page, '2 photographs moved to Kitchen.');
    const [h, k] = ['Hallway', 'Kitchen'];
    expect(areasOf(await recorded(id))).toEqual([k, h, k, h, h, k, k]);
    await page.getByText('2 selected').waitFor({ state: 'detached' });
    await press('Undo');
    await notice(page, 'Undone.');
    expect(areasOf(await recorded(id))).toEqual([h, h, h, h, h, k, k]);
  });

  it('gives for each uncorrected photograph the reason, and retries those that may succeed', async () => {
    const id = await inspection({ Hallway: 4 });
    const { photographs } = await recorded(id);
    const { page } = await open(inspectionPath(id));
    let broken = true;
    await page.route(`**/photographs/${photographs[1].id}/corrections`, (route) =>
      broken
        ? route.fulfill({ status: 503, json: { code: 'overloaded', message: 'No.' } })
        : route.continue(),
    );
    let limited = true;
    await page.route(`**/photographs/${photographs[2].id}/corrections`, (route) =>
      limited
        ? route.fulfill({
            status: 429,
            headers: { 'Retry-After': '3' },
            json: { code: 'rate_limited', message: 'Later.' },
          })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Select all of Hallway' }).click();
    await press('Move to…');
    await page.getByRole('menuitem', { name: 'Keys' }).click();
    await page.getByText('The rest continues in 3 s').waitFor();
    limited = false;
    await notice(page, '3 photographs moved to Keys.');
    await page.locator('.run-notice li').getByText('1 Jul 2026, 12:01 BST, Hallway:').waitFor();
    await expectSoon(() => page.locator('.run-notice li').count()).toBe(1);
    expect(areasOf(await recorded(id))).toEqual(['Keys', 'Hallway', 'Keys', 'Keys']);
    await expectAccessible(page);
    broken = false;
    await press('Try again');
    await at(page, 'Hallway').waitFor({ state: 'detached' });
    expect(areasOf(await recorded(id))).toEqual(['Keys', 'Keys', 'Keys', 'Keys']);
  });
});
