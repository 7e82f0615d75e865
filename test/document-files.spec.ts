import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestApp, type TestApp } from './support/app.js';
import { docxOf, docxWith, paragraph, pdfOf } from './support/document-files.js';
import { eventually } from './support/eventually.js';
import { type FakeEmbeddings, startFakeEmbeddings } from './support/fake-embeddings.js';
import { ServiceClient } from './support/service-client.js';

interface Shown {
  name: string;
  mime: string;
  status: string;
  code: string | null;
  error: string | null;
  url?: string;
  warnings: { code: string }[];
}

describe('documents of a store (contract section 9)', () => {
  let service: TestApp;
  let model: FakeEmbeddings;
  let site: Server;
  let pages: Record<string, RequestListener>;
  let store: string;
  const client = new ServiceClient(() => service);
  const address = (path: string) => `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`;

  beforeAll(async () => {
    model = await startFakeEmbeddings();
    site = createServer((request, response) => {
      const page = pages[request.url ?? ''];
      if (page) return page(request, response);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const { host } = new URL(address('/'));
    service = await startTestApp({ env: { OUTBOUND_ALLOW: host } });
  });
  afterAll(async () => {
    await service.close();
    await model.close();
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
  });
  beforeEach(async () => {
    pages = {};
    model.requests = [];
    const embedding = { provider: 'openai-compatible', name: 'embedder', baseUrl: model.url };
    store = (await client.admin('POST', 'document-stores', { name: 'Manual', embedding })).body.id as string;
  });

  const added = (body: object) => client.admin('POST', `document-stores/${store}/documents`, body);
  const embedded = () => model.requests.flatMap(({ texts }) => texts);
  async function settled(): Promise<Shown[]> {
    const list = async () =>
      (await client.admin('GET', `document-stores/${store}/documents`)).body.data as Shown[];
    const left = async () =>
      (await list()).filter(({ status }) => status !== 'ready' && status !== 'failed').length;
    // Waits for each in its own time, since they are read in sequence.
    for (let most = (await left()) - 1; most >= 0; most--)
      await eventually(async () => (await left()) <= most);
    return list();
  }
  async function filed(files: Record<string, Buffer>): Promise<Record<string, Shown>> {
    const form = new FormData();
    for (const [name, bytes] of Object.entries(files)) form.append('files', new Blob([bytes]), name);
    expect((await added(form)).status).toBe(200);
    return Object.fromEntries((await settled()).map((document) => [document.name, document]));
  }
  async function fetched(path: string, more: object = {}): Promise<Shown> {
    const { status, body } = await added({ url: address(path), ...more });
    expect([status, body.data[0].status]).toEqual([200, 'pending']);
    return (await settled())[0]!;
  }

  it('are read from files of each kind', async () => {
    const documents = await filed({
      'note.txt': Buffer.from('Plain words.'),
      'guide.md': Buffer.from('# Marked words'),
      'page.html': Buffer.from('<p>Woven words'),
      'rows.csv': Buffer.from('Room,Meter\nHall,4711\n'),
      'letter.docx': docxOf(paragraph('Typed words.')),
      'manual.pdf': await pdfOf((pdf) => void pdf.text('Printed words.')),
    });
    const wrong = Object.values(documents).filter(({ status }) => status !== 'ready');
    expect(wrong).toEqual([]);
    expect(embedded().sort()).toEqual([
      '# Marked words',
      'Plain words.',
      'Printed words.',
      'Room: Hall, Meter: 4711',
      'Typed words.',
      'Woven words',
    ]);
  });

  it('fail individually, with a stored code, if they contain no text', async () => {
    const part = { name: 'word/document.xml', bytes: Buffer.from('x'), declared: 0xffff_fffe };
    const documents = await filed({
      'secret.pdf': await pdfOf((pdf) => void pdf.text('a'), { userPassword: 'x' }),
      'scan.pdf': await pdfOf((pdf) => void pdf.rect(1, 1, 5, 5).fill()),
      'bomb.docx': docxWith(part),
      'photo.pdf': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      'note.txt': Buffer.from('Plain words.'),
    });
    const codes = Object.entries(documents).map(([name, { status, code }]) => [name, status, code]);
    expect(Object.fromEntries(codes.map(([name, ...rest]) => [name, rest]))).toEqual({
      'secret.pdf': ['failed', 'document_encrypted'],
      'scan.pdf': ['failed', 'document_without_text'],
      'bomb.docx': ['failed', 'document_too_large'],
      'photo.pdf': ['failed', 'unsupported_type'],
      'note.txt': ['ready', null],
    });
    expect(documents['scan.pdf']!.error).toContain('scan');
  });

  it('lose characters that no database can store', async () => {
    const text = `The key\0 is in\ud800 the ${'hall, '.repeat(20)}upstairs.`;
    expect((await added({ name: 'keys', text })).status).toBe(200);
    expect(await settled()).toMatchObject([{ status: 'ready', code: null }]);
    expect(embedded()).toEqual([text.toWellFormed().replace('\0', '\ufffd')]);
  });

  it('report oddities in them', async () => {
    const documents = await filed({ 'letter.pdf': Buffer.from('K\xfcche', 'latin1') });
    const codes = documents['letter.pdf']!.warnings.map(({ code }) => code);
    expect(codes).toEqual(['type_mismatch', 'charset_guessed']);
  });

  it('are fetched from an address, by their actual type and under the last part of its path', async () => {
    pages['/guides/boiler.php?id=1'] = (_request, response) => {
      response.writeHead(302, { location: '/manuals/boiler' }).end();
    };
    pages['/manuals/boiler'] = (_request, response) => {
      response.setHeader('content-type', 'text/html; charset=windows-1251');
      response.end(
        Buffer.concat([Buffer.from('<nav>Home</nav><p>'), Buffer.from([0xca, 0xf3, 0xf5, 0xed, 0xff])]),
      );
    };
    const document = await fetched('/guides/boiler.php?id=1');
    expect(document).toMatchObject({ name: 'boiler.php', status: 'ready', code: null, warnings: [] });
    expect(document.url).toBe(address('/guides/boiler.php?id=1'));
    expect(embedded()).toEqual(['Кухня']);
    expect(await fetched('/manuals/boiler', { name: 'The boiler' })).toMatchObject({ name: 'The boiler' });
  });

  it.each<[string, string, RequestListener]>([
    ['is not there', 'fetch_failed', (_request, response) => response.writeHead(404).end('<p>Gone')],
    [
      'leads to a private place',
      'fetch_refused',
      (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    ],
    [
      'leads in a circle',
      'fetch_failed',
      (_request, response) => response.writeHead(302, { location: '/page' }).end(),
    ],
    [
      'breaks off',
      'fetch_failed',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' });
        response.write('<p>Half', () => response.destroy());
      },
    ],
    [
      'never ends',
      'fetch_failed',
      (_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024, 'a')));
        };
        response.writeHead(200, { 'content-type': 'text/html' }).on('drain', more);
        more();
      },
    ],
  ])('fail if their address %s (%s)', async (_what, code, page) => {
    pages['/page'] = page;
    expect(await fetched('/page')).toMatchObject({ status: 'failed', code });
    expect(embedded()).toEqual([]);
  });

  it.each([
    [{ url: 'file:///etc/hosts' }, 'url'],
    [{ url: 'nowhere' }, 'url'],
    [{ name: 'nothing' }, 'text'],
    [{ text: 'a', url: 'https://example.com' }, 'text'],
  ])('are refused as %j', async (body, path) => {
    const refused = await added(body);
    expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, path]);
  });
});
