import { holds } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { putExecutions } from './support/execution-rows.js';
import { executionsPage } from './support/executions-page.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser } from './support/page-fixture.js';

const COUNT = 100_000;
/** Pages of the list that are awaited together. */
const STRETCH = 1_000;
/** A screenful, and some rows above and below it. */
const MOST_ROWS = 60;
const MOST_ELEMENTS = 2_500;
/** Five hundred pages are read in sequence. */
const PATIENCE_MS = 900_000;

describeInBrowser('a long list of executions in the console', () => {
  const fixture = consoleFixture();
  const { list, rowWith } = executionsPage(fixture);

  it(
    'is read to its end with a screenful of rows in the page, and links to any of them',
    async () => {
      const now = fixture.service.clock.now();
      const rows = Array.from({ length: COUNT }, (_, index) => ({
        startedAt: now - 1_000 * (index + 1),
        flowId: 'many',
        flowName: 'Many',
        chatId: `many-${index}`,
        question: `Question ${index}`,
      }));
      await putExecutions(fixture.service, rows);
      const { page } = await fixture.open('/console/executions?flowId=many');
      await rowWith('many-0').waitFor();
      const countOf = (selector: string) =>
        page.evaluate<number>(`document.querySelectorAll('${selector}').length`);
      const scroll = (to: string) =>
        page.evaluate(`{
          const outer = document.getElementById('content');
          outer.scrollTo(0, ${to});
        }`);
      const lastRow = `Number([...document.querySelectorAll('[role=row]')].at(-1)?.getAttribute('aria-rowindex'))`;
      for (let read = STRETCH; read <= COUNT; read += STRETCH) {
        await holds(page, `(document.getElementById('content').scrollBy(0, 1e9), ${lastRow} >= ${read})`);
        expect(await countOf('[role=row]')).toBeLessThan(MOST_ROWS);
        expect(await countOf('*')).toBeLessThan(MOST_ELEMENTS);
      }
      await page.getByText('100,000 executions in all.').waitFor();
      await expectSoon(() => list().getAttribute('aria-rowcount')).toBe(String(COUNT));
      await rowWith(`Question ${COUNT - 1}`).waitFor();

      await scroll('outer.scrollHeight / 2');
      const inTheMiddle = `[...document.querySelectorAll('[role=row]')].every((row) =>
        row.innerText.includes('Question ' + (row.getAttribute('aria-rowindex') - 1)))`;
      await holds(page, `${lastRow} > 49_000 && ${lastRow} < 51_000 && ${inTheMiddle}`);
      expect(await countOf('[role=row]')).toBeLessThan(MOST_ROWS);
      await scroll('0');
      await rowWith('many-0').waitFor();

      await page.getByRole('searchbox', { name: 'Chat id' }).fill(`many-${COUNT - 1}`);
      await rowWith(`Question ${COUNT - 1}`).click();
      await page.waitForURL(/executions\/./);
      await page
        .getByRole('region', { name: 'question' })
        .getByText(`Question ${COUNT - 1}`)
        .waitFor();
    },
    PATIENCE_MS,
  );
});
