import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expectAccessible } from './support/accessibility.js';
import { DESK, holds, PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { holdRequests } from './support/hold-requests.js';
import { FLOW, inspectionPath, inspectionsPage, picture } from './support/inspections-page.js';
import { describeInBrowser } from './support/page-fixture.js';
import { samplePhotograph } from './support/sample-photographs.js';

describeInBrowser('inspections in the console', () => {
  const fixture = consoleFixture({ env: { SAMPLES: 'on' } });
  const { client, open } = fixture;
  const { capture, choose } = inspectionsPage(fixture);
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'console-inspections-'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('shows photographs by area as they arrive, and the outstanding areas', async () => {
    await capture('live', { area: 'Hallway', photographs: [await picture()] });
    const { page } = await open(inspectionPath('live'));
    await page.getByText('Live', { exact: true }).waitFor();
    await holds(page, `document.querySelectorAll('.tile img').length === 1`);
    await page.getByText('5 of 5 outstanding').waitFor();
    await capture('live', {
      area: 'elec meter',
      captureTs: '2026-10-25T00:30:00Z',
      photographs: [await picture({ caption: 'Reads 0421' }), await picture()],
    });
    await page.getByRole('region', { name: 'elec meter' }).getByText('Reads 0421').waitFor();
    await holds(page, `document.querySelectorAll('.tile img').length === 3`);
    await expectSoon(() => page.getByText('25 Oct 2026, 01:30 BST').count()).toBe(2);
    await page.getByText('4 of 5 outstanding').waitFor();
    await capture('live', { area: 'Hallway', remark: 'Scuffed' });
    await page.getByRole('region', { name: 'Hallway' }).getByText('Scuffed').waitFor();
    await expectAccessible(page);
  });

  it('enlarges one photograph by keyboard alone, and saves its original', async () => {
    const { recorded } = await capture('large', {
      area: 'Hall',
      captureTs: '2026-07-01T11:00:00Z',
      photographs: [await picture({ name: 'first.jpg' }), await picture({ caption: 'The second' })],
    });
    const { page } = await open(inspectionPath('large'));
    await page
      .getByRole('button', { name: /Open the photograph/ })
      .first()
      .press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Hall' });
    await dialog.getByText('1 of 2').waitFor();
    await dialog.getByText(recorded[0]!.sha256).waitFor();
    await dialog.getByText('1 Jul 2026, 12:00 BST').waitFor();
    await dialog.getByText('sent with the photograph').waitFor();
    await dialog.getByRole('img', { name: 'Photograph of Hall' }).waitFor();
    await expectAccessible(page);
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save the original' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('first.jpg');
    expect((await readFile(await file.path())).length).toBeGreaterThan(100);
    await page.keyboard.press('ArrowRight');
    await dialog.getByText('2 of 2').waitFor();
    await dialog.getByRole('img', { name: 'The second' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog.getByText('1 of 2').waitFor();
    await page.keyboard.press('ArrowLeft');
    await dialog.getByText('2 of 2').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('uploads the others when one photograph fails, and retries that one on request', async () => {
    const { page } = await open(inspectionPath('retried', 'add'));
    await page.getByRole('button', { name: 'Kitchen', exact: true }).click();
    const notPicture = join(folder, 'notes <b>.jpg');
    writeFileSync(notPicture, 'no picture');
    let broken = true;
    await page.route('**/api/v1/inspection/capture?*', (route) => {
      const body = route.request().postDataBuffer()?.toString('latin1') ?? '';
      if (!broken || !body.includes('hallway.jpg')) return route.continue();
      return route.fulfill({ status: 503, json: { code: 'overloaded', message: 'Too much at once.' } });
    });
    await choose([samplePhotograph('hallway'), notPicture, samplePhotograph('garden')]);
    await page.getByText('1 of 3 photographs recorded. 2 not recorded.').waitFor();
    await page.getByText('Too much at once.').waitFor();
    await page.getByText('notes <b>.jpg').waitFor();
    await expectSoon(() => page.getByRole('button', { name: 'Send notes <b>.jpg again' }).count()).toBe(0);
    await expectAccessible(page);
    broken = false;
    await page.getByRole('button', { name: 'Send hallway.jpg again' }).click();
    await page.getByText('2 of 3 photographs recorded.').waitFor();
    await page.getByRole('button', { name: 'Remove notes <b>.jpg' }).click();
    await page.getByText('2 photographs recorded.', { exact: true }).waitFor();
    const { body } = await client.admin('GET', 'inspection/sessions/retried');
    expect(body.photographs.map(({ name }: { name: string }) => name).sort()).toEqual([
      'garden.jpg',
      'hallway.jpg',
    ]);
  });

  it('shows every warning of the service in whole sentences', async () => {
    const grey = { width: 640, height: 480, channels: 1 } as const;
    const level = (value: number) =>
      sharp(Buffer.alloc(640 * 480, value), { raw: grey })
        .jpeg()
        .toBuffer();
    const slope = sharp(Buffer.from(Array.from({ length: 640 * 480 }, (_, at) => (at % 640) / 2.6)), {
      raw: grey,
    });
    const item = (bytes: Buffer, more = {}) => ({ data: bytes.toString('base64'), ...more });
    const warned = async (sessionId: string, body: object): Promise<object[]> => {
      const captured = { flowId: FLOW, sessionId, area: 'Hall', ...body };
      return (await client.send('POST', '/api/v1/inspection/capture', captured)).body.warnings as object[];
    };
    const blurred = item(await slope.jpeg().toBuffer());
    const times = ['yesterday', '2020-01-01T00:00:00Z'];
    const plain = await level(150);
    const small = item(await sharp(plain).resize(64).toBuffer());
    const warnings = [
      ...(await warned('warned-1', { photographs: [blurred, item(await level(2))] })),
      ...(await warned('warned-2', { photographs: [blurred, small] })),
      ...(await warned('warned-3', { photographs: times.map((captureTs) => item(plain, { captureTs })) })),
      ...(await warned('warned-3', {
        remark: 'x',
        captureTs: 'x',
        photographsMeta: 7,
        area: 'x'.repeat(999),
      })),
    ];
    const { page } = await open(inspectionPath('warned-4', 'add'));
    await page.route('**/api/v1/inspection/capture?*', (route) =>
      route.fulfill({ json: { recorded: [{ area: 'Hall', sameContentAs: 'x' }], rejected: [], warnings } }),
    );
    await choose([samplePhotograph('hallway')]);
    await page.getByText('1 photograph recorded.', { exact: true }).waitFor();
    await expectSoon(() => page.locator('.upload-note').allInnerTexts()).toEqual([
      'This picture is already in the inspection.',
      'The photograph is blurred; hold still and take it again if you can.',
      'The photograph is very dark; take it again with more light if you can.',
      'The same picture was sent in another inspection; check that it belongs to this one.',
      'The photograph is very small and will not show much in print; send it larger if you can.',
      'The time that was sent cannot be read, is before 1990 or more than a day ahead; it counts as missing.',
      'The time that was sent is more than a year ago; it is used as it is.',
      'photographsMeta is not an array; it was ignored.',
      'The name of the area was cut to 200 characters.',
    ]);
  });

  it('keeps what is being typed while it looks whether the inspection has begun', async () => {
    const { page } = await open(inspectionPath('unbegun', 'add'));
    const remark = page.getByLabel('Remark', { exact: true });
    await remark.fill('Scuff on the door');
    const release = await holdRequests(page, '**/inspection/sessions/unbegun?*');
    await page.waitForRequest('**/inspection/sessions/unbegun?*');
    await page.getByText('Not started', { exact: true }).waitFor();
    await expectSoon(() => remark.inputValue()).toBe('Scuff on the door');
    release();
    await page.getByRole('button', { name: 'Record the remark' }).click();
    await page.getByText('Remark recorded.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('keeps what is typed while a remark is recorded, and records words changed after a lost answer', async () => {
    const id = randomUUID();
    const { page } = await open(inspectionPath(id, 'add'));
    const remark = page.getByLabel('Remark', { exact: true });
    const record = page.getByRole('button', { name: 'Record the remark' });
    const texts = async () =>
      (await client.admin('GET', `inspection/sessions/${id}?flowId=${FLOW}`)).body.remarks.map(
        ({ text }: { text: string }) => text,
      );
    const release = await holdRequests(page, '**/inspection/capture?*');
    await remark.fill('Scuff on the door');
    await record.click();
    await remark.fill('Chip in the sink');
    release();
    await page.getByText('Remark recorded.').first().waitFor();
    await expectSoon(() => remark.inputValue()).toBe('Chip in the sink');
    await page.unrouteAll({ behavior: 'wait' });
    await page.route('**/inspection/capture?*', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await record.click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await remark.fill('Chip in the sink, left edge');
    await record.click();
    await expectSoon(texts).toEqual(['Scuff on the door', 'Chip in the sink', 'Chip in the sink, left edge']);
    await expectSoon(() => remark.inputValue()).toBe('');
  });

  it('records a remark under the area chosen after a lost answer', async () => {
    const id = randomUUID();
    const { page } = await open(inspectionPath(id, 'add'));
    await page.getByRole('button', { name: 'Kitchen', exact: true }).click();
    await page.route('**/inspection/capture?*', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByLabel('Remark on Kitchen').fill('Chip in the sink');
    await page.getByRole('button', { name: 'Record the remark' }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Bathroom', exact: true }).click();
    await page.getByLabel('Remark on Bathroom').waitFor();
    await page.getByRole('button', { name: 'Record the remark' }).click();
    await page.getByText('Remark recorded.').waitFor();
    const { body } = await client.admin('GET', `inspection/sessions/${id}?flowId=${FLOW}`);
    expect(body.remarks).toEqual(expect.arrayContaining([expect.objectContaining({ area: 'Bathroom' })]));
  });

  it('keeps a remark that is not recorded while another tab is shown and across a reload, and records it once', async () => {
    const id = randomUUID();
    const { page } = await open(inspectionPath(id, 'add'));
    const remark = page.getByLabel('Remark', { exact: true });
    const record = page.getByRole('button', { name: 'Record the remark' });
    await page.route('**/inspection/capture?*', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await remark.fill('Chip in the sink');
    await record.click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('tab', { name: /Photographs/ }).click();
    await page.getByRole('tab', { name: 'Add' }).click();
    await expectSoon(() => remark.inputValue()).toBe('Chip in the sink');
    await page.reload();
    await expectSoon(() => remark.inputValue()).toBe('Chip in the sink');
    await record.click();
    await page.getByText('Remark recorded.').waitFor();
    const { body } = await client.admin('GET', `inspection/sessions/${id}?flowId=${FLOW}`);
    expect(body.remarks.map(({ text }: { text: string }) => text)).toEqual(['Chip in the sink']);
    await page.reload();
    await record.waitFor();
    expect(await remark.inputValue()).toBe('');
  });

  it('requires the key of a keyed flow, and stores it nowhere', async () => {
    const made = await client.admin('POST', 'api-keys', { name: 'office' });
    const flowId = await client.flow({
      name: 'Keyed',
      nodes: [{ id: 'start', kind: 'start' }],
      edges: [],
      access: { apiKeyId: made.body.id },
    });
    const { page } = await open(`/console/inspections/keyed?flowId=${flowId}&tab=add`);
    const key = page.getByLabel('API key of this flow');
    await key.fill('wrong');
    await page.getByRole('button', { name: 'Use the key' }).click();
    await page.getByRole('button', { name: 'Kitchen', exact: true }).click();
    await choose([samplePhotograph('kitchen-1')]);
    await page.getByText('The flow does not accept this key.').waitFor();
    await expectAccessible(page);
    await key.fill(made.body.key as string);
    await page.getByRole('button', { name: 'Use the key' }).click();
    await page.getByText('1 photograph recorded.', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Report' }).click();
    await page.getByRole('button', { name: 'Render the report' }).click();
    await page.getByRole('region', { name: 'The report' }).waitFor();
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );
    expect(stored).not.toContain(made.body.key);
  });

  it('shows all input as text', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    const area = `${evil} {{x}} ${'W'.repeat(150)}`;
    await capture(evil, { area, photographs: [await picture({ caption: evil, name: evil })] });
    await capture(evil, { area, remark: `<script>alert(1)</script> ${evil}` });
    const { page, go } = await open('/console/inspections', { browser: PHONE });
    await page.getByRole('link', { name: evil }).click();
    await page.getByRole('heading', { level: 1 }).getByText(evil).waitFor();
    await page.getByText('<script>alert(1)</script>').waitFor();
    await page.getByRole('button', { name: /Open the photograph/ }).click();
    await page.getByRole('dialog').getByText(evil, { exact: true }).first().waitFor();
    await page.keyboard.press('Escape');
    for (const tab of ['add', 'report']) {
      await go(inspectionPath(evil, tab));
      await page.getByRole('tab', { selected: true }).waitFor();
      await page.getByText('5 of 5 outstanding').waitFor();
      await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
    await expectSoon(() => page.locator('img[src="x"]').count()).toBe(0);
  });

  it('finds inspections by a part of their id, and follows new ones', async () => {
    for (const id of ['447700900123', '447700900456']) await capture(id, { area: 'Hall' });
    const { page, go } = await open('/console/inspections', { browser: DESK });
    await page.getByRole('link', { name: '447700900456' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('searchbox').fill('900123');
    await page.getByRole('link', { name: '447700900456' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: '447700900123' }).waitFor();
    await expectSoon(async () => new URL(page.url()).search).toBe('?q=900123');
    await capture('900123-new', { area: 'Hall', photographs: [await picture()] });
    await page
      .getByRole('row', { name: /900123-new/ })
      .getByText('1 pending')
      .waitFor();
    await page.getByRole('link', { name: '447700900123' }).click();
    // Not the link of the navigation, which appears before the page.
    await page.locator('a[href="/console/executions?chatId=447700900123"]').click();
    await page.waitForURL(/\/console\/executions\?chatId=447700900123$/);
    await go('/console/inspections/nobody');
    await page.getByText('Nothing is recorded under this id').waitFor();
    await expectAccessible(page);
  });

  it('stays smooth with five hundred photographs: only those near the screen are loaded', async () => {
    const photographs = await Promise.all(Array.from({ length: 50 }, () => picture()));
    for (let batch = 0; batch < 10; batch++) await capture('many', { area: `Room ${batch}`, photographs });
    const { page } = await open(inspectionPath('many'));
    await page.getByText('500', { exact: true }).first().waitFor();
    await holds(page, `document.querySelectorAll('.tile img').length > 10`);
    const loaded = () => page.evaluate<number>(`document.querySelectorAll('.tile img').length`);
    expect(await loaded()).toBeLessThan(200);
    await page.getByRole('region', { name: 'Room 9' }).scrollIntoViewIfNeeded();
    // Scrolls each time, since the page grows while its pictures load.
    await holds(
      page,
      `(document.getElementById('content').scrollTo(0, 1e6),
        [...document.querySelectorAll('[aria-label="Room 9"] .tile')].at(-1)?.querySelector('img'))`,
    );
    await holds(page, `document.querySelectorAll('[aria-label="Room 0"] .tile img').length === 0`);
    expect(await loaded()).toBeLessThan(200);
  });
});
