import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expectAccessible } from './support/accessibility.js';
import { PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { echoFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';
import { Widget, WidgetSite } from './support/widget-page.js';

const run = promisify(execFile);
const options = { cwd: resolve(__dirname, '..') };

describeInBrowser('the ways to use a flow, in the console', () => {
  const fixture = consoleFixture();
  const { client, open, page, heading } = fixture;
  const site = new WidgetSite();
  beforeAll(() => site.open());
  afterAll(() => site.close());

  /** The lines of one section, with the flow's key if they need one. */
  const lines = async (name: string, key = '') =>
    (
      await page()
        .getByRole('region', { name: `${name} example` })
        .innerText()
    ).replaceAll('YOUR_API_KEY', key);

  it.each([false, true])('are lines that work as shown (with a key: %s)', async (isKeyed) => {
    const made = (await client.admin('POST', 'api-keys', { name: 'lines' })).body;
    const access = {
      public: true,
      allowedDomains: [site.host],
      apiKeyId: isKeyed ? (made.id as string) : null,
    };
    const flow = await client.flow(echoFlow({ name: `Called ${isKeyed}`, access, openai: !isKeyed }));
    await open('/console/flows');
    await page()
      .getByRole('button', { name: `More about Called ${isKeyed}` })
      .click();
    await page().getByRole('menuitem', { name: 'Use it' }).click();
    await heading('Use it').waitFor();
    await page()
      .getByText(isKeyed ? 'Calls need its API key.' : 'Anyone who knows its id can call it.')
      .waitFor();
    await expectAccessible(page());

    const curl = await run('bash', ['-c', await lines('curl', made.key)], options);
    expect(JSON.parse(curl.stdout)).toMatchObject({ text: 'You said: Hello' });
    const sdk = await run(process.execPath, ['-e', await lines('JavaScript', made.key)], options);
    expect(sdk.stdout).toBe('You said: Hello\n');
    const openai = await run(process.execPath, ['-e', await lines('OpenAI clients', made.key)], options);
    expect(openai.stdout).toBe('You said: Hello\n');
    const widget = await Widget.on(site.showing(await lines('Website', made.key)), fixture, {
      asBubble: true,
    });
    await widget.say('Hello');
    await widget.answered('You said: Hello');
    expect(widget.faults).toEqual([]);
    await widget.context.close();
    await expectSoon(() =>
      page()
        .getByRole('link', { name: `/chat/${flow}` })
        .getAttribute('href'),
    ).toBe(`/chat/${flow}`);
  });

  it('fit on a phone, in light and in dark', async () => {
    const access = { rateLimit: { limit: 5, windowSeconds: 60 }, allowedDomains: ['shop.example'] };
    const flow = await client.flow(echoFlow({ access }));
    await open(`/console/flows/${flow}/use`, { browser: PHONE });
    await page().getByText('At most 5 calls in 60 s per address.').waitFor();
    await page().getByText('Web pages can call it only from shop.example').waitFor();
    await expectAccessible(page());
    await expectSoon(() => page().evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('leave out OpenAI clients if the flow does not accept them', async () => {
    const flow = await client.flow(echoFlow());
    await open(`/console/flows/${flow}/use`);
    await heading('Use it').waitFor();
    await page().getByRole('region', { name: 'Website example' }).waitFor();
    await expectSoon(() => page().getByText('OpenAI').count()).toBe(0);
  });
});
