import type { Locator } from 'playwright-core';
import { expectAccessible } from './support/accessibility.js';
import { DESK, holds, PHONE } from './support/browser.js';
import { chatIdOf, CorrectionSteps, recordPictures } from './support/chat-corrections.js';
import { inspection, pictures } from './support/chat-inspection.js';
import { chatFixture, type ChatPage } from './support/chat-page.js';
import { expectSoon } from './support/expect-soon.js';
import { holdRequests } from './support/hold-requests.js';
import { describeInBrowser } from './support/page-fixture.js';

const CORRECTIONS = '**/photographs/*/corrections';

describeInBrowser('a photograph of the chat', () => {
  const fixture = chatFixture({ env: { RENDERS_PER_MINUTE: '100' } });
  const { client } = fixture;
  let chat: ChatPage;
  let steps: CorrectionSteps;
  let flow: string;

  beforeAll(async () => {
    flow = await client.flow(inspection());
  });

  beforeEach(() => visit(PHONE));

  async function visit(device: object): Promise<void> {
    chat = await fixture.visit(device);
    await chat.open(flow, fixture.service.url);
    await chat.field().waitFor();
    await recordPictures(chat, pictures('bath.jpg', 'sink.jpg'));
    steps = new CorrectionSteps(chat.page, client);
  }

  const bath = () => steps.photograph('bath.jpg');
  const open = async () => {
    await chat.button('Correct photo 1, bath.jpg').click();
    await steps.sheet().waitFor();
  };
  const focused = () => chat.page.evaluate<string>('document.activeElement.ariaLabel');
  const correct = async (name: string, change: object) => {
    const { id } = (await steps.recorded())[name]!;
    const { status } = await client.admin('POST', `inspection/photographs/${id}/corrections`, change);
    expect(status).toBe(200);
  };
  const render = async () => {
    const source = { type: 'inspection', sessionId: await chatIdOf(chat.page), flowId: flow, meta: {} };
    const { status } = await client.admin('POST', 'pdf/render', { templateId: 'inspection', source });
    expect(status).toBe(200);
  };

  it('in the wrong area is moved with at most four touches, and the long press does not enlarge it', async () => {
    await steps.pressLong(bath());
    await expectAccessible(chat.page);
    await steps.tap(steps.choice('Bathroom'));
    await steps.closed();
    expect(steps.touches).toBeLessThanOrEqual(4);
    await steps.label('Bathroom').waitFor();
    await steps.label('Kitchen').waitFor();
    expect(await steps.recorded()).toMatchObject({
      'bath.jpg': { area: 'Bathroom' },
      'sink.jpg': { area: 'Kitchen' },
    });
    await expectSoon(() => chat.page.locator('dialog').filter({ visible: true }).count()).toBe(0);
    await expectSoon(() => focused()).toBe('Correct photo 1, bath.jpg');
    await expectAccessible(chat.page);
    await bath().tap();
    await chat.page.getByRole('dialog', { name: 'bath.jpg' }).locator('img').waitFor();
  });

  it('is moved to the area of another photograph, and to a typed one, in four touches', async () => {
    await correct('sink.jpg', { area: 'Utility cupboard' });
    await steps.pressLong(bath());
    await steps.sheet().getByRole('group', { name: 'Areas of this inspection' }).waitFor();
    await steps.tap(steps.choice('Utility cupboard'));
    await steps.closed();
    steps.touches = 0;
    await steps.pressLong(bath());
    await steps.tap(steps.sheet().getByRole('textbox', { name: 'Another room' }));
    await chat.page.keyboard.type('Loft & eaves');
    await steps.tap(steps.choice('Move'));
    await steps.closed();
    expect(steps.touches).toBeLessThanOrEqual(4);
    await steps.label('Loft & eaves').waitFor();
    expect((await steps.recorded())['bath.jpg']).toMatchObject({ area: 'Loft & eaves' });
  });

  it('is withdrawn and restored', async () => {
    await steps.pressLong(bath());
    await steps.tap(steps.choice(/^Withdraw/));
    await steps.closed();
    await steps.label('Withdrawn').waitFor();
    await expectAccessible(chat.page);
    expect((await steps.recorded())['bath.jpg']!.withdrawnAt).not.toBeNull();
    await steps.pressLong(bath());
    await expectAccessible(chat.page);
    await steps.tap(steps.choice(/^Restore/));
    await steps.closed();
    await holds(chat.page, `document.querySelectorAll('.withdrawn').length === 0`);
    expect((await steps.recorded())['bath.jpg']!.withdrawnAt).toBeNull();
  });

  it('is corrected by right click, the menu key and its own button', async () => {
    await visit(DESK);
    const close = async () => {
      await chat.page.keyboard.press('Escape');
      await steps.closed();
      await expectSoon(() => focused()).toBe('Correct photo 1, bath.jpg');
    };
    await bath().click({ button: 'right' });
    await steps.sheet().waitFor();
    await close();
    await bath().focus();
    // Dispatches the event of the menu key, since a headless browser opens no menus.
    await bath().dispatchEvent('contextmenu');
    await steps.sheet().waitFor();
    await close();
    await chat.page.keyboard.press('Enter');
    await steps.sheet().waitFor();
    await holds(chat.page, `document.activeElement.textContent === 'Correct this photo'`);
    await chat.page.mouse.click(5, 5);
    await steps.closed();
    await bath().click();
    await chat.page.getByRole('dialog', { name: 'bath.jpg' }).waitFor();
  });

  it('in a report is marked so, before and while it is corrected', async () => {
    // The sheet reads the photograph, which would know of the report.
    const read = chat.page.waitForResponse(/sessions\/[^/]+\/photographs/);
    await open();
    await read;
    await render();
    await steps.choice('Bathroom').click();
    const notice = steps.sheet().getByText(/^This photo is already in the report of \d+ \w+ \d{4}\./);
    await notice.waitFor();
    await expectSoon(() => steps.choice('Bathroom').count()).toBe(0);
    await steps.label('Kitchen').first().waitFor();
    await chat.page.keyboard.press('Escape');
    await chat.button('Correct photo 2, sink.jpg').click();
    await notice.waitFor();
    await expectAccessible(chat.page);
  });

  it('is unchanged without a connection, which is reported, and can be corrected afterwards', async () => {
    await chat.goOffline();
    await open();
    await steps.choice('Bathroom').click();
    await steps.sheet().getByText('You are offline, so nothing was changed.').waitFor();
    await steps.label('Kitchen').nth(1).waitFor();
    await expectAccessible(chat.page);
    await chat.context.setOffline(false);
    await steps.choice('Try again').click();
    await steps.closed();
    await steps.label('Bathroom').waitFor();
    expect((await steps.recorded())['bath.jpg']!.area).toBe('Bathroom');
  });

  it('leaves the focus on the pressed button while it is corrected; a failure takes one that is gone', async () => {
    const pressed = (button: Locator) => button.evaluate((one) => one.matches(':focus'));
    const release = await holdRequests(chat.page, CORRECTIONS, (route) => route.abort('connectionreset'));
    await open();
    const withdraw = steps.choice(/^(Withdraw|Restore)/);
    await withdraw.click();
    await steps.sheet().locator('[aria-busy=true]').waitFor();
    expect(await pressed(withdraw)).toBe(true);
    // Another correction waits until this one has ended.
    await steps.choice('Left').press('Enter');
    release();
    await steps.choice('Try again').waitFor();
    await expectSoon(() => pressed(steps.choice('Left'))).toBe(true);
    // The area that is chosen is not offered while the photograph is moved there.
    await steps.choice('Bathroom').click();
    await expectSoon(() => pressed(steps.choice('Try again'))).toBe(true);
    expect((await steps.recorded())['bath.jpg']).toMatchObject({ area: 'Kitchen', turn: 0 });
  });

  it('is rotated once by a rotation that is retried after its answer was lost', async () => {
    await chat.page.route(
      CORRECTIONS,
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await open();
    await steps.choice('Right').click();
    await steps.choice('Try again').click();
    await steps.sheet().getByText('Rotated.').waitFor({ state: 'attached' });
    expect((await steps.recorded())['bath.jpg']!.turn).toBe(90);
  });

  it('shows corrections from the console when the user returns to the page, and retains them offline', async () => {
    await correct('bath.jpg', { area: 'Bathroom', turn: 90 });
    await correct('sink.jpg', { withdrawn: true });
    await chat.page.evaluate(`dispatchEvent(new Event('focus'))`);
    await steps.label('Bathroom').waitFor();
    await steps.label('Withdrawn').waitFor();
    await chat.page.route('**/inspection/sessions/**', (route) => route.abort('connectionreset'));
    await chat.page.reload();
    await steps.label('Bathroom').waitFor();
    await holds(chat.page, `document.querySelector('.sent-photograph img')?.style.rotate === '90deg'`);
  });

  it('is one of many that can all be shown', async () => {
    const names = Array.from({ length: 11 }, (_, index) => `room-${index + 1}.jpg`);
    await chat.picker().setInputFiles(pictures(...names));
    await chat.ready('11 photos');
    await chat.say('many');
    await chat.button('Show all 11 photos').tap();
    await chat.button('Correct photo 11, room-11.jpg').waitFor();
    await chat.idle();
    await expectAccessible(chat.page);
  });
});
