import { holds, PHONE } from './support/browser.js';
import { ATTACHMENTS, inspection, storedNames, pictures, recordedNames } from './support/chat-inspection.js';
import { chatFixture, type ChatPage } from './support/chat-page.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser, restartService } from './support/page-fixture.js';

const NAMES = ['one.jpg', 'two.jpg', 'three.jpg'];

/** Records how many photographs are shown as stored whenever one is read or sent. */
const WATCH = `{
  globalThis.savedWhen = [];
  const note = (what) => savedWhen.push([what, document.querySelectorAll('.tray .saved').length]);
  const [send, draw] = [XMLHttpRequest.prototype.send, globalThis.createImageBitmap];
  XMLHttpRequest.prototype.send = function (body) { note('sent'); return send.call(this, body); };
  globalThis.createImageBitmap = (...given) => { note('drawn'); return draw(...given); };
}`;

const FORBIDDEN = `Object.defineProperty(globalThis, 'indexedDB', {
  value: { open() { throw new DOMException('Not here.', 'SecurityError'); } },
});`;

/** Over https the browser has locks, and refuses them too where site data is blocked. */
const BLOCKED = `${FORBIDDEN}
LockManager.prototype.request = () => Promise.reject(new DOMException('Not here.', 'SecurityError'));`;

/** A device that refuses to open its database until the test lets it answer. */
const ANSWERS_LATE = `{
  const open = IDBFactory.prototype.open;
  globalThis.firstRead = new Promise((read) => {
    IDBFactory.prototype.open = function (...given) {
      if (globalThis.deviceAnswers) return open.apply(this, given);
      setTimeout(read, 100);
      throw new DOMException('Not yet.', 'UnknownError');
    };
  });
}`;
const FULL = `IDBObjectStore.prototype.put = () => { throw new DOMException('No room.', 'QuotaExceededError'); };`;

