import { withFile } from './fixtures/renders.js';
import { PHONE } from './support/browser.js';
import { ChecklistSteps } from './support/chat-checklist.js';
import { chatIdOf } from './support/chat-corrections.js';
import { pictures } from './support/chat-inspection.js';
import { chatFixture, type ChatPage } from './support/chat-page.js';
import { counted, COUNTING } from './support/count-taps.js';
import { describeInBrowser } from './support/page-fixture.js';
import { readPdf } from './support/read-pdf.js';

const FLOW = 'inspection-assistant';

describeInBrowser('a clerk on a phone who makes ten mistakes', () => {
  const fixture = chatFixture({ env: { SAMPLES: 'on', INITIAL_CREDIT: '100000' } });
  const { client } = fixture;
  let chat: ChatPage;
  let steps: ChecklistSteps;

  const say = async (words: string, answer: string | RegExp) => {
    await chat.idle();
    await chat.field().fill(words);
    await chat.button('Send').tap();
    await chat.lastAnswer().getByText(answer).first().waitFor();
    await chat.idle();
  };
  const photograph = async (...names: string[]) => {
    await chat.picker().setInputFiles(pictures(...names));
    await chat.ready(names.length === 1 ? '1 photo' : `${names.length} photos`);
    await chat.button('Send').tap();
    await chat
      .lastAnswer()
      .getByText(/recorded/)
      .waitFor();
    await chat.idle();
  };
  /** Makes a correction with at most four taps, from the chat and back. */
  const correct = async (work: () => Promise<unknown>) => {
    const { taps } = await counted(chat.page);
    await work();
    expect((await counted(chat.page)).taps - taps).toBeLessThanOrEqual(4);
    await chat.page.keyboard.press('Escape');
    await steps.sheet().waitFor({ state: 'detached' });
  };

  it('corrects each in at most four taps or one sentence, and the report shows none of them', async () => {
    chat = await fixture.visit(PHONE);
    steps = new ChecklistSteps(chat, client, FLOW);
    await chat.page.addInitScript(COUNTING);
    await chat.open(FLOW, fixture.service.url);
    await say('41 Wrong Street, Leeds LS9 9ZZ', 'Which report do you need?');
    await say('check-in', 'inspector’s name');
    await say('skip', 'We can begin');
    // A room under a wrong name, with photographs of another room and a remark that is misspelt.
    await say('Pantry', 'Pantry: please send');
    await photograph('a.jpg', 'b.jpg');
    await say('remark: worktop is scrached', 'Pantry');
    await say('Bedroom 1', 'Bedroom 1: please send');
    await photograph('c.jpg', 'd.jpg');
    await say('remark: tenant was rude', 'Bedroom 1');
    await say('remark: taps are dripping', 'Bedroom 1');
    await say('Gas meter', 'Gas meter');
    await photograph('e.jpg');
    await say('04731', '04731');
    await say('Water meter', 'Water meter');
    await photograph('f.jpg');
    await say('88112', '88112');
    await say('3 front door keys', '3');
    await say('skip detectors', 'detectors');

    // 1. The type, and 2. the address, in one sentence each.
    await say('type: check-out', /check-out/i);
    await say('address: 14 Acacia Avenue, Leeds LS1 4AP', '14 Acacia Avenue');
    // 3. A room misnamed.
    await correct(async () => {
      await chat.button('Checklist').tap();
      await chat.button('Rename Pantry').tap();
      await steps.field('New name for Pantry').fill('Kitchen');
      await chat.button('Rename').tap();
      await steps.area('Kitchen').waitFor();
    });
    // 4. Photographs in the wrong area.
    await correct(async () => {
      await chat.button('Checklist').tap();
      await steps.area('Bedroom 1').locator('.checklist-thing', { hasText: '2 photos' }).tap();
      await steps.target('Bathroom').tap();
      await steps.area('Bathroom').getByText('2 photos').waitFor();
    });
    // 5. A remark in the wrong area.
    await correct(async () => {
      await chat.button('Checklist').tap();
      await steps.thing('Remark taps').tap();
      await steps.target('Bathroom').tap();
      await steps.area('Bathroom').getByText('taps are dripping').waitFor();
    });
    // 6. A remark that must not be printed.
    await correct(async () => {
      await chat.button('Checklist').tap();
      await steps.thing('Remark tenant').tap();
      await steps.button(/^Delete/).tap();
      await steps.sheet().getByText('Deleted: Remark tenant was rude').waitFor();
    });
    // 7. A remark misspelt.
    await correct(async () => {
      await chat.button('Checklist').tap();
      await steps.thing('Remark worktop').tap();
      await steps.field('Remark').fill('worktop is scratched');
      await steps.button('Save').tap();
      await steps.thing('Remark worktop is scratched').waitFor();
    });
    // 8. A reading mistyped.
    await correct(async () => {
      await chat.button('Checklist').tap();
      await steps.thing('Reading 04731').tap();
      await steps.field('Reading').fill('04713');
      await steps.button('Save').tap();
      await steps.thing('Reading 04713').waitFor();
    });
    // 9. A reading of the wrong meter.
    await correct(async () => {
      await chat.button('Checklist').tap();
      await steps.thing('Reading 88112').tap();
      await steps.target('Electricity Meter').tap();
      await steps.area('Electricity Meter').getByText('88112').waitFor();
    });
    // 10. A wrong count of keys.
    await correct(async () => {
      await chat.button('Checklist').tap();
      await steps.thing('Keys').tap();
      await steps.field('Count').fill('2');
      await steps.button('Save').tap();
      await steps.thing('Keys 2').waitFor();
    });
    // 11. Detectors that are there.
    await correct(async () => {
      await chat.button('Checklist').tap();
      await chat.button('Undo: Detectors is at the property').tap();
      await chat.button('Mark as not there: Detectors').waitFor();
    });
    const session = `inspection/sessions/${await chatIdOf(chat.page)}`;
    expect((await client.admin('GET', `${session}/details?flowId=${FLOW}`)).body.details).not.toHaveProperty(
      'skippedAreas',
    );

    await say('finish anyway', 'Your report is ready');
    const link = chat.page.getByRole('link', { name: /\.pdf PDF/ });
    const bytes = await (await fetch((await link.getAttribute('href'))!)).arrayBuffer();
    const { text } = withFile(new Uint8Array(bytes), (path) => readPdf(path));
    for (const right of [
      'Check-Out Inspection Report',
      '14 Acacia Avenue',
      'Kitchen',
      'Bathroom',
      'worktop is scratched',
      'taps are dripping',
      '04713',
      '88112',
    ])
      expect(text).toContain(right);
    for (const wrong of [
      ...['Check-In', 'Wrong Street', 'LS9 9ZZ', 'Pantry', 'Bedroom', 'scrached', 'rude', '04731'],
      'Not available',
    ])
      expect(text).not.toContain(wrong);
  });
});
