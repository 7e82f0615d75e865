import { slowPdf } from './support/document-files.js';
import { eventually } from './support/eventually.js';
import { Hold } from './support/fake-model.js';
import { DocumentFixture, type FilledStore, manual } from './support/filled-store.js';

/**
 * Until a document of 2 s of CPU time has been tried in the quick lane and another after it. On a machine that gives a
 * low-priority process next to nothing, that lane waits for each until 20 s have passed.
 */
const BOTH_TRIED_MS = 2 * 20_000 + 30_000;

describe('documents that take long (contract section 9)', () => {
  const fixture = new DocumentFixture();
  const ended = async (store: FilledStore) =>
    (await store.documents())
      .filter(({ status }) => status === 'ready' || status === 'failed')
      .map(({ name }) => name)
      .sort();

  it('delay no other store while their model is silent', async () => {
    const [silent, other] = [await fixture.makeStore(), await fixture.makeStore()];
    const held = new Hold();
    fixture.model.otherwise = ({ texts }) => (texts[0]!.includes('silent') ? { held } : {});
    const first = [];
    for (let count = 0; count < 5; count++) first.push(await silent.add(manual(2, 'silent meter')));
    const later = await other.add(manual(2));
    await other.becomes(later, 'ready');
    expect(await ended(silent)).toEqual([]);
    held.letGo();
    await eventually(async () => (await ended(silent)).length === first.length);
    expect((await silent.documents()).map(({ status }) => status)).toEqual(first.map(() => 'ready'));
  });

  it('delay no other document of their store while they are read', async () => {
    const store = await fixture.makeStore();
    const slow = await store.addFiles({ 'slow-1.pdf': slowPdf(), 'slow-2.pdf': slowPdf() });
    const statuses = async () => (await store.documents()).map(({ status }) => status).sort();
    // Both have been tried: one of them waits while the other is read on.
    await eventually(async () => (await statuses()).every((status) => status === 'running'));
    await eventually(async () => (await statuses()).join() === 'pending,running', BOTH_TRIED_MS);
    const short = await store.addFiles({ 'a.txt': Buffer.from('One.'), 'b.txt': Buffer.from('Two.') });
    for (const id of Object.values(short)) await store.becomes(id, 'ready');
    expect(await ended(store)).toEqual(['a.txt', 'b.txt']);
    for (const id of Object.values(slow)) expect((await store.remove(id)).status).toBe(204);
  });
});
