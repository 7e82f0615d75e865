import { join } from 'node:path';
import { FLOWISE_FOLDER, hasFlowise, moveInto } from './support/flowise.js';
import { describeInBrowser } from './support/page-fixture.js';
import { Widget, widgetFixture } from './support/widget-page.js';

const FLOW = '0f4c9a9b-a6be-45ed-bd32-f86f3489ebbb';
const KEY = 'YOuVk31MYDlS1ccH5wO_2TSTpJLMReW7WcU6Me4e1pQ';
const CHAT = '+60123456789';
const FIRST = 'Hello, is 182000 km plausible for a car of 2015?';

/** The widget's storage in the visitor's browser, from the time when its page named the other host. */
const storage = {
  [`${FLOW}_EXTERNAL`]: JSON.stringify({
    chatId: CHAT,
    lead: { name: 'Olga', email: 'olga@example.com' },
    chatHistory: [
      { message: FIRST, type: 'userMessage' },
      { message: 'Answer 1', type: 'apiMessage' },
    ],
  }),
};

const move = () => {
  const file = (name: string) => join(FLOWISE_FOLDER, name);
  return [
    '--database',
    file('database.sqlite'),
    '--key',
    file('encryption.key'),
    '--storage',
    file('storage'),
  ];
};

/** A page changes only the host name after an import (contract section 9; docs/moving.md). */
(hasFlowise ? describeInBrowser : describe.skip)('the page of a flow that was moved', () => {
  const fixture = widgetFixture();
  const { client, site } = fixture;

  beforeAll(async () => {
    expect((await moveInto(fixture.service.place, move())).code).toBe(0);
    // Its model was a stand-in at a port of the original machine.
    const { body } = await client.admin('GET', `flows/${FLOW}`);
    const here = JSON.stringify(body).replaceAll('http://127.0.0.1:4010/v1', fixture.model.url);
    expect((await client.admin('PUT', `flows/${FLOW}`, JSON.parse(here))).status).toBe(200);
  });

  const page = () => site.with({ chatflowid: FLOW, apiHost: fixture.service.url, key: KEY });

  it('continues its chat: same id, same key, same earlier messages', async () => {
    const widget = await Widget.on(page(), fixture, { host: 'inspect.example.com', kept: storage });
    await widget.answered('Answer 1');
    await widget.say('And what did I ask first?');
    await widget.answered('Hello there');
    await widget.idle();
    const { messages } = fixture.model.requests.at(-1)!.body;
    expect(messages[1]).toEqual({ role: 'user', content: FIRST });
    expect(messages.at(-1)).toEqual({ role: 'user', content: 'And what did I ask first?' });
    const path = `/api/v1/chatmessage/${FLOW}?chatId=${encodeURIComponent(CHAT)}`;
    const { data } = (await client.send('GET', path, undefined, { authorization: `Bearer ${KEY}` })).body;
    expect(data.length).toBe(14);
    expect(widget.faults).toEqual([]);
    await widget.context.close();
  });

  it('is refused on other pages, as before', async () => {
    const widget = await Widget.on(page(), fixture, { host: 'elsewhere.example' });
    await widget.say('Hello');
    await widget.answered('This flow may not be called from this site.');
    await widget.context.close();
  });
});
