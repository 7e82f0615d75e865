import type { Route } from 'playwright-core';
import { expectAccessible } from './support/accessibility.js';
import { DESK, holds, PHONE, SMALL_PHONE } from './support/browser.js';
import { pictureFile } from './support/chat-page.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser } from './support/page-fixture.js';
import { samplePhotograph } from './support/sample-photographs.js';

describeInBrowser('the console', () => {
  const fixture = consoleFixture({ env: { SAMPLES: 'on' } });
  const { client, open, heading, keyDialog, giveKey, refuseKeyOnce } = fixture;

  it('is one page without data, which allows no foreign source', async () => {
    for (const path of ['/console', '/console/executions', '/console/inspections/a%2Fb']) {
      const { status, headers, text } = await client.send('GET', path);
      expect([path, status]).toEqual([path, 200]);
      const policy = headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(text).not.toMatch(/<script(?![^>]* src="\/web\/)|<style|\son\w+=|style=/);
    }
    expect((await client.send('GET', '/console/a/b/c/d')).status).toBe(404);
  });

  it('requests the admin key over the page, and again after a wrong one', async () => {
    const { page } = await open('/console', { key: null });
    await keyDialog().waitFor();
    await expectAccessible(page);
    await giveKey('not-the-key');
    await keyDialog().getByText('This is not the admin key.').waitFor();
    await giveKey('schlüssel');
    await keyDialog().getByText('This is not the admin key.').waitFor();
    await giveKey();
    await heading('Your first report').waitFor();
    const stored = await page.evaluate<string[]>(
      '[JSON.stringify(localStorage), JSON.stringify(sessionStorage)]',
    );
    expect(stored.map((text) => text.includes(fixture.service.adminKey))).toEqual([false, true]);
  });

  it('shows what could not be read without a key, and reads it once the key is given', async () => {
    const { page } = await open('/console', { key: null });
    await keyDialog().getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('Enter the admin key to see this.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await keyDialog().getByText('Remember it on this device').click();
    await giveKey();
    await heading('Your first report').waitFor();
    await expectSoon(() => page.evaluate<string>('JSON.stringify(localStorage)')).toContain(
      fixture.service.adminKey,
    );
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitem', { name: 'Remove the admin key' }).click();
    await keyDialog().waitFor();
    await expectSoon(() => page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain(
      fixture.service.adminKey,
    );
  });

  it('stores the chosen theme', async () => {
    const { page } = await open('/console/flows', { browser: { ...DESK, colorScheme: 'light' } });
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await heading('Flows').waitFor();
    const light = await ground();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await holds(page, `getComputedStyle(document.body).backgroundColor !== '${light}'`);
    await page.reload();
    await heading('Flows').waitFor();
    await expectSoon(() => ground()).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectSoon(() => ground()).not.toBe(light);
  });

  it.each([DESK, PHONE])('navigates between areas and focuses the heading', async (device) => {
    const { page } = await open('/console/executions', { browser: device });
    await heading('Executions').waitFor();
    for (const name of ['Flows', 'Inspections', 'Access']) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
      await heading(name).waitFor();
      await holds(page, `document.activeElement.textContent === '${name}'`);
      await expectSoon(() => page.title()).toBe(`${name} · Console`);
    }
    await expectSoon(async () => new URL(page.url()).pathname).toBe('/console/access/keys');
    await page.goBack();
    await heading('Inspections').waitFor();
    await expectAccessible(page);
  });

  it('shows unknown addresses as such, and accepts any search parameters', async () => {
    const { page, go } = await open('/console/nowhere');
    await heading('Page not found').waitFor();
    await go(
      '/console/executions?status=%00&httpStatus=9e9&kind[]=x&from=yesterday&__proto__=1&chatId=447700900123',
    );
    await heading('Executions').waitFor();
    await expectSoon(() => page.title()).toBe('Executions · Console');
  });

  it('has a keyboard link past the navigation', async () => {
    const { page } = await open('/console/executions');
    await heading('Executions').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await holds(page, `document.activeElement.id === 'content'`);
  });

  it('fits the front page of the service on a small phone', async () => {
    const { page } = await open('/', { browser: SMALL_PHONE });
    await heading('Flows and inspection reports').waitFor();
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  it('sends every photograph that is chosen for the first report, so that the service names those too many', async () => {
    const { page } = await open('/console');
    await heading('Your first report').waitFor();
    let sent = 0;
    await page.route('**/capture?*', (route) => {
      sent = route.request().postDataBuffer()!.toString('latin1').split('name="photographs"').length - 1;
      return route.fulfill({ json: { recorded: [], rejected: [{ index: 50, message: 'One too many.' }] } });
    });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose photographs' }).click();
    await (
      await chooser
    ).setFiles(Array.from({ length: 51 }, (_, index) => pictureFile(`${index + 1}.jpg`, 10)));
    await page.getByText('Photograph 51: One too many.').waitFor();
    expect(sent).toBe(51);
  });

  /** Comes last, because the service has data afterwards. */
  it('leads to the first report in three steps, and loses nothing when the key is refused', async () => {
    const { page, go } = await open('/console', { browser: PHONE });
    await heading('Your first report').waitFor();
    await expectAccessible(page);
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const chat = page.getByRole('link', { name: 'Open the inspection chat' });
    expect((await client.send('GET', (await chat.getAttribute('href'))!)).status).toBe(200);

    await page.getByLabel('Area', { exact: true }).fill('Pantry');
    const captures = '**/capture?*';
    const isLost = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route(captures, isLost, { times: 1 });
    await refuseKeyOnce(captures);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose photographs' }).click();
    await (await chooser).setFiles(['kitchen-1', 'hallway'].map(samplePhotograph));
    await keyDialog().getByText('Nothing is lost').waitFor();
    await giveKey();
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    const repeated = page.waitForResponse(captures);
    await page.getByRole('button', { name: 'Try again' }).click();
    await (await repeated).finished();
    await page.getByText('2 photographs in 1 area').waitFor();
    expect((await client.admin('GET', 'inspection/sessions')).body.data[0].photographs).toBe(2);
    await page.getByRole('listitem').getByText('Pantry').waitFor();
    await expectSoon(() => page.getByLabel('Area', { exact: true }).inputValue()).toBe('Pantry');

    await page.getByLabel('Property address').fill('1 Test Street, Leeds LS1 4AP');
    await page.getByRole('button', { name: 'Render the report' }).click();
    const report = page.getByRole('link', { name: 'Open the report' });
    await report.waitFor();
    const file = await fetch((await report.getAttribute('href'))!);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    await file.arrayBuffer();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Open the inspection', exact: true }).click();
    await page.waitForURL(/\/console\/inspections\/first-report-/);

    await go('/console');
    await page.waitForURL(/\/console\/executions$/);
  });
});
