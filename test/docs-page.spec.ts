import { expectAccessible } from './support/accessibility.js';
import { DESK, holds, PHONE, watched } from './support/browser.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser, pageFixture } from './support/page-fixture.js';

/** Returns the lightness of a colour of the page, 0 to 255, as an expression in the page. */
const lightness = (of: string, selector: string) => `(() => {
  const colour = getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${of};
  const [red, green, blue] = colour.match(/[\\d.]+/g).map(Number);
  return 0.3 * red + 0.6 * green + 0.1 * blue;
})()`;

describeInBrowser('the page of the API description', () => {
  const fixture = pageFixture({ env: { SAMPLES: 'on' } });

  /** Opens the page; the test fails on policy violations and script errors. */
  async function open(path = '/docs', look: object = DESK) {
    const page = await (await fixture.browser.newContext(look)).newPage();
    const faults = watched(page);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(fixture.service.url + path);
    await page.locator('.route').first().waitFor();
    const close = async () => {
      expect(faults).toEqual([]);
      await page.context().close();
    };
    return { page, asked: requests, close };
  }

  const RUN = 'POST /api/v1/prediction/{flowId}';

  it('draws a line for every operation at once, from files of this service alone', async () => {
    const { page, asked, close } = await open();
    const { body } = await fixture.client.send('GET', '/openapi.json');
    const operations = Object.values(body.paths as Record<string, object>).flatMap((path) =>
      Object.keys(path),
    );
    await expectSoon(() => page.locator('.route').count()).toBe(operations.length);
    expect(asked.filter((url) => !url.startsWith(`${fixture.service.url}/`))).toEqual([]);
    expect(asked.filter((url) => url.endsWith('/openapi.json'))).toHaveLength(1);
    await close();
  });

  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])('shows all of the operation that its address names, to everybody, at %s', async (_, look) => {
    const { page, close } = await open('/docs#post_prediction_flowId', look);
    const route = page.locator('#post_prediction_flowId');
    await route.getByText('continues a conversation', { exact: false }).first().waitFor();
    await route.getByRole('button', { name: 'Show members of humanInput' }).first().click();
    await route.getByText('startNodeId').first().waitFor();
    await route.getByRole('button', { name: '429' }).click();
    await route.getByText('application/problem+json').first().waitFor();
    await expectSoon(() =>
      page.evaluate('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await close();
  });

  it('finds operations by words, and reports when none matches', async () => {
    const { page, close } = await open();
    const search = page.getByLabel('Find an operation');
    await search.fill('unblock address');
    await holds(page, `document.querySelectorAll('.route').length === 1`);
    await expectSoon(() => page.locator('.route .path').textContent()).toBe(
      '/api/v1/address-blocks/{address}',
    );
    await search.fill('no such words');
    await page.getByText('No operation matches.').waitFor();
    await close();
  });

  it('opens an operation by keyboard and names it in the address', async () => {
    const { page, close } = await open();
    await page.getByRole('button', { name: RUN }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Responses', exact: true }).waitFor();
    await expectSoon(async () => new URL(page.url()).hash).toBe('#post_prediction_flowId');
    await close();
  });

  it('sends a call with the entered key, and shows it as a command without the key', async () => {
    const { page, close } = await open('/docs#get_address_blocks');
    const route = page.locator('#get_address_blocks');
    await route.getByRole('button', { name: 'Send' }).click();
    await route.getByText('401 Unauthorized').waitFor();
    await page.getByLabel('Key for calls from this page').fill(fixture.service.adminKey);
    await route.getByRole('button', { name: 'Send' }).click();
    await route.getByText('200 OK').waitFor();
    const command = await route.getByRole('region', { name: 'Command of' }).textContent();
    expect(command).toContain(`curl '${fixture.service.url}/api/v1/address-blocks'`);
    expect(command).toContain('$KEY');
    expect(command).not.toContain(fixture.service.adminKey);
    await close();
  });

  it('shows a live stream as it arrives, until another call is sent or the operation is closed', async () => {
    const { page, close } = await open('/docs#get_executions_stream');
    const { client, service } = fixture;
    await page.getByLabel('Key for calls from this page').fill(service.adminKey);
    const route = page.locator('#get_executions_stream');
    const response = route.getByRole('region', { name: 'Response of GET /api/v1/executions/stream' });
    await route.getByRole('button', { name: 'Send' }).click();
    await response.getByText(/^200/).waitFor();
    await client.predict('inspection-assistant', { question: 'Help', chatId: 'docs-stream' });
    await response.getByText('docs-stream').waitFor();
    const ended = page.waitForEvent('requestfailed');
    await route.getByRole('button', { name: 'GET /api/v1/executions/stream' }).click();
    expect((await ended).url()).toContain('/executions/stream');
    await close();
  });

  it('is dark if the device is, and follows changes', async () => {
    const { page, close } = await open('/docs', { ...DESK, colorScheme: 'dark' });
    await holds(page, `${lightness('backgroundColor', 'body')} < 60`);
    await holds(page, `${lightness('color', 'h2')} > 150`);
    await page.emulateMedia({ colorScheme: 'light' });
    await holds(page, `${lightness('color', 'h2')} < 100`);
    await close();
  });
});
