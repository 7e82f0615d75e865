import { expectAccessible } from './support/accessibility.js';
import { holds, PHONE } from './support/browser.js';
import { inspection, pictures } from './support/chat-inspection.js';
import { chatFixture, type ChatPage, pictureFile } from './support/chat-page.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('the chat page with photographs', () => {
  const fixture = chatFixture();
  const { client } = fixture;
  let chat: ChatPage;
  let flow: string;

  beforeAll(async () => {
    flow = await client.flow(inspection());
  });

  beforeEach(async () => {
    chat = await fixture.visit(PHONE);
    await chat.open(flow, fixture.service.url);
    await chat.field().waitFor();
  });

  const enlarged = (name: string) => chat.page.getByRole('dialog', { name });
  const focused = () => chat.page.evaluate<string>('document.activeElement.ariaLabel');

  it('enlarges a photograph on a tap, before and after it is sent, and returns the focus', async () => {
    await chat.picker().setInputFiles(pictures('kitchen.jpg'));
    await chat.ready('1 photo');
    await chat.button('Enlarge photo 1, kitchen.jpg').click();
    await enlarged('kitchen.jpg').locator('img').waitFor();
    const wide = `document.querySelector('.enlarged img').naturalWidth`;
    await holds(chat.page, `${wide} > 400`);
    await expectAccessible(chat.page);
    await chat.page.keyboard.press('Escape');
    await enlarged('kitchen.jpg').waitFor({ state: 'detached' });
    await expectSoon(() => focused()).toBe('Enlarge photo 1, kitchen.jpg');
    await chat.say('here');
    await chat.lastAnswer().getByText('1 recorded').waitFor();
    await chat.button('Enlarge photo 1, kitchen.jpg').click();
    await enlarged('kitchen.jpg').locator('img').click();
    await enlarged('kitchen.jpg').waitFor({ state: 'detached' });
    await expectSoon(() => focused()).toBe('Enlarge photo 1, kitchen.jpg');
  });

  it('names a damaged picture, and one that only the service can display', async () => {
    await chat
      .picker()
      .setInputFiles([
        ...pictures('good.jpg'),
        pictureFile('torn.jpg', 500),
        pictureFile('IMG_1.HEIC', 500, 'image/heic'),
      ]);
    await chat.ready('3 photos');
    await chat.trouble('torn.jpg may be damaged').waitFor();
    await chat.button('Enlarge photo 3, IMG_1.HEIC').click();
    await enlarged('IMG_1.HEIC').getByText('This browser cannot show this type of photo.').waitFor();
    await chat.button('Close').click();
    await expectAccessible(chat.page);
  });

  it('shows the reference of a failed message', async () => {
    const refuses = { id: 'http', kind: 'http', config: { method: 'GET', url: 'https://127.0.0.1:1/' } };
    const { nodes, edges } = inspection();
    const failing = await client.flow(
      inspection({ nodes: [...nodes, refuses], edges: [...edges, { from: 'reply', to: 'http' }] }),
    );
    await chat.open(failing, fixture.service.url);
    await chat.say('fails');
    await chat.trouble('Something went wrong').waitFor();
    const { id, chatId } = (await client.admin('GET', `executions?flowId=${failing}&limit=1`)).body.data[0];
    await chat.trouble(`If you ask for help, quote ${String(id).slice(-8)}, chat ${chatId}.`).waitFor();
    await expectAccessible(chat.page);
  });
});