describeInBrowser('photographs stored on the device', () => {
  const fixture = chatFixture();
  const { client } = fixture;
  let chat: ChatPage;
  let flow: string;

  beforeAll(async () => {
    flow = await client.flow(inspection());
  });

  const visit = async (script?: string) => {
    chat = await fixture.visit(PHONE);
    if (script !== undefined) await chat.context.addInitScript({ content: script });
    await chat.open(flow, fixture.network.url);
    await chat.field().waitFor();
  };

  const add = (...names: string[]) => chat.picker().setInputFiles(pictures(...names));
  const holdUploads = () => chat.context.route(ATTACHMENTS, () => undefined);
  const letUploadsGo = () => chat.context.unroute(ATTACHMENTS);
  const storedCount = (count: number) =>
    holds(chat.page, `document.querySelectorAll('.tray .saved').length === ${count}`);
  const answered = (words: string) => chat.lastAnswer().getByText(words).waitFor();

  it('are stored before any of them is read or sent', async () => {
    await visit(WATCH);
    await add(...NAMES);
    await chat.ready('3 photos');
    await chat.page.locator('.tray img').nth(2).waitFor();
    const seen = await chat.page.evaluate<[string, number][]>('savedWhen');
    expect(seen.map(([what]) => what).sort()).toEqual(['drawn', 'drawn', 'drawn', 'sent', 'sent', 'sent']);
    expect(seen.map(([, count]) => count)).toEqual([3, 3, 3, 3, 3, 3]);
  });

  it('are sent after a reload, and are deleted from the device when their message is answered', async () => {
    await visit();
    await holdUploads();
    await add(...NAMES);
    await storedCount(3);
    await chat.page.reload();
    await storedCount(3);
    expect(await storedNames(chat)).toEqual(NAMES);
    await letUploadsGo();
    await chat.page.reload();
    await chat.ready('3 photos');
    const storedFiles = `new Promise((done) => {
      indexedDB.open('chat-photographs').onsuccess = ({ target: { result } }) =>
        (result.transaction('files').objectStore('files').count().onsuccess = ({ target }) => done(target.result));
    })`;
    await expectSoon(() => chat.page.evaluate(storedFiles)).toBe(3);
    await chat.say('late');
    await answered('3 recorded, 0 rejected, 3 pending: late');
    await chat.idle();
    expect(await recordedNames(chat, client)).toEqual([...NAMES].sort());
    await expectSoon(() => chat.page.evaluate(storedFiles)).toBe(0);
  });

  it('resume by themselves when the service is back after a restart', async () => {
    await visit();
    await add('first.jpg');
    await chat.ready('1 photo');
    fixture.network.cut();
    await add(...NAMES);
    await chat.trouble('The connection was lost.').waitFor();
    await restartService(fixture);
    await chat.ready('4 photos');
    await chat.say('back');
    await answered('4 recorded, 0 rejected, 4 pending: back');
  });

  it('stand beside the next message if their own was refused permanently', async () => {
    await visit();
    await add(...NAMES);
    await chat.ready('3 photos');
    await client.admin('PUT', `flows/${flow}`, inspection({ access: { public: false } }));
    await chat.say('refused');
    await chat.trouble('The owner has closed this chat to visitors.').waitFor();
    await chat.ready('3 photos');
    await client.admin('PUT', `flows/${flow}`, inspection());
    await chat.say('again');
    await answered('3 recorded, 0 rejected, 3 pending: again');
    await expectSoon(() => chat.page.locator('.tray').count()).toBe(0);
  });

  it('are attached again if they waited longer than the service retains them, and recorded once', async () => {
    await visit();
    await add(...NAMES);
    await chat.ready('3 photos');
    fixture.service.clock.advance(25 * 3_600_000);
    await chat.say('too late');
    await chat.trouble('These photos waited too long to be sent.').waitFor();
    await chat.ready('3 photos');
    await chat.say('now');
    await answered('3 recorded, 0 rejected, 3 pending: now');
  });

  it('are named if they cannot be restored', async () => {
    await visit();
    await holdUploads();
    await add('gone.jpg', 'lost.jpg');
    await storedCount(2);
    await chat.page.evaluate(`new Promise((done) => {
      indexedDB.deleteDatabase('chat-photographs').onsuccess = done;
    })`);
    await chat.page.reload();
    await chat.trouble('Could not be restored: gone.jpg, lost.jpg. Add them again.').waitFor();
    await chat.page.reload();
    await chat.trouble('Could not be restored: gone.jpg, lost.jpg. Add them again.').waitFor();
    await chat.button('Dismiss').click();
    await expectSoon(() => chat.page.locator('.tray').count()).toBe(0);
  });

  it.each([
    ['forbids it', FORBIDDEN, 'This browser does not save photos here'],
    ['blocks site data', BLOCKED, 'This browser does not save photos here'],
    ['has no room', FULL, 'This device is out of storage'],
  ])('are sent even if the browser %s, and the page reports that', async (_, script, words) => {
    await visit(script);
    await add(...NAMES);
    await chat.trouble(words).waitFor();
    await chat.ready('3 photos');
    expect(await storedNames(chat)).toEqual([]);
    await chat.say('unkept');
    await answered('3 recorded, 0 rejected, 3 pending: unkept');
  });

  it('appear when the person comes back if the device did not answer at first', async () => {
    await visit();
    await holdUploads();
    await add('sent.jpg');
    await storedCount(1);
    await chat.say('Kitchen');
    await chat.page.locator('.is-waiting').waitFor();
    await add('chosen.jpg');
    await storedCount(1);
    await chat.context.addInitScript({ content: ANSWERS_LATE });
    await chat.page.reload();
    await chat.field().waitFor();
    await chat.page.evaluate('firstRead');
    await expectSoon(() => chat.page.locator('.is-waiting, .tray li').count()).toBe(0);
    await chat.page.evaluate(`deviceAnswers = true, dispatchEvent(new Event('focus'))`);
    await chat.page.locator('.is-waiting').getByText('Kitchen').waitFor();
    await chat.page.locator('.tray li').waitFor();
  });

  it('stay in their chat while another one is open', async () => {
    await visit();
    await holdUploads();
    await add(...NAMES);
    await storedCount(3);
    await chat.restart();
    await chat.page.reload();
    await chat.page.getByRole('button', { name: /3 photos, 3 not sent yet/ }).waitFor();
    await expectSoon(() => chat.page.locator('.tray').count()).toBe(0);
    await letUploadsGo();
    await chat.page.getByRole('button', { name: /3 photos, 3 not sent yet/ }).click();
    await chat.ready('3 photos');
    await chat.say('back');
    await answered('3 recorded, 0 rejected, 3 pending: back');
  });

  it.each([
    ['Web Locks', ''],
    ['leases', 'delete Navigator.prototype.locks;'],
  ])('in two tabs are sent once, by %s', async (_, script) => {
    await visit(script);
    const sent: string[] = [];
    chat.context.on('request', (request) => {
      if (request.url().includes('/attachments/')) sent.push(request.url());
    });
    const other = await chat.context.newPage();
    await other.goto(chat.page.url());
    await add(...NAMES);
    await other.getByText(/^3 photos ready/).waitFor();
    await chat.ready('3 photos');
    await other.getByRole('textbox', { name: 'Message' }).fill('other');
    await chat.field().fill('one');
    await Promise.all([
      chat.button('Send').click(),
      other.getByRole('button', { name: 'Send', exact: true }).click(),
    ]);
    await chat.idle();
    await holds(other, `document.querySelectorAll('.of-flow').length === 2`);
    expect(sent).toHaveLength(3);
    expect(await recordedNames(chat, client)).toEqual([...NAMES].sort());
    await expectSoon(() => other.locator('.tray').count()).toBe(0);
  });
});
