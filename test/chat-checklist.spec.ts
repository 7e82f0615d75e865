import { randomUUID } from 'node:crypto';
import { expectAccessible } from './support/accessibility.js';
import { DESK, holds, PHONE } from './support/browser.js';
import { ChecklistSteps } from './support/chat-checklist.js';
import { chatIdOf, recordPictures } from './support/chat-corrections.js';
import { inspection, pictures } from './support/chat-inspection.js';
import { chatFixture, type ChatPage } from './support/chat-page.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { holdRequests } from './support/hold-requests.js';
import { describeInBrowser } from './support/page-fixture.js';

const THINGS = '**/inspection/sessions/*/things?*';
const RECORDS = '**/inspection/{remarks,facts}/**';
const CAPTURES = '**/inspection/capture';

describeInBrowser('what an inspection has recorded, in the checklist of the chat', () => {
  const fixture = chatFixture({ env: { RENDERS_PER_MINUTE: '100' } });
  const { client } = fixture;
  let chat: ChatPage;
  let steps: ChecklistSteps;
  let flow: string;

  beforeAll(async () => {
    flow = await client.flow(inspection());
  });

  beforeEach(() => visit(PHONE));

  async function visit(device: object): Promise<void> {
    chat = await fixture.visit(device);
    await chat.open(flow, fixture.service.url);
    await chat.field().waitFor();
    await recordPictures(chat, pictures('hob.jpg', 'sink.jpg'));
    steps = new ChecklistSteps(chat, client, flow);
    await steps.capture({ area: 'Kitchen', remark: 'Boiler is leaking' });
  }

  const lists = (...things: string[]) =>
    eventually(async () => {
      const recorded = await steps.recorded();
      return things.every((thing) => recorded.includes(thing));
    });
  const lacks = (thing: string) => eventually(async () => !(await steps.recorded()).includes(thing));
  const focused = () => chat.page.evaluate<string>('document.activeElement.textContent');

  it('stands under its area, by its kind and in its words', async () => {
    await steps.capture({ area: 'Gas meter', reading: { value: '04731', unit: 'm³' } });
    await steps.capture({ area: 'Keys', keys: [{ kind: 'Front door', count: 2 }] });
    await steps.capture({ area: 'Detectors', alarm: { kind: 'Smoke alarm', place: 'Landing' } });
    await steps.capture({ area: 'Kitchen', observations: [{ item: 'Hob', condition: 'poor' }] });
    await steps.open();
    const things = {
      Kitchen: ['2 photos', 'Observation Hob: poor', 'Remark Boiler is leaking'],
      'Gas meter': ['Reading 04731 m³'],
      Keys: ['Keys 2 × Front door'],
      Detectors: ['Alarm Smoke alarm, Landing'],
    };
    for (const [area, words] of Object.entries(things))
      await expectSoon(() => steps.area(area).locator('.checklist-words').allInnerTexts()).toEqual(words);
    await expectAccessible(chat.page);
    for (const words of ['Observation', 'Alarm', 'Keys 2']) {
      await steps.thing(words).click();
      await steps.button('Save').waitFor();
      // The sticky head would cover a part of a button.
      await chat.page.evaluate(`document.querySelector('.sheet').scrollTop = 0`);
      await expectAccessible(chat.page);
    }
  });

  it('is edited: a remark, and each member of a reading, keys, an alarm and an observation', async () => {
    await steps.capture({ area: 'Gas meter', reading: { value: '04731' } });
    await steps.capture({ area: 'Keys', keys: [{ kind: 'Front door', count: 2 }] });
    await steps.capture({ area: 'Detectors', alarm: { kind: 'Smoke alarm', tested: false } });
    await steps.capture({ area: 'Kitchen', observations: [{ item: 'Hob', condition: 'poor' }] });
    await steps.open();
    const edit = async (thing: string, values: Record<string, string>, now: string) => {
      await steps.thing(thing).tap();
      for (const [label, value] of Object.entries(values)) {
        const choice = /^(Condition|Tested)$/.test(label);
        await (choice ? steps.field(label).selectOption(value) : steps.field(label).fill(value));
      }
      await steps.button('Save').tap();
      await steps.thing(now).waitFor();
      await holds(chat.page, `document.activeElement.textContent.startsWith(${JSON.stringify(now)})`);
    };
    await edit('Remark', { Remark: 'Boiler drips' }, 'Remark Boiler drips');
    await edit('Reading', { Reading: '04713', Unit: 'm³' }, 'Reading 04713 m³');
    await edit('Keys', { 'Keys to': 'Back door', Count: '3' }, 'Keys 3 × Back door');
    await edit('Alarm', { Place: 'Landing', Tested: 'true' }, 'Alarm Smoke alarm, Landing, tested');
    await edit('Observation', { Condition: 'good' }, 'Observation Hob: good');
    await edit('Reading', { Unit: '' }, 'Reading 04713');
    await lists('remark of Kitchen: Boiler drips', 'reading of Gas meter: 04713');
  });

  it('is moved to another area in two taps after the checklist is open, and has the focus there', async () => {
    await steps.open();
    steps.count();
    await steps.tap(steps.thing('Remark Boiler'));
    await steps.tap(steps.target('Bathroom'));
    expect(steps.count()).toBe(2);
    await steps.area('Bathroom').getByText('Boiler is leaking').waitFor();
    await lists('remark of Bathroom: Boiler is leaking');
    await holds(chat.page, `document.activeElement.matches('.checklist-thing')`);
    await expectSoon(() => focused()).toContain('Boiler is leaking');
    await chat.page.getByRole('status').getByText('Moved to Bathroom.').waitFor();
  });

  it('has the focus there although the list is read again meanwhile, as on each return to the page', async () => {
    await steps.open();
    const reads: (() => Promise<void>)[] = [];
    await chat.page.route(THINGS, (route) =>
      reads.length < 2 ? void reads.push(() => route.continue()) : route.continue(),
    );
    await steps.thing('Remark Boiler').tap();
    await steps.target('Bathroom').tap();
    await eventually(() => reads.length === 1);
    await chat.page.evaluate(`dispatchEvent(new Event('focus'))`);
    await eventually(() => reads.length === 2);
    const first = chat.page.waitForResponse(THINGS);
    await reads[0]!();
    await (await first).finished();
    await reads[1]!();
    await steps.area('Bathroom').getByText('Boiler is leaking').waitFor();
    await holds(chat.page, `document.activeElement.matches('.checklist-thing')`);
  });

  it('is moved with all photographs of the area, whose tiles in the conversation follow', async () => {
    await steps.open();
    steps.count();
    await steps.tap(steps.thing('2 photos'));
    await expectAccessible(chat.page);
    await steps.tap(steps.target('Living Room'));
    expect(steps.count()).toBe(2);
    await steps.area('Living Room').getByText('2 photos').waitFor();
    await lists('photograph of Living Room', 'remark of Kitchen: Boiler is leaking');
    await steps.close();
    await holds(
      chat.page,
      `[...document.querySelectorAll('.sent-photograph .place')].every(({ textContent }) => textContent === 'Living Room')`,
    );
  });

  it('opens the sheet of a single photograph, and follows its correction', async () => {
    await steps.open();
    await steps.thing('2 photos').tap();
    await chat.button('Correct photo 1, Kitchen').tap();
    const sheet = chat.page.getByRole('dialog', { name: 'Correct this photo' });
    await sheet.getByRole('button', { name: 'Garden', exact: true }).tap();
    await sheet.waitFor({ state: 'detached' });
    await steps.area('Garden').getByText('1 photo').waitFor();
    await steps.area('Kitchen').locator('.checklist-words', { hasText: '1 photo' }).waitFor();
  });

  it('is deleted, and restored by Undo in its place, also after the sheet was closed and the page reloaded', async () => {
    await steps.open();
    await steps.thing('Remark').tap();
    await steps.button(/^Delete/).tap();
    const undo = steps.button('Undo: restore Remark Boiler is leaking');
    await undo.waitFor();
    await lacks('remark of Kitchen: Boiler is leaking');
    await holds(chat.page, `document.activeElement.textContent === 'Undo'`);
    await expectAccessible(chat.page);
    await chat.page.keyboard.press('Enter');
    await steps.thing('Remark Boiler').waitFor();
    await lists('remark of Kitchen: Boiler is leaking');
    await steps.thing('Remark').tap();
    await steps.button(/^Delete/).tap();
    await undo.waitFor();
    await chat.page.reload();
    await steps.open();
    await undo.tap();
    await lists('remark of Kitchen: Boiler is leaking');
  });

  it('is corrected by keyboard alone', async () => {
    await visit(DESK);
    const { keyboard } = chat.page;
    const tabTo = async (words: string) => {
      for (let presses = 0; presses < 60; presses++) {
        await keyboard.press('Tab');
        if ((await focused()).startsWith(words)) return;
      }
      throw new Error(`no tab stop: ${words}`);
    };
    await chat.button('Checklist').focus();
    await keyboard.press('Enter');
    await steps.thing('Remark').waitFor();
    await tabTo('Remark');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type('Boiler drips');
    await tabTo('Save');
    await keyboard.press('Enter');
    await steps.thing('Remark Boiler drips').waitFor();
    await holds(chat.page, `document.activeElement.textContent.startsWith('Remark Boiler drips')`);
    await keyboard.press('Enter');
    await tabTo('Bathroom');
    await keyboard.press('Enter');
    await steps.area('Bathroom').getByText('Boiler drips').waitFor();
    await holds(chat.page, `document.activeElement.textContent.startsWith('Remark Boiler drips')`);
    await keyboard.press('Enter');
    await tabTo('Delete');
    await keyboard.press('Enter');
    await holds(chat.page, `document.activeElement.textContent === 'Undo'`);
    await keyboard.press('Escape');
    await holds(chat.page, `document.activeElement.ariaLabel === 'Checklist'`);
  });

  it('follows the chat, other tabs and other devices while the sheet is open', async () => {
    await steps.open();
    const other = await chat.context.newPage();
    await other.goto(chat.page.url());
    await other.getByRole('button', { name: 'Checklist', exact: true }).click();
    await other.getByRole('button', { name: /^Remark/ }).click();
    await other.getByRole('button', { name: 'Bathroom', exact: true }).click();
    await steps.area('Bathroom').getByText('Boiler is leaking').waitFor();
    await other.close();
    await steps.capture({ area: 'Kitchen', remark: 'Sink is chipped' });
    await chat.page.evaluate(`dispatchEvent(new Event('focus'))`);
    await steps.thing('Remark Sink is chipped').waitFor();
  });

  it('says that a report has it, and offers no change', async () => {
    await steps.open();
    await steps.thing('Remark').tap();
    await steps.field('Remark').fill('Boiler drips');
    const source = { type: 'inspection', sessionId: await chatIdOf(chat.page), flowId: flow, meta: {} };
    const { status } = await client.admin('POST', 'pdf/render', { templateId: 'inspection', source });
    expect(status).toBe(200);
    await steps.button('Save').tap();
    await steps.sheet().getByText('A report already has this.').waitFor();
    const claimed = steps.area('Kitchen').locator('.checklist-claimed');
    await claimed.getByText('In a report. Only a new edition of it can change this.').first().waitFor();
    await expectSoon(() => claimed.count()).toBe(2);
    await expectSoon(() => steps.sheet().locator('.checklist-thing').count()).toBe(0);
    await claimed.getByText('Not saved: Boiler drips').waitFor();
    await lists('remark of Kitchen: Boiler is leaking');
    await expectAccessible(chat.page);
  });

  it('retains what was typed without a connection, and saves it with one tap when it is back', async () => {
    await steps.open();
    await chat.page.route(RECORDS, (route) => route.abort());
    await steps.thing('Remark').tap();
    await steps.field('Remark').fill('Boiler drips');
    await steps.button('Save').tap();
    await steps.sheet().getByText('The service cannot be reached.').waitFor();
    await chat.page.reload();
    await steps.open();
    await steps.sheet().getByText('Not saved yet').waitFor();
    await steps.thing('Remark').tap();
    await expectSoon(() => steps.field('Remark').inputValue()).toBe('Boiler drips');
    await steps.button('Save').tap();
    await steps.sheet().getByText('The service cannot be reached.').waitFor();
    await chat.page.unroute(RECORDS);
    await steps.button('Try again').tap();
    await steps.thing('Remark Boiler drips').waitFor();
    await lists('remark of Kitchen: Boiler drips');
    await expectSoon(() => steps.sheet().getByText('Not saved yet').count()).toBe(0);
  });

  it('is unsaved only while it differs from what is recorded', async () => {
    await steps.open();
    await steps.thing('Remark').tap();
    await steps.field('Remark').fill('Boiler is leaking, badly');
    await steps.field('Remark').fill('Boiler is leaking');
    await steps.thing('Remark').tap();
    await steps.field('Remark').waitFor({ state: 'detached' });
    await expectSoon(() => steps.sheet().getByText('Not saved yet').count()).toBe(0);
  });

  it('is listed in full when there is more than one page of it', async () => {
    for (let at = 0; at < 21; at++)
      await steps.capture({
        area: `Room ${at}`,
        observations: Array.from({ length: 10 }, (_, item) => ({ item: `Item ${at}.${item}` })),
      });
    await steps.open();
    await steps.thing('Observation Item 20.9').waitFor();
    await expectSoon(() => steps.sheet().locator('.checklist-thing').count()).toBe(212);
  });

  /** Makes the session the check-out of one with three items in the kitchen and one in the patio. */
  async function beginCheckOut(): Promise<void> {
    const earlier = randomUUID();
    const data = pictures('door.jpg')[0]!.buffer.toString('base64');
    const items = ['Hob', 'Sink', 'Worktop'].map((item) => ({ item, condition: 'good' }));
    const checkIn = { flowId: flow, sessionId: earlier, area: 'Kitchen', photographs: [{ data }] };
    await client.admin('POST', 'inspection/capture', { ...checkIn, observations: items });
    const patio = { flowId: flow, sessionId: earlier, area: 'Patio', observations: [{ item: 'Slabs' }] };
    await client.admin('POST', 'inspection/capture', patio);
    const source = { type: 'inspection', sessionId: earlier, flowId: flow, meta: { reportType: 'checkin' } };
    const { body } = await client.admin('POST', 'pdf/render', { templateId: 'inspection', source });
    await steps.capture({ details: { previousReport: body.file.id } });
  }

  it('has the items of the check-in at a check-out, each recorded as it was in one tap, or all that are left', async () => {
    await beginCheckOut();
    await steps.capture({ area: 'Kitchen', observations: [{ item: 'SINK', condition: 'poor' }] });
    await steps.open();
    const kitchen = steps.area('Kitchen').locator('.checklist-previous');
    const rows = kitchen.locator('.checklist-before');
    await expectSoon(async () =>
      (await rows.allInnerTexts()).map((row) => row.split(/\s+/).join(' ')),
    ).toEqual(['Hob good As at check-in', 'Sink good Described', 'Worktop good As at check-in']);
    await steps.area('Patio').getByText('At check-in: 0 of 1 described').waitFor();
    await expectAccessible(chat.page);
    await steps.tap(steps.button('As at check-in: Slabs'));
    await lists('observation of Patio: Slabs: as at check-in');
    await steps.tap(steps.button('The other 2 as at check-in'));
    await kitchen.getByText('At check-in: 3 of 3 described').waitFor();
    await lists(
      'observation of Kitchen: Hob: as at check-in',
      'observation of Kitchen: Worktop: as at check-in',
    );
    await holds(chat.page, `document.activeElement.textContent === 'At check-in: 3 of 3 described'`);
  });

  it('makes every change that is tapped while the answer to another is awaited, each once', async () => {
    await beginCheckOut();
    await steps.open();
    const release = await holdRequests(chat.page, CAPTURES);
    for (const words of [
      'As at check-in: Slabs',
      'As at check-in: Hob',
      'As at check-in: Hob',
      'The other 3 as at check-in',
    ])
      await steps.tap(steps.button(words));
    release();
    await steps.area('Kitchen').getByText('At check-in: 3 of 3 described').waitFor();
    const items = (await steps.recorded()).filter((thing) => thing.includes('as at check-in'));
    expect(items.toSorted()).toEqual([
      'observation of Kitchen: Hob: as at check-in',
      'observation of Kitchen: Sink: as at check-in',
      'observation of Kitchen: Worktop: as at check-in',
      'observation of Patio: Slabs: as at check-in',
    ]);
  });

  it('reports all changes that failed together, and makes them at one tap', async () => {
    await beginCheckOut();
    await steps.open();
    const release = await holdRequests(chat.page, CAPTURES, (route) => route.abort());
    for (const item of ['Slabs', 'Hob']) await steps.tap(steps.button(`As at check-in: ${item}`));
    release();
    await steps.sheet().getByText('The service cannot be reached.').waitFor();
    await steps.sheet().locator('.checklist[aria-busy="false"]').waitFor();
    await chat.page.unroute(CAPTURES);
    await steps.button('Try again').tap();
    await lists('observation of Patio: Slabs: as at check-in', 'observation of Kitchen: Hob: as at check-in');
    await steps.sheet().getByText('The service cannot be reached.').waitFor({ state: 'detached' });
  });
});
