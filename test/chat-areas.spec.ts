import type { Page } from 'playwright-core';
import { expectAccessible } from './support/accessibility.js';
import { DESK, holds, PHONE, SMALL_PHONE } from './support/browser.js';
import { chatIdOf, CorrectionSteps } from './support/chat-corrections.js';
import { ATTACHMENTS, pictures } from './support/chat-inspection.js';
import { chatFixture, type ChatPage } from './support/chat-page.js';
import { expectSoon } from './support/expect-soon.js';
import { holdRequests } from './support/hold-requests.js';
import { describeInBrowser } from './support/page-fixture.js';

const COUNTING = `addEventListener('pointerdown', ({ isTrusted }) => isTrusted && (globalThis.taps = (globalThis.taps ?? 0) + 1), true)`;
const taps = (page: Page) => page.evaluate<number>('globalThis.taps ?? 0');

describeInBrowser('the area that a message goes to', () => {
  const fixture = chatFixture({ env: { SAMPLES: 'on', INITIAL_CREDIT: '100000' } });
  const { client } = fixture;
  let chat: ChatPage;
  let steps: CorrectionSteps;

  const sayAndWait = async (words: string) => {
    await chat.idle();
    await chat.say(words);
    await chat.idle();
  };
  /** A chat with the sample flow that has reached the areas. */
  const begun = async (device: object = PHONE) => {
    chat = await fixture.visit(device);
    await chat.page.addInitScript(COUNTING);
    await chat.open('inspection-assistant', fixture.network.url);
    for (const words of ['1 Test Street, Leeds LS1 4AP', 'check-in', 'skip']) await sayAndWait(words);
    steps = new CorrectionSteps(chat.page, client);
  };
  const to = () => chat.page.locator('.composer').getByRole('button', { name: /^To: / });
  const goesTo = (area: string) => to().getByText(area, { exact: true }).waitFor();
  const sheet = () => chat.page.getByRole('dialog', { name: 'Where do these belong?' });
  const choose = async (area: string) => {
    await to().click();
    await sheet().getByRole('button', { name: area, exact: true }).click();
    await sheet().waitFor({ state: 'detached' });
  };
  const chosen = async (...names: string[]) => {
    await chat.picker().setInputFiles(pictures(...names));
    await chat.ready(names.length === 1 ? '1 photo' : `${names.length} photos`);
  };
  const send = async () => {
    await chat.button('Send').click();
    await chat.idle();
  };
  const areasOfPhotographs = async () =>
    Object.fromEntries(Object.entries(await steps.recorded()).map(([name, { area }]) => [name, area]));
  const remarks = async () => {
    const { body } = await client.admin('GET', `inspection/sessions/${await chatIdOf(chat.page)}`);
    const kept = (body.remarks as { text: string; area: string; withdrawnAt: string | null }[]).filter(
      ({ withdrawnAt }) => withdrawnAt === null,
    );
    return kept.map(({ text, area }) => `${area}: ${text}`);
  };

  it('is shown beside the message, and a chosen one takes the photographs', async () => {
    await begun();
    await expectSoon(() => to().count()).toBe(0);
    await chosen('a.jpg');
    await goesTo('choose an area');
    await to().click();
    for (const group of ['Rooms', 'Meters, keys and detectors'])
      await sheet().getByRole('group', { name: group }).waitFor();
    await expectSoon(() => sheet().getByRole('group', { name: 'Areas of this inspection' }).count()).toBe(0);
    await expectAccessible(chat.page);
    await sheet().getByRole('button', { name: 'Bathroom', exact: true }).click();
    await goesTo('Bathroom');
    await expectAccessible(chat.page);
    expect(await areasOfPhotographs()).toEqual({});
    await send();
    await sayAndWait('Kitchen');
    await goesTo('Kitchen');
    await to().click();
    await sheet()
      .getByRole('group', { name: 'Areas of this inspection' })
      .getByRole('button', { name: 'Bathroom' })
      .waitFor();
    await sheet().getByRole('textbox', { name: 'Another room' }).fill('Zorg & eaves');
    await chat.page.keyboard.press('Enter');
    await goesTo('Zorg & eaves');
    await chosen('b.jpg');
    await send();
    await goesTo('Zorg & eaves');
    await chosen('c.jpg');
    await send();
    expect(await areasOfPhotographs()).toEqual({
      'a.jpg': 'Bathroom',
      'b.jpg': 'Zorg & eaves',
      'c.jpg': 'Zorg & eaves',
    });
    expect(await remarks()).toEqual([]);
  });

  it('remains that of the remark that closed it, and takes words as well', async () => {
    await begun();
    await sayAndWait('Kitchen');
    await choose('Hallway');
    await sayAndWait('The floor is scratched');
    await goesTo('Hallway');
    await chosen('a.jpg');
    await send();
    await chosen('b.jpg');
    await chat.field().fill('Living Room');
    await send();
    await goesTo('Living Room');
    expect(await areasOfPhotographs()).toEqual({ 'a.jpg': 'Hallway', 'b.jpg': 'Living Room' });
    expect(await remarks()).toEqual(['Hallway: The floor is scratched']);
    // Commands do not become remarks under a chosen area.
    await choose('Bathroom');
    await sayAndWait('what is missing?');
    await chat.lastAnswer().getByText('Still outstanding').waitFor();
    expect(await remarks()).toHaveLength(1);
  });

  it('is that of a tapped chip, which sends what is ready in one tap', async () => {
    await begun();
    await chosen('a.jpg', 'b.jpg');
    await chat.field().fill('The tap drips');
    await chat.page.getByText('Send 2 photos to').waitFor();
    await expectAccessible(chat.page);
    const before = await taps(chat.page);
    await chat.button('Bathroom').tap();
    await chat.lastAnswer().getByText('recorded 2 photographs in Bathroom').waitFor();
    await chat.idle();
    expect((await taps(chat.page)) - before).toBe(1);
    expect(await areasOfPhotographs()).toEqual({ 'a.jpg': 'Bathroom', 'b.jpg': 'Bathroom' });
    expect(await remarks()).toEqual(['Bathroom: The tap drips']);
    await expectSoon(() => chat.field().inputValue()).toBe('');
  });

  it('is that of an area tapped in the checklist, which sends what is ready as a chip does', async () => {
    await begun();
    await sayAndWait('Kitchen');
    await chosen('a.jpg', 'b.jpg');
    await chat.field().fill('The tap drips');
    await chat.button('Checklist').tap();
    const checklist = chat.page.getByRole('dialog', { name: 'Checklist' });
    const before = await taps(chat.page);
    await checklist.getByRole('button', { name: /^Gas Meter/ }).tap();
    await checklist.waitFor({ state: 'detached' });
    await chat.lastAnswer().getByText('recorded 2 photographs in Gas Meter').waitFor();
    await chat.idle();
    expect((await taps(chat.page)) - before).toBe(1);
    expect(await areasOfPhotographs()).toEqual({ 'a.jpg': 'Gas Meter', 'b.jpg': 'Gas Meter' });
    // With nothing ready, the area alone is sent.
    await chat.button('Checklist').tap();
    await checklist.getByRole('button', { name: /^Water Meter/ }).tap();
    await chat.lastAnswer().getByText('Water Meter: please send the photographs').waitFor();
  });

  it('is that of a chip tapped while the photographs are still uploaded', async () => {
    await begun();
    const release = await holdRequests(chat.page, ATTACHMENTS);
    await chat.picker().setInputFiles(pictures('a.jpg'));
    await chat.page.getByText('Send 1 photo to').waitFor();
    await chat.button('Kitchen').tap();
    const waiting = chat.page.getByRole('article', { name: 'Your message, not sent yet' });
    await waiting.getByText('Uploading: 0 of 1 photo').waitFor();
    await waiting.getByText('Area: Kitchen').waitFor();
    release();
    await chat.lastAnswer().getByText('recorded 1 photograph in Kitchen').waitFor();
    expect(await areasOfPhotographs()).toEqual({ 'a.jpg': 'Kitchen' });
  });

  it('is the one shown for photographs that wait, although what was sent before them changes it', async () => {
    await begun();
    await sayAndWait('Kitchen');
    const waiting = () => chat.page.getByRole('article', { name: 'Your message, not sent yet' });
    const leave = async (name: string, count: number) => {
      await chat.picker().setInputFiles(pictures(name));
      await holds(chat.page, `document.querySelectorAll('.tray .saved').length === 1`);
      await chat.button('Send').click();
      await waiting()
        .nth(count - 1)
        .waitFor();
    };
    await choose('Hallway');
    await chat.goOffline();
    await leave('a.jpg', 1);
    await goesTo('Hallway');
    await leave('b.jpg', 2);
    await waiting().first().getByRole('button', { name: 'Remove' }).click();
    await chat.context.setOffline(false);
    await chat.lastAnswer().getByText('recorded 1 photograph in Hallway').waitFor();
    await chat.idle();
    await goesTo('Hallway');
    await chat.goOffline();
    await chat.say('The tap drips');
    await waiting().first().waitFor();
    await goesTo('Hallway');
    await leave('c.jpg', 2);
    await chat.context.setOffline(false);
    await waiting().last().waitFor({ state: 'detached' });
    await chat.idle();
    expect(await areasOfPhotographs()).toEqual({ 'b.jpg': 'Hallway', 'c.jpg': 'Hallway' });
    expect(await remarks()).toEqual(['Hallway: The tap drips']);
  });

  it('is named where a remark was noted, which a tap takes back', async () => {
    await begun();
    await sayAndWait('Kitchen');
    await sayAndWait('The tap drips');
    await chat.lastAnswer().getByText('Noted under Kitchen: “The tap drips”.').waitFor();
    expect(await remarks()).toEqual(['Kitchen: The tap drips']);
    const other = chat.page.getByRole('group', { name: 'Other choices' });
    await expectSoon(() => other.getByRole('button').allTextContents()).toEqual([
      'Undo',
      'What is missing?',
      'Finish',
    ]);
    await expectAccessible(chat.page);
    await other.getByRole('button', { name: 'Undo' }).tap();
    await chat.lastAnswer().getByText('Removed your remark “The tap drips” from Kitchen.').waitFor();
    await chat.idle();
    expect(await remarks()).toEqual([]);
    // There is a next step after that, too, and when there is nothing to undo.
    for (const _ of [1, 2]) {
      await chat.button('Hallway').waitFor();
      await sayAndWait('undo');
    }
    await sayAndWait('help');
    await chat.button('What have you recorded?').waitFor();
  });

  it('of a whole misfiled batch is changed in two taps', async () => {
    await begun();
    await sayAndWait('Kitchen');
    await chosen('a.jpg', 'b.jpg', 'c.jpg');
    await send();
    const move = chat.button('Move these 3 photos to…');
    await move.waitFor();
    const before = await taps(chat.page);
    await move.tap();
    const moved = chat.page.getByRole('dialog', { name: 'Move 3 photos' });
    await expectAccessible(chat.page);
    await moved.getByRole('button', { name: 'Hallway', exact: true }).tap();
    await moved.waitFor({ state: 'detached' });
    expect((await taps(chat.page)) - before).toBe(2);
    await holds(
      chat.page,
      `[...document.querySelectorAll('.sent-photograph .place')].filter(({ textContent }) => textContent === 'Hallway').length === 3`,
    );
    expect(await areasOfPhotographs()).toEqual({
      'a.jpg': 'Hallway',
      'b.jpg': 'Hallway',
      'c.jpg': 'Hallway',
    });
    await expectAccessible(chat.page);
  });

  it('of a misfiled batch is also changed for the remark sent with it, unless the person keeps that', async () => {
    await begun();
    await sayAndWait('Kitchen');
    await sayAndWait('The tap drips');
    const sent = async (name: string, words: string) => {
      await chosen(name);
      await chat.field().fill(words);
      await send();
    };
    const moved = chat.page.getByRole('dialog', { name: 'Move 1 photo' });
    const move = async (place: number, to: string, keepsRemark = false) => {
      await chat.button('Move this photo to…').nth(place).tap();
      if (keepsRemark) await moved.getByRole('checkbox', { name: /^Move the remark too/ }).uncheck();
      await moved.getByRole('button', { name: to, exact: true }).tap();
      await moved.waitFor({ state: 'detached' });
    };
    await sent('a.jpg', 'The floor is scratched');
    await chat.button('Move this photo to…').tap();
    await moved.getByLabel('Move the remark too: “The floor is scratched”').waitFor();
    await expectAccessible(chat.page);
    await chat.page.keyboard.press('Escape');
    // The sheet finds the remark also if its list comes late.
    const release = await holdRequests(chat.page, '**/things?*');
    await chat.button('Move this photo to…').tap();
    await moved.getByRole('button', { name: 'Hallway', exact: true }).tap();
    await chat.page.locator('.correction[aria-busy=true]').waitFor();
    release();
    await moved.waitFor({ state: 'detached' });
    await chat.page.unroute('**/things?*');
    expect((await remarks()).sort()).toEqual(['Hallway: The floor is scratched', 'Kitchen: The tap drips']);
    expect(await areasOfPhotographs()).toEqual({ 'a.jpg': 'Hallway' });
    await sent('b.jpg', 'The sill is stained');
    await move(1, 'Bathroom', true);
    expect(await remarks()).toContain('Kitchen: The sill is stained');
    expect(await areasOfPhotographs()).toEqual({ 'a.jpg': 'Hallway', 'b.jpg': 'Bathroom' });
  });

  it('stays as it was where the batch cannot be moved, which is said', async () => {
    await begun();
    await sayAndWait('Kitchen');
    await chosen('a.jpg');
    await send();
    await chat.button('Move this photo to…').waitFor();
    await chat.page.route('**/photographs/*/corrections', (route) => route.abort());
    await chat.button('Move this photo to…').click();
    const moved = chat.page.getByRole('dialog', { name: 'Move 1 photo' });
    await moved.getByRole('button', { name: 'Hallway', exact: true }).click();
    await moved.getByText('The connection was lost').waitFor();
    await expectAccessible(chat.page);
    await chat.page.unroute('**/photographs/*/corrections');
    await moved.getByRole('button', { name: 'Try again' }).click();
    await moved.waitFor({ state: 'detached' });
    expect(await areasOfPhotographs()).toEqual({ 'a.jpg': 'Hallway' });
  });

  const focused = () => chat.page.evaluate<string>('document.activeElement.className');

  it('is chosen with the keyboard alone, and the focus returns to its button', async () => {
    await begun(DESK);
    await sayAndWait('Kitchen');
    await to().focus();
    await chat.page.keyboard.press('Enter');
    await sheet().waitFor();
    await chat.page.keyboard.press('Escape');
    await sheet().waitFor({ state: 'detached' });
    await expectSoon(() => focused()).toBe('target');
    await chat.page.keyboard.press('Enter');
    await sheet().getByRole('button', { name: 'Hallway', exact: true }).focus();
    await chat.page.keyboard.press('Enter');
    await goesTo('Hallway');
    await expectSoon(() => focused()).toBe('target');
  });

  it('opens its sheet again in the moment in which it closes', async () => {
    await begun(DESK);
    await sayAndWait('Kitchen');
    await to().click();
    await sheet().getByRole('button', { name: 'Close' }).waitFor();
    await chat.page.evaluate(
      `document.querySelector('dialog.sheet .round').click(); document.querySelector('.target').click()`,
    );
    // The first sheet's events have come by now.
    await chat.page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))');
    await sheet().getByRole('button', { name: 'Hallway', exact: true }).click();
    await goesTo('Hallway');
    await sheet().waitFor({ state: 'detached' });
  });

  it('fits a small phone, however long its name', async () => {
    await begun(SMALL_PHONE);
    await sayAndWait(`Area: ${'Cupboard under the stairs '.repeat(3).trim()}`);
    await goesTo('Cupboard under the stairs Cupboard under the stairs Cupboard under the stairs');
    await expectSoon(() => chat.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await to().click();
    await sheet().waitFor();
    await expectAccessible(chat.page);
  });
});
