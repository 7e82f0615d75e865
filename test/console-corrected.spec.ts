import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expectAccessible } from './support/accessibility.js';
import { holds, PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { areasOf, FLOW, inspectionPath, inspectionsPage, picture } from './support/inspections-page.js';
import { describeInBrowser } from './support/page-fixture.js';

/** Black on the left, white on the right. */
const halfBlack = async (): Promise<string> => {
  const black = { create: { width: 160, height: 240, channels: 3, background: '#000' } } as const;
  const white = { create: { width: 320, height: 240, channels: 3, background: '#fff' } } as const;
  const jpeg = await sharp(white)
    .composite([{ input: black, left: 0, top: 0 }])
    .jpeg()
    .toBuffer();
  return jpeg.toString('base64');
};

/** Returns whether the picture of the first tile is dark near its left, upper, right and lower edge. */
const EDGES = `(() => {
  const image = document.querySelector('.tile img');
  if (!image?.complete || image.naturalWidth === 0) return '';
  const canvas = document.createElement('canvas');
  const [width, height] = [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  const isDark = (x, y) => pen.getImageData(x * (width - 1), y * (height - 1), 1, 1).data[0] < 128;
  return [[0.1, 0.5], [0.5, 0.1], [0.9, 0.5], [0.5, 0.9]].map(([x, y]) => Number(isDark(x, y))).join('');
})()`;

describeInBrowser('corrected items in the console', () => {
  const fixture = consoleFixture({ env: { SAMPLES: 'on' } });
  const { client, open, press, dialog } = fixture;
  const { capture } = inspectionsPage(fixture);

  const photographed = async (id: string, area: string, count = 1): Promise<string[]> => {
    const photographs = await Promise.all(Array.from({ length: count }, () => picture()));
    const captureTs = '2026-07-01T11:00:00Z';
    return (await capture(id, { area, captureTs, photographs })).recorded.map((one) => one.id);
  };
  const correct = (id: string, body: object) =>
    client.admin('POST', `inspection/photographs/${id}/corrections`, body);
  const recorded = async (id: string) =>
    (await client.admin('GET', `inspection/sessions/${id}?flowId=${FLOW}`)).body;
  const render = (sessionId: string) =>
    client.admin('POST', 'pdf/render', {
      templateId: 'inspection',
      source: { type: 'inspection', sessionId, flowId: FLOW, meta: {} },
    });
  const at = (page: Page, area: string) => page.getByRole('region', { name: area, exact: true });
  const notice = (page: Page, words: string) => page.locator('.run-notice').getByText(words).waitFor();
  const openFirst = (page: Page) =>
    page
      .getByRole('button', { name: /Open the photograph/ })
      .first()
      .click();

  it('shows every rotation at once, small and large, whoever made it', async () => {
    const id = randomUUID();
    const { recorded: made } = await capture(id, {
      area: 'Hall',
      photographs: [{ data: await halfBlack() }],
    });
    const { page } = await open(inspectionPath(id));
    await holds(page, `${EDGES} !== ''`);
    const dark = () => page.evaluate<string>(EDGES);
    const upright = await dark();
    expect(upright[0]).toBe('1');
    expect(upright[2]).toBe('0');
    await page.locator('.tile').first().hover();
    await page.getByRole('checkbox').click();
    await press('Rotate right');
    await holds(page, `${EDGES}[1] === '1' && ${EDGES}[3] === '0'`);
    await press('Rotate right');
    await holds(page, `${EDGES}[2] === '1' && ${EDGES}[0] === '0'`);
    await press('Rotate by 180°');
    await holds(page, `${EDGES}[0] === '1' && ${EDGES}[2] === '0'`);
    await press('Rotate left');
    await holds(page, `${EDGES}[3] === '1' && ${EDGES}[1] === '0'`);
    expect((await recorded(id)).photographs[0].turn).toBe(270);
    await correct(made[0]!.id, { turn: 90 });
    await holds(page, `${EDGES}[0] === '1' && ${EDGES}[2] === '0'`);
    await openFirst(page);
    const viewer = dialog('Hall');
    await viewer.getByText('5 corrections').waitFor();
    await viewer.getByRole('button', { name: 'Undo the latest' }).click();
    await viewer.getByText('6 corrections').waitFor();
    expect((await recorded(id)).photographs[0].turn).toBe(270);
  });

  it.each([
    ['a desk', undefined],
    ['a phone', PHONE],
  ])('withdraws, restores and captions in the viewer, on %s, and shows the history', async (_, browser) => {
    const id = randomUUID();
    await photographed(id, 'Hall', 2);
    const { page } = await open(inspectionPath(id), browser ? { browser } : {});
    await openFirst(page);
    const viewer = dialog('Hall');
    await viewer.getByLabel('Reason').fill('Somebody is in it');
    await viewer.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await viewer.getByText('“Somebody is in it”').waitFor();
    await viewer.getByText('1 correction', { exact: true }).waitFor();
    await expectAccessible(page);
    await viewer.getByLabel('Caption').fill('ArrowLeft');
    await viewer.getByLabel('Caption').press('ArrowLeft');
    await viewer.getByText('1 of 2').waitFor();
    await viewer.getByRole('button', { name: 'Save', exact: true }).click();
    await viewer.getByText('Caption: ArrowLeft').waitFor();
    await page.keyboard.press('Escape');
    const tile = page.locator('.tile').first();
    await tile.getByText('Withdrawn', { exact: true }).waitFor();
    await page.getByText('1 photograph, 1 withdrawn, current area').waitFor();
    await expectSoon(() => page.getByRole('tab', { name: 'Photographs' }).innerText()).toBe('Photographs 1');
    await expectAccessible(page);
    await tile.getByRole('button').click();
    await viewer.getByRole('button', { name: 'Restore' }).click();
    await viewer.getByText('3 corrections').waitFor();
    await viewer.getByText('Restored', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await tile.getByText('Withdrawn', { exact: true }).waitFor({ state: 'detached' });
    await tile.getByText('3 corrections').waitFor();
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect((await recorded(id)).pending).toBe(2);
  });

  it('renames an area, warns before a merge, and undoes either', async () => {
    const id = randomUUID();
    await photographed(id, 'Bedrom', 2);
    await photographed(id, 'Kitchen');
    await capture(id, { area: 'Bedrom', remark: 'Scuffed' });
    await capture(id, { area: 'Bedrom', observations: [{ item: 'Carpet', condition: 'poor' }] });
    const { page } = await open(inspectionPath(id));
    const rename = async (from: string, to: string) => {
      await press(`Rename ${from}`);
      await dialog(`Rename ${from}`).getByLabel('Name').fill(to);
    };
    await rename('Bedrom', 'Bedroom');
    await page.keyboard.press('Enter');
    await at(page, 'Bedroom').getByText('Scuffed').waitFor();
    await press('Undo');
    await at(page, 'Bedrom').getByText('Scuffed').waitFor();
    await rename('Bedrom', 'kitchen');
    await page.getByText('The area Kitchen already exists. The two will be merged.').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await at(page, 'Bedrom').waitFor({ state: 'detached' });
    await press('Undo');
    await at(page, 'Bedrom').getByText('Scuffed').waitFor();
    await notice(page, 'Undone.');
    await at(page, 'Bedrom').getByText('Observation: Carpet, poor').waitFor();
    expect(areasOf(await recorded(id))).toEqual(['Bedrom', 'Bedrom', 'Kitchen']);
  });

  it('offers no correction of claimed items, and names their report', async () => {
    const id = randomUUID();
    const [first] = await photographed(id, 'Hall', 1);
    await correct(first!, { caption: 'The door' });
    await render(id);
    await photographed(id, 'Hall', 1);
    const { page } = await open(inspectionPath(id));
    await page.locator('.tile').nth(1).waitFor();
    await expectSoon(() => page.getByRole('checkbox').count()).toBe(1);
    await page.locator('.tile').first().getByText('in a report').waitFor();
    await openFirst(page);
    const viewer = dialog('Hall');
    const { body } = await client.admin('GET', `pdf/reports?sessionId=${id}`);
    await viewer.getByText(`This photograph is in the report ${body.data[0].filename}`).waitFor();
    await viewer.getByText('Caption: The door').waitFor();
    for (const name of ['Withdraw', 'Rotate left', 'Move to…', 'Save', 'Undo the latest'])
      await expectSoon(() => viewer.getByRole('button', { name, exact: true }).count()).toBe(0);
    await expectAccessible(page);
  });

  it('names the items that another admin’s report claimed meanwhile, and shows them so', async () => {
    const id = randomUUID();
    await photographed(id, 'Hall', 5);
    const { page } = await open(inspectionPath(id));
    await at(page, 'Hall').waitFor();
    let first: Promise<unknown> | undefined;
    await page.route('**/photographs/*/corrections', async (route) => {
      if (first === undefined) {
        const done = route.fetch();
        first = done.then(() => render(id));
        return route.fulfill({ response: await done });
      }
      await first;
      return route.continue();
    });
    await press('Select all of Hall');
    await press('Move to…');
    await page.getByRole('menuitem', { name: 'Water Meter' }).click();
    await notice(page, '1 photograph moved to Water Meter.');
    await notice(page, '4 corrections were not made:');
    await expectSoon(() => page.getByText('a report has just claimed it').count()).toBe(4);
    await holds(page, `document.querySelectorAll('.tile-reported').length === 5`);
    await expectSoon(() => page.getByRole('checkbox').count()).toBe(0);
    expect(areasOf(await recorded(id)).filter((area) => area === 'Hall').length).toBe(4);
    await press('Undo');
    await notice(page, '1 correction was not made:');
  });

  it("follows another admin's corrections, and stays calm over a thousand of them", async () => {
    const id = randomUUID();
    const [first] = await photographed(id, 'Hall', 2);
    const { page } = await open(inspectionPath(id));
    await page.getByText('Live', { exact: true }).waitFor();
    await correct(first!, { caption: 'From elsewhere' });
    await page.getByText('From elsewhere').waitFor();
    const { body } = await client.admin('GET', `inspection/photographs/${first}`);
    const corrections = Array.from({ length: 1_000 }, (_, at) => ({
      ...body.corrections[0],
      change: { caption: `Caption ${at}` },
    }));
    await page.route(`**/photographs/${first}`, (route) => route.fulfill({ json: { ...body, corrections } }));
    await openFirst(page);
    const viewer = dialog('Hall');
    await viewer.getByText('1,000 corrections').waitFor();
    await viewer.getByText('Caption: Caption 999', { exact: true }).waitFor();
    await expectSoon(() => viewer.getByRole('listitem').count()).toBeLessThan(20);
    await viewer.getByRole('button', { name: /^Show \d+ earlier$/ }).click();
    await viewer.getByText('Caption: Caption 0', { exact: true }).waitFor();
    await expectSoon(() => viewer.getByRole('listitem').count()).toBe(1_000);
    await viewer.getByRole('button', { name: 'Rotate right' }).click();
    await notice(page, '1 photograph rotated right.');
  });

  it('corrects a remark: its text, its area, and whether it counts', async () => {
    const id = randomUUID();
    await capture(id, { area: 'Hall', remark: 'Scufed' });
    const { page } = await open(inspectionPath(id));
    await press('Correct the remark');
    const sheet = dialog('Correct the remark');
    await sheet.getByLabel('Text').fill('');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await sheet.getByText('Enter the text, or withdraw the remark.').waitFor();
    await sheet.getByLabel('Text').fill('Scuffed <b>');
    await sheet.getByLabel('Area').fill('Landing');
    await sheet.getByLabel('Reason').fill('Misheard');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await at(page, 'Landing').getByText('Scuffed <b>').waitFor();
    await press('Correct the remark');
    await sheet.getByText('“Misheard”').waitFor();
    await sheet.getByText('Withdrawn: stored').click();
    await expectAccessible(page);
    await sheet.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/, Withdrawn, 2 corrections/).waitFor();
    await expectAccessible(page);
    await press('Undo');
    await page.getByText(/, Withdrawn/).waitFor({ state: 'detached' });
  });

  it('shows observations, readings, keys and alarms under their areas', async () => {
    const id = randomUUID();
    await capture(id, {
      area: 'Kitchen',
      photographs: [await picture()],
      observations: [{ item: 'Hob', condition: 'poor', description: 'one ring cracked' }],
    });
    await capture(id, { area: 'Gas Meter', reading: { value: '00123', unit: 'm³', serial: 'G4' } });
    await capture(id, { area: 'Keys', keys: [{ kind: 'Front door', count: 2 }] });
    await capture(id, { area: 'Detectors', alarm: { kind: 'Smoke', place: 'Landing', tested: true } });
    const { page } = await open(inspectionPath(id));
    await at(page, 'Kitchen').getByText('Observation: Hob, poor, one ring cracked').waitFor();
    await at(page, 'Gas Meter').getByText('Reading: 00123 m³, serial G4').waitFor();
    await at(page, 'Keys').getByText('Keys: Front door, × 2').waitFor();
    await at(page, 'Detectors').getByText('Alarm: Smoke, Landing, tested').waitFor();
    await page.getByText('2 of 5 outstanding').waitFor();
    await expectAccessible(page);
  });
});
