import { expectAccessible } from './support/accessibility.js';
import { PHONE } from './support/browser.js';
import { pictures } from './support/chat-inspection.js';
import { chatFixture, type ChatPage } from './support/chat-page.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser } from './support/page-fixture.js';

/** Stands in for the device: records what is shared and copied. */
const DEVICE = `{
  globalThis.shared = [];
  globalThis.filesAllowed = true;
  Object.defineProperty(navigator, 'canShare', { configurable: true, value: ({ files }) => !files || filesAllowed });
  Object.defineProperty(navigator, 'share', { configurable: true, value: async (offer) => {
    const names = (offer.files ?? []).map(({ name, type, size }) => [name, type, size > 1000]);
    shared.push({ ...(offer.url ? { url: offer.url } : {}), ...(offer.files ? { files: names } : {}) });
  } });
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { globalThis.copied = text; } } });
}`;

describeInBrowser('the chat after its report', () => {
  const fixture = chatFixture({ env: { SAMPLES: 'on', INITIAL_CREDIT: '100000' } });
  let chat: ChatPage;

  const choose = async (name: string, answer: string | RegExp) => {
    await chat.button(name).tap();
    await chat.lastAnswer().getByText(answer).waitFor();
    await chat.idle();
  };
  const said = async (words: string, answer: string | RegExp) => {
    await chat.say(words);
    await chat.lastAnswer().getByText(answer).waitFor();
    await chat.idle();
  };
  const photograph = async (area: string, answer: string | RegExp) => {
    await chat.picker().setInputFiles(pictures(`${area}.jpg`));
    await chat.ready('1 photo');
    await said(area, answer);
  };
  const evaluated = <Value>(words: string) => chat.page.evaluate<Value>(words);

  beforeEach(async () => {
    chat = await fixture.visit(PHONE);
    await chat.page.addInitScript(DEVICE);
    await chat.open('inspection-assistant', fixture.service.url);
    await chat.idle();
    await said('interim at 1 Test Street, Leeds LS1 4AP', 'inspector’s name');
    await said('skip', 'We can begin');
    await photograph('Hall', 'recorded 1 photograph');
    await said('finish anyway', 'Your report is ready');
  });

  it('shares the file where the device shares files, else the link, and copies the link', async () => {
    const share = chat.lastAnswer().getByRole('button', { name: 'Share', exact: true });
    const copy = chat.lastAnswer().getByRole('button', { name: 'Copy link' });
    await chat.page.getByRole('link', { name: /\.pdf PDF/ }).waitFor();
    const href = await chat.page.getByRole('link', { name: /\.pdf PDF/ }).getAttribute('href');
    await share.tap();
    await eventually(async () => (await evaluated<number>('shared.length')) === 1);
    await expectSoon(() => evaluated('shared')).toEqual([
      { files: [[expect.stringMatching(/^\d{8}.*\.pdf$/), 'application/pdf', true]] },
    ]);
    await evaluated('filesAllowed = false');
    await share.tap();
    await eventually(async () => (await evaluated<number>('shared.length')) === 2);
    expect((await evaluated<object[]>('shared'))[1]).toEqual({ url: href });
    await copy.tap();
    await chat.lastAnswer().getByText('Link copied').waitFor();
    await expectSoon(() => evaluated('copied')).toBe(href);
    await expectAccessible(chat.page);
    expect(chat.faults).toEqual([]);
  });

  it('says which photographs are not in the report yet, adds them by one tap, and offers the next inspection', async () => {
    await photograph('Kitchen', '1 photograph is not in the report yet.');
    await chat.button('Add to this report').waitFor();
    await expectAccessible(chat.page);
    await choose('Add to this report', /^Edition 2 of your report, with 1 more photograph/);
    await chat.lastAnswer().getByRole('button', { name: 'Share', exact: true }).waitFor();
    const { data } = (await fixture.client.admin('GET', 'pdf/reports')).body;
    expect(data[0]).toMatchObject({ edition: 2, photographs: 2 });
    if (process.env.LOOK) await chat.page.screenshot({ path: `${process.env.LOOK}-edition.png` });
    await chat.page.locator('.chip').getByText('New inspection', { exact: true }).waitFor();
    expect(chat.faults).toEqual([]);
  });
});
