import { readFileSync } from 'node:fs';
import { expectAccessible } from './support/accessibility.js';
import { DESK, holds, PHONE } from './support/browser.js';
import { inspection } from './support/chat-inspection.js';
import { chatFixture, type ChatPage, pictureFile, published } from './support/chat-page.js';
import { expectSoon } from './support/expect-soon.js';
import { echoFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';
import { samplePhotograph } from './support/sample-photographs.js';

const MEGABYTE = 1024 * 1024;

/** Keeps the photographs on the device busy until `free` is set, as a slow disk does for a moment. */
const BUSY = `new Promise((begun) => {
  indexedDB.open('chat-photographs').onsuccess = ({ target: { result } }) => {
    const photographs = result.transaction('photographs', 'readwrite').objectStore('photographs');
    const hold = () => {
      photographs.count().onsuccess = () => (globalThis.free ? result.close() : hold());
      begun();
    };
    hold();
  };
})`;

describeInBrowser('photographs on the chat page', () => {
  const fixture = chatFixture({ env: { MAX_PHOTO_MB: '1' } });
  const { client } = fixture;
  let chat: ChatPage;
  let flow: string;

  beforeAll(async () => {
    flow = await client.flow(inspection());
  });

  beforeEach(() => visit(DESK));

  async function visit(device: object): Promise<void> {
    chat = await fixture.visit(device);
    await chat.open(flow, fixture.service.url);
    await chat.field().waitFor();
  }

  const add = (...names: string[]) => chat.picker().setInputFiles(names.map(samplePhotograph));
  const ready = (words: string) => chat.ready(words);
  const attachments = '**/api/v1/attachments/**';
  const breakUploads = () => chat.page.route(attachments, (route) => route.abort('connectionreset'));
  const mendUploads = () => chat.page.unroute(attachments);

  it('are uploaded one by one as soon as they are added, each with its progress', async () => {
    const session = await chat.context.newCDPSession(chat.page);
    const speed = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20_000 };
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', speed);
    await add('kitchen-1', 'hallway', 'keys');
    await holds(
      chat.page,
      `[...document.querySelectorAll('[role=progressbar]')].some((ring) => Number(ring.ariaValueNow) > 0 && Number(ring.ariaValueNow) < 100)`,
    );
    await expectSoon(() => chat.page.getByRole('progressbar').count()).toBe(3);
    await expectAccessible(chat.page);
    await session.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: -1 });
    await ready('3 photos');
    await expectSoon(() => chat.page.getByRole('progressbar').count()).toBe(0);
    await chat.say('as found');
    await chat.lastAnswer().getByText('3 recorded, 0 rejected, 3 pending: as found').waitFor();
  });

  it('are retried alone after a failed upload, and hold their message back meanwhile', async () => {
    await add('kitchen-1');
    await ready('1 photo');
    await breakUploads();
    await add('hallway');
    await chat.page.getByText('1 photo not sent. The connection was lost.').waitFor();
    await expectAccessible(chat.page);
    const sent = chat.predictions();
    await chat.field().fill('both');
    await chat.button('Send').click();
    const waiting = chat.page.getByRole('article', { name: 'Your message, not sent yet' });
    await waiting.getByText('Waiting for the network').waitFor();
    await expectSoon(() => chat.field().inputValue()).toBe('');
    expect(sent).toHaveLength(0);
    await mendUploads();
    await chat.lastAnswer().getByText('2 recorded, 0 rejected, 2 pending: both').waitFor();
  });

  it('may still be uploading when the message is sent: it leaves with the last of them', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await chat.page.route(attachments, async (route) => {
      await held;
      await route.continue();
    });
    await add('kitchen-1');
    await chat.say('waits');
    await chat.page.getByText('Uploading: 0 of 1 photo').waitFor();
    await chat.page.evaluate(BUSY);
    await chat.button('Edit').click();
    // Nothing can be sent until the photograph is back.
    await expectSoon(() => chat.field().isEditable()).toBe(false);
    await chat.page.evaluate('free = true');
    await chat.say('goes');
    await chat.page.getByText('Uploading: 0 of 1 photo').waitFor();
    release();
    await chat.lastAnswer().getByText('1 recorded, 0 rejected, 1 pending: goes').waitFor();
  });

  it('are uploaded by themselves once there is a connection', async () => {
    await chat.goOffline();
    await add('kitchen-1');
    await chat.trouble('The connection was lost.').waitFor();
    await chat.context.setOffline(false);
    await ready('1 photo');
  });

  it('are dropped or pasted anywhere on the page', async () => {
    await chat.drag('dragenter', { 'a.jpg': 'image/jpeg' });
    await chat.page.getByText('Drop photos to add them').waitFor();
    await expectAccessible(chat.page);
    await chat.drag('dragleave', { 'a.jpg': 'image/jpeg' });
    await chat.page.getByText('Drop photos to add them').waitFor({ state: 'detached' });
    await chat.drag('dragenter', { 'a.jpg': 'image/jpeg' });
    await chat.drag('drop', { 'a.jpg': 'image/jpeg', 'b.txt': 'text/plain' });
    await ready('1 photo');
    await expectSoon(() => chat.page.getByText('Drop photos to add them').count()).toBe(0);
    await chat.page.getByText('Not added: b.txt. Only photos can be sent.').waitFor();
    const paste = (words: string) =>
      chat.page.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File(['x'], 'pasted.png', { type: 'image/png' }));
        for (const type of ${words === '' ? '[]' : `['text/plain', 'text/rtf']`})
          clipboardData.items.add('${words}', type);
        document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData }));
      }`);
    // A spreadsheet adds a picture to the text of the cells that were copied.
    await paste('14 Acacia Avenue');
    await paste('');
    await ready('2 photos');
  });

  it('never replace a chat that accepts none', async () => {
    await chat.open(await client.flow(echoFlow(published)), fixture.service.url);
    await chat.field().waitFor();
    await chat.drag('dragenter', { 'a.jpg': 'image/jpeg' });
    await chat.page.getByText('This chat does not accept photos').waitFor();
    await chat.drag('drop', { 'a.jpg': 'image/jpeg' });
    await expectSoon(() => chat.page.evaluate('taken')).toBe(true);
    await chat.page.getByRole('alert').getByText('This chat does not accept photos.').waitFor();
    await expectSoon(() => chat.button('Add photos').count()).toBe(0);
  });

  it('come from the camera of a device that has one', async () => {
    await expectSoon(() => chat.button('Take a photo').count()).toBe(0);
    await visit(PHONE);
    const chooser = chat.page.waitForEvent('filechooser');
    await chat.button('Take a photo').click();
    const element = (await chooser).element();
    await expectSoon(() => element.getAttribute('capture')).toBe('environment');
    await (await chooser).setFiles(pictureFile('image.jpg', 10));
    await ready('1 photo');
  });

  it('appear by type and with their name as text if the browser cannot read them', async () => {
    const name = '<img src=x onerror=alert(1)> & "IMG".HEIC';
    await chat.picker().setInputFiles(pictureFile(name, 500, 'image/heic'));
    await ready('1 photo');
    await chat.page.locator('.tray').getByText('HEIC', { exact: true }).waitFor();
    await chat.page.getByRole('button', { name: `Remove photo 1, ${name}` }).waitFor();
    await chat.say('It');
    await chat.lastAnswer().getByText('0 recorded, 1 rejected').waitFor();
    await expectSoon(() =>
      chat.page.locator('.sent-photographs').getByText('HEIC', { exact: true }).count(),
    ).toBe(1);
  });

  it('are left out if they are too large, too many, empty or no pictures', async () => {
    const large = pictureFile('large.jpg', 2 * MEGABYTE + 1);
    const drawing = pictureFile('drawing.svg', 10, 'image/svg+xml');
    await chat.picker().setInputFiles([large, drawing, pictureFile('empty.jpg', 0)]);
    const refused = chat.page.getByRole('list', { name: 'Files that were not added' });
    const rows = () => refused.getByRole('listitem').allTextContents();
    const three = [
      'Not added: large.jpg. Photos can be up to 2 MB. Take it again in a smaller size, or choose another one.',
      'Not added: drawing.svg. Only photos can be sent. Choose a photo, or convert the file to JPEG.',
      'Not added: empty.jpg. The file is empty. Choose another one, or take the photo again.',
    ];
    await refused.waitFor();
    await expectSoon(() => rows()).toEqual(three);
    await expectAccessible(chat.page);
    await chat.page.reload();
    await refused.waitFor();
    await expectSoon(() => rows()).toEqual(three);
    await chat.picker().setInputFiles(pictureFile('empty.jpg', 10));
    await ready('1 photo');
    await expectSoon(() => rows()).toEqual(three.slice(0, 2));
    await chat.button('Remove photo 1, empty.jpg').click();
    await chat.button('Dismiss').click();
    await chat.page.reload();
    await chat.field().waitFor();
    await expectSoon(() => refused.count()).toBe(0);
    const many = Array.from({ length: 51 }, (_, index) => pictureFile(`${index}.jpg`, 1));
    await chat.picker().setInputFiles(many);
    await ready('50 photos');
    await chat.page
      .getByText('Not added: 50.jpg. A message can have up to 50 photos. Send these first')
      .waitFor();
    await chat.button('Remove all').click();
    await expectSoon(() => chat.page.locator('.tray').count()).toBe(0);
  });

  it('that the service refuses are marked, and hold their message back until they are removed', async () => {
    await chat.picker().setInputFiles([pictureFile('large.jpg', MEGABYTE + 1), pictureFile('small.jpg', 10)]);
    const reason =
      'large.jpg: The service does not accept a photo this large. Take it again in a smaller size';
    await chat.trouble(reason).waitFor();
    await expectSoon(() => chat.button('Send photo 1, large.jpg again').count()).toBe(0);
    await chat.page.reload();
    await chat.trouble(reason).waitFor();
    await chat.page.locator('.tray li.failed[title="large.jpg"]').waitFor();
    await chat.field().fill('without');
    await chat.button('Send').click();
    await chat.page.getByText('Remove it to send your message.').waitFor();
    await chat.button('Remove photo 1, large.jpg').click();
    await chat.button('Send').click();
    await chat.lastAnswer().getByText(': without').waitFor();
  });

  it('that the service cannot use are marked in their message and named, also after a reload', async () => {
    const damaged = pictureFile('damaged.heic', 500, 'image/heic');
    await chat.picker().setInputFiles([samplePhotograph('keys')]);
    await ready('1 photo');
    await chat.picker().setInputFiles([damaged]);
    await ready('2 photos');
    await chat.say('both');
    await chat.lastAnswer().getByText('1 recorded, 1 rejected').waitFor();
    const named = chat.page.getByText(
      'Not recorded: damaged.heic. The service could not use this file. Take the photo again, choose another one, or convert it to JPEG.',
    );
    const marks = chat.page.locator('.sent-photograph.refused');
    for (const reload of [false, true]) {
      if (reload) await chat.page.reload();
      await named.waitFor();
      await expectSoon(() => marks.count()).toBe(1);
      await marks.getByText('Not recorded', { exact: true }).waitFor();
    }
    await chat.page.locator('.sent-photographs').getByText('Kitchen', { exact: true }).waitFor();
    await expectAccessible(chat.page);
  });

  it('survive a reload, before and after they are sent', async () => {
    await add('kitchen-1', 'hallway');
    await ready('2 photos');
    await chat.page.locator('.tray img').nth(1).waitFor();
    await chat.page.reload();
    await ready('2 photos');
    await expectSoon(() => chat.page.locator('.tray img').count()).toBe(2);
    await chat.button('Send').click();
    await chat.lastAnswer().getByText('2 recorded').waitFor();
    await chat.idle();
    await chat.page.reload();
    await chat.page.getByRole('group', { name: '2 photos' }).waitFor();
    await expectSoon(() => chat.page.locator('.sent-photographs img').count()).toBe(2);
  });

  it('are recorded once, although their message is retried after a failed run', async () => {
    const refuses = { id: 'http', kind: 'http', config: { method: 'GET', url: 'https://127.0.0.1:1/' } };
    const { nodes, edges } = inspection();
    const definition = inspection({
      nodes: [...nodes, refuses],
      edges: [...edges, { from: 'reply', to: 'http' }],
    });
    const id = await client.flow(definition);
    await chat.open(id, fixture.service.url);
    await add('kitchen-1', 'hallway');
    await ready('2 photos');
    await chat.say('once');
    await chat.trouble('Something went wrong').waitFor();
    await client.admin('PUT', `flows/${id}`, inspection());
    await chat.button('Try again').click();
    await chat.lastAnswer().getByText('0 recorded, 0 rejected, 2 pending: once').waitFor();
  });

  it('wait for the key of a keyed flow when it is requested again', async () => {
    const keys = await Promise.all(['one', 'two'].map((name) => client.admin('POST', 'api-keys', { name })));
    const [old, renewed] = keys.map(({ body }) => body as { id: string; key: string });
    const access = (apiKeyId: string) => inspection({ access: { public: true, apiKeyId } });
    const id = await client.flow(access(old!.id));
    const give = async (key: string) => {
      await chat.page.getByLabel('Key', { exact: true }).fill(key);
      await chat.button('Open the chat').click();
    };
    await chat.open(id, fixture.service.url);
    await give(old!.key);
    await add('kitchen-1');
    await ready('1 photo');
    await chat.field().fill('both');
    await client.admin('PUT', `flows/${id}`, access(renewed!.id));
    await add('hallway');
    await give(renewed!.key);
    await ready('2 photos');
    await expectSoon(() => chat.field().inputValue()).toBe('both');
    await chat.button('Send').click();
    await chat.lastAnswer().getByText('2 recorded').waitFor();
  });

  it('of many megapixels are shown small and sent whole', async () => {
    await chat.page.evaluate(`(async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 6000, height: 4500 });
      const paper = canvas.getContext('2d');
      paper.fillStyle = '#468';
      paper.fillRect(0, 0, 6000, 4500);
      const blob = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.5));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([blob], 'large.jpg', { type: 'image/jpeg' }));
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
    })()`);
    await ready('1 photo');
    await chat.page.locator('.tray img').waitFor();
    const shown = await chat.page.evaluate<number>(`document.querySelector('.tray img').naturalWidth`);
    expect(shown).toBeLessThan(400);
    await chat.say('large');
    await chat.lastAnswer().getByText('1 recorded').waitFor();
  });

  it('are uploaded byte for byte', async () => {
    await add('keys');
    await ready('1 photo');
    await chat.say('same');
    await chat.lastAnswer().getByText('1 recorded').waitFor();
    const { body } = await client.admin('GET', `executions?flowId=${flow}&limit=1`);
    const execution = await client.ended(body.data[0].id as string);
    const capture = execution.nodes.find(({ kind }: { kind: string }) => kind === 'capture');
    expect(JSON.stringify(capture.output)).toContain(
      `"bytes":${readFileSync(samplePhotograph('keys')).length}`,
    );
  });
});
