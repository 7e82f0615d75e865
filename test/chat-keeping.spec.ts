import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holds, PHONE } from './support/browser.js';
import { ATTACHMENTS, inspection, storedNames } from './support/chat-inspection.js';
import { chatFixture, type ChatPage } from './support/chat-page.js';
import { describeInBrowser } from './support/page-fixture.js';
import { samplePhotograph } from './support/sample-photographs.js';

const MEGABYTE = 1024 * 1024;

/** Notes when files are chosen, when each count of stored photographs is shown, and transactions that write bytes. */
const WATCH = `addEventListener('DOMContentLoaded', () => {
  globalThis.keeping = { shown: [], transactions: 0, words: [] };
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (stores, mode, options) {
    if (mode === 'readwrite' && [stores].flat().includes('files')) keeping.transactions += 1;
    return transaction.call(this, stores, mode, options);
  };
  document.addEventListener('change', () => (keeping.from ??= performance.now()), true);
  new MutationObserver(() => {
    const count = document.querySelectorAll('.tray .saved').length;
    if (count > (keeping.shown.at(-1)?.[0] ?? 0)) keeping.shown.push([count, performance.now() - keeping.from]);
    const words = document.querySelector('.keeping-note')?.textContent;
    if (words && words !== keeping.words.at(-1)) keeping.words.push(words);
  }).observe(document, { childList: true, subtree: true, characterData: true });
});`;

interface Keeping {
  /** Counts of photographs shown as stored, with the milliseconds since they were chosen. */
  shown: [count: number, ms: number][];
  transactions: number;
  words: string[];
}

describeInBrowser('choosing many photographs', () => {
  const fixture = chatFixture();
  let chat: ChatPage;
  let flow: string;
  let folder: string;

  beforeAll(async () => {
    flow = await fixture.client.flow(
      inspection({
        chat: {
          uploads: {
            isImageUploadAllowed: true,
            imgUploadSizeAndTypes: [{ fileTypes: ['image/jpeg'], maxUploadSize: 25 }],
          },
        },
      }),
    );
    folder = mkdtempSync(join(tmpdir(), 'chosen-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes readable photographs of 4 MB, as a phone takes them, and returns their paths. */
  const photographs = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const path = join(folder, `${index}.jpg`);
      writeFileSync(
        path,
        Buffer.concat([readFileSync(samplePhotograph('keys')), Buffer.alloc(4 * MEGABYTE, index)]),
      );
      return path;
    });

  it.each([1, 4])(
    'stores twelve in few transactions and says how far it is, on a CPU %d times slower',
    async (rate) => {
      chat = await fixture.visit(PHONE);
      await chat.context.addInitScript({ content: WATCH });
      await chat.context.route(ATTACHMENTS, () => undefined);
      await chat.open(flow, fixture.service.url);
      await chat.field().waitFor();
      const session = await chat.context.newCDPSession(chat.page);
      await session.send('Emulation.setCPUThrottlingRate', { rate });
      await chat.picker().setInputFiles(photographs(12));
      await holds(chat.page, `document.querySelectorAll('.tray .saved').length === 12`);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      const { shown, transactions, words } = await chat.page.evaluate<Keeping>('keeping');
      expect(await storedNames(chat)).toHaveLength(12);
      expect(transactions).toBeLessThanOrEqual(5);
      expect(shown.at(-1)![0]).toBe(12);
      expect(words[0]).toBe('Saving 0 of 12. Stay on this page.');
    },
  );
});
