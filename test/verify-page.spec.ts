import { deflateSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { ALTERATIONS } from './fixtures/alterations.js';
import { RenderFixture } from './fixtures/renders.js';
import { expectAccessible } from './support/accessibility.js';
import { DESK, openBrowser, PHONE, watched } from './support/browser.js';
import { expectSoon } from './support/expect-soon.js';
import { describeInBrowser } from './support/page-fixture.js';
import { SealedPdf } from './support/sealed-pdf.js';
import { personNamed, signedBy } from './support/signing-people.js';
import { buildPages } from './support/web.js';

describeInBrowser('the page that verifies a report', () => {
  const room = new RenderFixture();
  let browser: Browser;
  let pdf: Buffer;
  let fingerprint: string;
  const opened: Page[] = [];

  beforeAll(async () => {
    buildPages();
    await room.start();
    browser = await openBrowser();
    const sessionId = room.session();
    await room.photographs(sessionId, 2, room.flowId, 'Hall');
    const { body } = await room.render({ sessionId, meta: { address: '1 High Street' } });
    pdf = Buffer.from(await (await fetch(body.file.url as string)).arrayBuffer());
    ({ fingerprint } = (await room.client.send('GET', '/api/v1/pdf/seal')).body);
  });

  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close();
  });

  afterAll(async () => {
    await browser?.close();
    await room.close();
  });

  async function open(look: object = DESK) {
    const page = await (await browser.newContext(look)).newPage();
    opened.push(page);
    const faults = watched(page);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.goto(`${room.app.url}/verify`);
    return { page, faults, asked: requests };
  }
  const choose = (page: Page, buffer: Buffer) =>
    page.locator('#file').setInputFiles({ name: 'report.pdf', mimeType: 'application/pdf', buffer });
  const titled = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  const words = (page: Page) => page.locator('#result').innerText();

  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
    ['a phone in the dark', { ...PHONE, colorScheme: 'dark' as const }],
  ])('reports on %s that a report of this service is unaltered, and sends nothing', async (_, look) => {
    const { page, faults, asked } = await open(look);
    await choose(page, pdf);
    await titled(page, 'Unaltered');
    await expectSoon(() => words(page)).toContain('every picture is the one that was recorded');
    await expectSoon(() => words(page)).toContain('the key of this service');
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await expectAccessible(page);
    expect(faults).toEqual([]);
    expect(asked.filter((call) => !/^GET \/(verify|web\/assets\/[\w.-]+)$/.test(call))).toEqual([]);
  });

  it('names later signers, and the coverage of a later revision', async () => {
    const { page } = await open();
    await choose(page, await signedBy(await personNamed('Tom Ant'), pdf));
    await titled(page, 'Unaltered');
    await expectSoon(() => words(page)).toMatch(/Revision 2: signed by "Tom Ant" .*not vouched for/);
    const [, covered] = ALTERATIONS['a stamp over a photograph']!;
    await choose(page, covered(new SealedPdf(pdf)));
    await titled(page, 'Altered');
    await expectSoon(() => words(page)).toContain('covers a picture');
    await expectSoon(() => words(page)).not.toMatch(/unaltered/i);
  });

  it('trusts only the key of its own service and a typed one', async () => {
    const { page, faults } = await open();
    const other = new RenderFixture();
    await other.start();
    try {
      await page.goto(`${other.app.url}/verify?key=${fingerprint}#${fingerprint}`);
      await choose(page, pdf);
      await titled(page, 'Sealed, but by a key that is not trusted here');
      await expectSoon(() => words(page)).not.toMatch(/unaltered/i);
      await page.getByLabel(/another key/).fill('what is printed');
      await page.getByRole('button', { name: 'Trust it' }).click();
      await page
        .getByRole('alert')
        .getByText(/64 characters/)
        .waitFor();
      await page.getByLabel(/another key/).fill(fingerprint.toUpperCase());
      await page.getByRole('button', { name: 'Trust it' }).click();
      await titled(page, 'Unaltered');
      expect(faults).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('stays responsive with a malicious file, and accepts the next one', async () => {
    const { page, faults } = await open();
    const bomb = deflateSync(deflateSync(Buffer.alloc(300_000_000)));
    const report = new SealedPdf(pdf);
    const content = Number(/\/Contents (\d+)/.exec(report.bodyOf(report.pages[0]!))![1]);
    const head = `<< /Filter [/FlateDecode /FlateDecode] /Length ${bomb.length} >>\nstream\n`;
    const objects = { [content]: Buffer.concat([Buffer.from(head), bomb, Buffer.from('\nendstream')]) };
    await choose(page, report.with({ objects }));
    await titled(page, 'Altered');
    await expectSoon(() => words(page)).toContain('unpacks to more than 64 MB');
    await choose(page, Buffer.from('no report'));
    await titled(page, 'Not sealed');
    expect(faults).toEqual([]);
  });
});
