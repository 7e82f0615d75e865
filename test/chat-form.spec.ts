import { expectAccessible } from './support/accessibility.js';
import { chatFixture, type ChatPage, published } from './support/chat-page.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser } from './support/page-fixture.js';

const inputs = [
  { type: 'string', label: 'City', name: 'city' },
  { type: 'number', label: 'Rooms', name: 'rooms' },
  { type: 'boolean', label: 'Garden', name: 'garden' },
];

const form = {
  name: 'Form',
  ...published,
  nodes: [
    { id: 'start', kind: 'start', config: { inputType: 'form', form: { title: 'About it', inputs } } },
    { id: 'reply', kind: 'reply', config: { message: '{{$form.city}} of {{question}}.' } },
  ],
  edges: [{ from: 'start', to: 'reply' }],
};

describeInBrowser('a form that starts a chat', () => {
  const fixture = chatFixture();
  const { client } = fixture;
  let chat: ChatPage;

  beforeEach(async () => {
    chat = await fixture.visit();
    await chat.open(await client.flow(form), fixture.service.url);
    await chat.page.getByLabel('City').fill('York');
    await chat.page.getByLabel('Rooms').fill('3');
    await chat.page.getByLabel('Garden').check();
  });

  it('is shown as it was sent, gives the flow its words as the question, and names the chat', async () => {
    await expectAccessible(chat.page);
    await chat.button('Start').click();
    await chat.lastAnswer().getByText('York of city: York').waitFor();
    await chat.lastAnswer().getByText('garden: true.').waitFor();
    const sent = chat.page.getByRole('article', { name: 'You' });
    await expectSoon(() => sent.innerText()).toBe('City: York\nRooms: 3\nGarden: yes');
    await chat.idle();
    await chat.openList();
    await chat.page.getByRole('dialog').getByText('City: York').waitFor();
    await expectAccessible(chat.page);
  });

  it('waits without a network with what was entered, which can be removed but not edited', async () => {
    await chat.goOffline();
    await chat.button('Start').click();
    const waiting = chat.page.getByRole('article', { name: 'Your message, not sent yet' });
    await waiting.getByText('City: York').waitFor();
    await waiting.getByRole('button', { name: 'Remove' }).waitFor();
    expect(await waiting.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await chat.context.setOffline(false);
    await chat.lastAnswer().getByText('York of city: York').waitFor();
  });
});
