import { DESK, holds } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { describeInBrowser } from './support/page-fixture.js';

/** How light a colour of the page is, 0 to 255, as an expression in the page. */
const lightness = (of: string, selector: string) => `(() => {
  const colour = getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${of};
  const [red, green, blue, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
  return alpha === 0 ? NaN : 0.3 * red + 0.6 * green + 0.1 * blue;
})()`;

describeInBrowser('the page of the API description', () => {
  const { open, page } = consoleFixture({ env: { SAMPLES: 'on' } });

  it('is dark where the device is, and follows it', async () => {
    await open('/docs', { browser: { ...DESK, colorScheme: 'dark' } });
    await page().getByText('/api/v1/pdf/render', { exact: true }).first().waitFor();
    await holds(page(), `${lightness('backgroundColor', 'html')} < 60`);
    await holds(page(), `${lightness('color', '.opblock-tag')} > 150`);
    await page().emulateMedia({ colorScheme: 'light' });
    await holds(page(), `${lightness('color', '.opblock-tag')} < 100`);
  });
});
