import { PHONE } from './support/browser.js';
import { pictures } from './support/chat-inspection.js';
import { chatFixture, type ChatPage } from './support/chat-page.js';
import { counted, COUNTING } from './support/count-taps.js';
import { describeInBrowser } from './support/page-fixture.js';

const ADDRESS = '14 Acacia Avenue, Leeds LS1 4AP';
const REMARK = 'The worktop is scratched';

describeInBrowser('an inspection on a phone', () => {
  const fixture = chatFixture({ env: { SAMPLES: 'on', INITIAL_CREDIT: '100000' } });
  const { client } = fixture;
  let chat: ChatPage;

  const tap = (name: string | RegExp) => chat.button(name).tap();
  /** Taps a suggested answer. */
  const choose = async (name: string, answer: string | RegExp) => {
    await tap(name);
    await chat.lastAnswer().getByText(answer).waitFor();
    await chat.idle();
  };
  const write = async (words: string, answer: string) => {
    await chat.field().tap();
    await chat.field().pressSequentially(words);
    await tap('Send');
    await chat.lastAnswer().getByText(answer).waitFor();
    await chat.idle();
  };
  /** The file is chosen in the device's own picker. */
  const photograph = async (area: string, ...names: string[]) => {
    const chooser = chat.page.waitForEvent('filechooser');
    await tap('Add photos');
    await (await chooser).setFiles(pictures(...names));
    await chat.ready(`${names.length} photos`);
    // The chip of the area sends them.
    await tap(area);
    await chat.lastAnswer().getByText(`recorded ${names.length} photographs in ${area}`).waitFor();
    await chat.idle();
  };

  it('of six photographs in three areas takes at most 15 taps, and typing for the address and a remark alone', async () => {
    chat = await fixture.visit(PHONE);
    await chat.page.addInitScript(COUNTING);
    await chat.open('inspection-assistant', fixture.service.url);
    await choose('Start an inspection', 'What is the address');
    await write(ADDRESS, 'Which report do you need?');
    await choose('Check-in', 'inspector’s name');
    await choose('Skip', 'We can begin');
    for (const area of ['Hallway', 'Kitchen', 'Bathroom']) {
      await photograph(area, `${area} 1.jpg`, `${area} 2.jpg`);
      if (area === 'Kitchen') await write(REMARK, 'Noted under Kitchen');
    }
    await choose('Finish', `The cover will say: Check-In Inspection Report · ${ADDRESS}`);
    await choose('Finish anyway', 'Your report is ready');
    await chat.page.getByRole('link', { name: /\.pdf PDF/ }).waitFor();
    const { taps, typed } = await counted(chat.page);
    expect(typed).toBe(ADDRESS.length + REMARK.length);
    expect(taps).toBe(15);
    const { data } = (await client.admin('GET', 'inspection/sessions?flowId=inspection-assistant')).body;
    expect(data[0]).toMatchObject({ title: ADDRESS, areas: ['Hallway', 'Kitchen', 'Bathroom'] });
  });
});
