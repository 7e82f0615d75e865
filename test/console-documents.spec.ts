import { expectAccessible } from './support/accessibility.js';
import { PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { type FakeEmbeddings, startFakeEmbeddings } from './support/fake-embeddings.js';
import { Hold } from './support/fake-model.js';
import { holdRequests } from './support/hold-requests.js';
import { describeInBrowser } from './support/page-fixture.js';

const HOSTILE = '<img src=x onerror="document.title=1"> \u202Ereversed';

describeInBrowser('documents in the console', () => {
  const { client, open, page, row, dialog, press, heading, refuseKeyOnce, giveKey } = consoleFixture();
  let embeddings: FakeEmbeddings;
  beforeAll(async () => {
    embeddings = await startFakeEmbeddings();
  });
  afterAll(() => embeddings.close());
  beforeEach(() => {
    embeddings.answers = [];
    embeddings.otherwise = {};
  });

  const question = (name: string) => page().getByRole('alertdialog', { name, exact: true });
  const makeStore = async (name: string): Promise<string> => {
    const embedding = { provider: 'openai-compatible', name: 'embedder', baseUrl: embeddings.url };
    return (await client.admin('POST', 'document-stores', { name, embedding })).body.id as string;
  };
  const addText = (store: string, name: string, text: string) =>
    client.admin('POST', `document-stores/${store}/documents`, { name, text });
  const choose = (...files: [name: string, text: string][]) =>
    page()
      .locator('input[type=file]')
      .setInputFiles(files.map(([name, text]) => ({ name, mimeType: '', buffer: Buffer.from(text) })));

  it('begin with a new store, with faults under their fields', async () => {
    await open('/console/documents');
    await page().getByRole('heading', { name: 'No document store yet' }).waitFor();
    await expectAccessible(page());
    await press('New store');
    const form = dialog('New document store');
    await form.getByRole('button', { name: 'Create the store' }).click();
    await form.getByText('Enter a name.').waitFor();
    await form.getByText('Enter the name of the embedding model.').waitFor();
    await form.getByLabel('Name', { exact: true }).fill(HOSTILE);
    await form.getByLabel('Model', { exact: true }).fill('embedder');
    await form.getByRole('button', { name: /Provider/ }).click();
    await page().getByRole('option', { name: 'Another, by OpenAI’s protocol' }).click();
    await form.getByRole('button', { name: 'Create the store' }).click();
    await form.getByText('Required.').waitFor();
    await form.getByLabel('Address').fill(embeddings.url);
    await form.getByLabel('Overlap').fill('900');
    await form.getByRole('button', { name: 'Create the store' }).click();
    await form.getByText('must be at most half of size').first().waitFor();
    await expectAccessible(page());
    await form.getByLabel('Overlap').fill('50');
    await refuseKeyOnce('**/api/v1/document-stores');
    await form.getByRole('button', { name: 'Create the store' }).click();
    await giveKey();
    await heading(HOSTILE).waitFor();
    await page().getByRole('heading', { name: 'No document yet' }).waitFor();
    const [store] = (await client.admin('GET', 'document-stores')).body.data;
    expect(store).toMatchObject({ name: HOSTILE, chunk: { size: 1000, overlap: 50 } });
    await page().getByText(store.id).waitFor();

    await press('Delete');
    await question('Delete the store?').getByRole('button', { name: 'Delete' }).click();
    await page().getByRole('heading', { name: 'No document store yet' }).waitFor();
  });

  it('are added by file chooser, followed until they are ready, and fail individually', async () => {
    const store = await makeStore('Manuals');
    const held = new Hold();
    embeddings.otherwise = { held };
    await open(`/console/documents/${store}`, { browser: PHONE });
    await page().getByRole('heading', { name: 'No document yet' }).waitFor();
    await choose(
      ['boiler.md', 'The boiler stands in the cellar.'],
      ['photo.pdf', '\u0089PNG\r\n\u001a\n\0\0\0'],
    );
    await row('boiler.md').getByText('Embedding').waitFor();
    await expectAccessible(page());
    held.letGo();
    await row('boiler.md').getByText('Ready', { exact: true }).waitFor();
    await row('photo.pdf').getByText('Failed', { exact: true }).waitFor();
    await row('photo.pdf').getByText('It is not text.').waitFor();
    await page().getByText('2 documents, 1 failed').waitFor();
    await expectAccessible(page());

    await press('Delete photo.pdf');
    await question('Delete the document?').getByRole('button', { name: 'Delete' }).click();
    await row('photo.pdf').waitFor({ state: 'detached' });
    await page().getByText('1 document', { exact: true }).waitFor();
  });

  it('are dropped onto the page; a refusal is shown and affects no other', async () => {
    const store = await makeStore('Manuals');
    await open(`/console/documents/${store}`);
    await page().getByRole('heading', { name: 'No document yet' }).waitFor();
    const files = await page().evaluateHandle(`(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([''], 'empty.txt'));
      dropped.items.add(new File(['The stopcock is under the sink.'], 'stopcock.txt'));
      return dropped;
    })()`);
    await page().getByText('or drop them here').dispatchEvent('drop', { dataTransfer: files });
    await row('stopcock.txt').getByText('Ready', { exact: true }).waitFor();
    await page().getByRole('alert').getByText('has no bytes').waitFor();
    await press('Dismiss');

    await page().getByLabel('Address of a web page or file').fill('manuals');
    await press('Fetch');
    await page().getByText('Enter an address that starts with https:// or http://.').waitFor();
    await page().getByLabel('Address of a web page or file').fill('http://127.0.0.1:9/boiler.html');
    await page().keyboard.press('Enter');
    await row('boiler.html').getByText('The address is not public.').waitFor();
    await expectSoon(() => page().getByLabel('Address of a web page or file').inputValue()).toBe('');
    await expectAccessible(page());
  });

  it('beside the frame do not replace the console', async () => {
    const store = await makeStore('Manuals');
    await open(`/console/documents/${store}`);
    await heading('Manuals').waitFor();
    for (const event of ['dragover', 'drop'])
      expect(
        await page().evaluate(`(() => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(['Beside.'], 'beside.txt'));
          const init = { bubbles: true, cancelable: true, dataTransfer };
          return document.querySelector('h1').dispatchEvent(new DragEvent('${event}', init));
        })()`),
      ).toBe(false);
    await page().getByText('or drop them here').waitFor();
  });

  it('wait for each other, which closing the page would end: the browser asks', async () => {
    const store = await makeStore('Manuals');
    await open(`/console/documents/${store}`);
    await page().getByRole('heading', { name: 'No document yet' }).waitFor();
    const isGuarded = () =>
      page().evaluate(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`);
    const release = await holdRequests(page(), '**/documents', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await choose(['one.md', 'One.'], ['two.md', 'Two.']);
    await page()
      .getByText(/^Sending one.md, 1 more file after it/)
      .waitFor();
    expect(await isGuarded()).toBe(true);
    release();
    await page().getByRole('alert').getByText('It may have been added').first().waitFor();
    await expectSoon(isGuarded).toBe(false);
  });

  it('are found by a query, the nearest first', async () => {
    const store = await makeStore('Manuals');
    await open(`/console/documents/${store}`);
    await page().getByRole('textbox', { name: 'Query' }).fill('where is the boiler');
    await press('Search');
    await page().getByText('Nothing found').waitFor();
    await addText(store, 'boiler.md', 'The boiler is where the cellar is.');
    await addText(store, 'fees.md', HOSTILE);
    const documents = async () => (await client.admin('GET', `document-stores/${store}/documents`)).body.data;
    await eventually(async () =>
      (await documents()).every(({ status }: { status: string }) => status === 'ready'),
    );
    await press('Search');
    await page().getByText('2 chunks, nearest first').waitFor();
    const texts = await page()
      .getByRole('listitem')
      .filter({ has: page().getByRole('meter') })
      .allInnerTexts();
    expect(texts[0]).toContain('The boiler is where the cellar is.');
    expect(texts[1]).toContain('<img src=x');
    await expectAccessible(page());
    embeddings.otherwise = { error: { status: 401, message: 'no such key' } };
    await press('Search');
    await page().getByRole('alert').getByText('no such key').waitFor();
  });

  it('are embedded again with other settings, which is announced before', async () => {
    const store = await makeStore('Manuals');
    await addText(store, 'boiler.md', 'The boiler stands in the cellar.');
    await open(`/console/documents/${store}`);
    await row('boiler.md').getByText('Ready', { exact: true }).waitFor();
    await press('Edit');
    const form = dialog('Edit the store');
    await form.getByLabel('Chunk size').fill('500');
    await form.getByText('1 document will be embedded again').waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await page().getByText('chunks of 500 characters').waitFor();
    await row('boiler.md').getByText('Ready', { exact: true }).waitFor();
  });

  it('show faults, and that a store is gone', async () => {
    const store = await makeStore('Manuals');
    const shown = await open(`/console/documents/${store}`);
    await page().getByRole('heading', { name: 'No document yet' }).waitFor();
    await page().route('**/api/v1/document-stores', (route) =>
      route.fulfill({ status: 400, json: { code: 'invalid_request', message: 'Something is wrong.' } }),
    );
    await shown.go('/console/documents');
    await page().getByRole('alert').getByText('Something is wrong.').waitFor();
    await expectAccessible(page());
    await page().unroute('**/api/v1/document-stores');
    await press('Try again');
    await row('Manuals').first().waitFor();
    await shown.go('/console/documents/none');
    await page().getByRole('heading', { name: 'Store not found' }).waitFor();
  });
});
