import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFile } from './fixtures/renders.js';
import { holds, PHONE } from './support/browser.js';
import { chatIdOf, CorrectionSteps, recordPictures } from './support/chat-corrections.js';
import { inspection, pictures } from './support/chat-inspection.js';
import { ChatPage } from './support/chat-page.js';
import { consoleFixture } from './support/console.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser } from './support/page-fixture.js';
import { readPdf } from './support/read-pdf.js';

const PRINTS = '**/inspection/photographs/*/print';

/** A picture that Chromium cannot display; 4032 by 3024. */
const heic = () => ({
  name: 'IMG_1.HEIC',
  mimeType: 'image/heic',
  buffer: readFileSync(join(__dirname, 'fixtures', 'flat-12-megapixels.heic')),
});

describeInBrowser("photographs of the chat in the service's rendition", () => {
  const fixture = consoleFixture();
  const { client, open } = fixture;
  let chat: ChatPage;
  let steps: CorrectionSteps;
  let flow: string;

  beforeAll(async () => {
    flow = await client.flow(inspection());
  });

  beforeEach(async () => {
    chat = await ChatPage.visit(fixture.browser, PHONE);
    steps = new CorrectionSteps(chat.page, client);
    await chat.open(flow, fixture.service.url);
    await chat.field().waitFor();
  });

  afterEach(async () => {
    await chat.close();
    expect(chat.faults).toEqual([]);
  });

  const drawn = (page = chat.page) =>
    holds(page, `document.querySelector('.sent-photograph img.thumbnail')?.naturalWidth > 100`);
  const rotation = (degrees: string) =>
    holds(
      chat.page,
      `document.querySelector('.sent-photograph img.thumbnail')?.style.rotate === '${degrees}'`,
    );
  const large = async (isSo: string) => {
    await steps.photograph('.*').first().tap();
    await holds(chat.page, `((img) => img && ${isSo})(document.querySelector('.enlarged img:not(.small)'))`);
    await chat.page.keyboard.press('Escape');
    await chat.page.locator('dialog.enlarged').waitFor({ state: 'detached' });
  };

  it('of a type that the browser cannot display are drawn from their prints, also after a reload', async () => {
    await recordPictures(chat, [heic()]);
    await drawn();
    await large('img.naturalWidth > img.naturalHeight');
    await chat.page.route(PRINTS, (route) => route.abort('connectionreset'));
    await chat.page.reload();
    await drawn();
    await chat.page.unroute(PRINTS);
    await chat.page.evaluate(
      `Object.keys(localStorage).filter((key) => key.endsWith(':thumbnails')).forEach((key) => localStorage.removeItem(key))`,
    );
    await chat.page.reload();
    await drawn();
  });

  it('rotate at once, and stay rotated when enlarged', async () => {
    await recordPictures(chat, [heic()]);
    await drawn();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await chat.page.route('**/photographs/*/corrections', async (route) => {
      await held;
      await route.continue();
    });
    await steps.pressLong(steps.photograph('IMG_1.HEIC'));
    await steps.choice('Right').tap();
    await rotation('90deg');
    await steps.choice('Half turn').tap();
    await rotation('270deg');
    release();
    await steps.sheet().getByText('Rotated.').waitFor({ state: 'attached' });
    await steps.choice('Close').tap();
    await steps.closed();
    await large('img.naturalWidth < img.naturalHeight');
    // The page says “Rotated.” after the first of the two.
    await eventually(async () => (await steps.recorded())['IMG_1.HEIC']!.turn === 270);
    // Redraws it from the rotated print, without rotating it twice.
    await chat.page.evaluate(
      `Object.keys(localStorage).filter((key) => key.endsWith(':thumbnails')).forEach((key) => localStorage.removeItem(key))`,
    );
    await chat.page.reload();
    await drawn();
    await rotation('270deg');
    await holds(
      chat.page,
      `((img) => img.naturalWidth > img.naturalHeight)(document.querySelector('.sent-photograph img'))`,
    );
  });

  it('rotate by every tap, however fast', async () => {
    await recordPictures(chat, pictures('bath.jpg'));
    await steps.pressLong(steps.photograph('bath.jpg'));
    // Both within one task: nothing is drawn between them.
    await steps.choice('Right').evaluate((button: { click(): void }) => (button.click(), button.click()));
    await eventually(async () => (await steps.recorded())['bath.jpg']!.turn === 180);
    await steps.choice('Right').evaluate((button: { click(): void }) => button.click());
    await eventually(async () => (await steps.recorded())['bath.jpg']!.turn === 270);
  });

  it('look the same in two tabs of a chat, with the messages and corrections of either', async () => {
    const other = await chat.context.newPage();
    await other.goto(chat.page.url());
    const labels = (page = other) => page.locator('.sent-photograph .place').allTextContents();
    await recordPictures(chat, pictures('bath.jpg'));
    await other.getByText('as found', { exact: true }).waitFor();
    await steps.pressLong(steps.photograph('bath.jpg'));
    await steps.choice('Bathroom').tap();
    await steps.closed();
    await other.locator('.place').getByText('Bathroom').waitFor();
    await other.getByRole('textbox', { name: 'Message' }).fill('from the other');
    await other.getByRole('button', { name: 'Send', exact: true }).click();
    await chat.lastAnswer().getByText('from the other').waitFor();
    await chat.page.reload();
    await chat.lastAnswer().getByText('from the other').waitFor();
    await steps.label('Bathroom').waitFor();
    await expectSoon(() => labels()).toEqual(await labels(chat.page));
  });

  it('are shown by the console and printed under the area to which a long press moved them', async () => {
    await recordPictures(chat, pictures('bath.jpg', 'sink.jpg', 'hob.jpg'));
    await steps.pressLong(steps.photograph('bath.jpg'));
    await steps.choice('Bathroom').tap();
    await steps.closed();
    await steps.pressLong(steps.photograph('hob.jpg'));
    await steps.choice(/^Withdraw/).tap();
    await steps.closed();
    const sessionId = await chatIdOf(chat.page);
    const { page } = await open(`/console/inspections/${sessionId}?flowId=${flow}&tab=photographs`);
    await page.getByRole('region', { name: 'Bathroom' }).locator('.tile').waitFor();
    await expectSoon(() => page.getByRole('region', { name: 'Bathroom' }).locator('.tile').count()).toBe(1);
    const source = { type: 'inspection', sessionId, flowId: flow, meta: {} };
    const { body } = await client.admin('POST', 'pdf/render', { templateId: 'inspection', source });
    const pdf = await (await fetch(body.file.url as string)).arrayBuffer();
    const { alternatives, text } = withFile(new Uint8Array(pdf), readPdf);
    expect(alternatives).toEqual([
      expect.stringMatching(/^Photograph 1, Bathroom, /),
      expect.stringMatching(/^Photograph 2, Kitchen, /),
    ]);
    expect(text).toMatch(/Bathroom\s+1 photograph\nPhotograph 1 /);
    expect(text).toContain('1 photograph was withdrawn');
  });
});
