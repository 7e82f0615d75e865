import { colorOperands } from '../src/pdf/renderer/page/draw-runs.js';
import { PALETTE } from '../src/pdf/templates/look.js';
import { logoPicture, openFlow, RenderFixture, withFile } from './fixtures/renders.js';
import { type PdfContent, readPdf } from './support/read-pdf.js';

const [WINE, MOSS] = ['#7a1f3d', '#33581f'];

describe('a report of a flow with a brand', () => {
  const room = new RenderFixture();
  const { client, photographs, render, session } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const branded = async (brand: object): Promise<string> =>
    client.flow({ ...openFlow, name: 'Branded', chat: { brand } });
  const logoUri = async () => `data:image/png;base64,${(await logoPicture()).toString('base64')}`;

  async function read(url: string): Promise<PdfContent> {
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    return withFile(bytes, readPdf);
  }

  /** Returns true if any text on a page is of this colour. */
  const wears = ({ pages }: PdfContent, colour: string): boolean =>
    pages.some(({ content }) => content.includes(`${colorOperands(colour)} rg`));
  const logosOn = ({ alternatives }: PdfContent): number =>
    alternatives.filter((alternative) => alternative === 'Logo').length;

  async function reportOf(flowId: string, meta: object = {}) {
    const sessionId = session();
    await photographs(sessionId, 1, flowId);
    const { body } = await render({ sessionId, meta });
    return { body, pdf: await read(body.file.url as string) };
  }

  it('has its colour, and its logo on the cover', async () => {
    const { body, pdf } = await reportOf(await branded({ colour: WINE, logo: await logoUri() }));
    expect(body.warnings).toEqual([]);
    expect([wears(pdf, WINE), wears(pdf, PALETTE.accent), logosOn(pdf)]).toEqual([true, false, 1]);
  });

  it("has the service's own colour and no logo if the flow has no brand", async () => {
    const { pdf } = await reportOf(room.flowId);
    expect([wears(pdf, PALETTE.accent), logosOn(pdf)]).toEqual([true, 0]);
  });

  it('has the logo that the request names, and none if the request sets it to null', async () => {
    const flowId = await branded({ logo: await logoUri() });
    for (const logo of ['', null])
      expect([logo, logosOn((await reportOf(flowId, { logo })).pdf)]).toEqual([logo, 0]);
    const unknown = await reportOf(flowId, { logo: '00000000-0000-0000-0000-000000000000' });
    expect(logosOn(unknown.pdf)).toBe(0);
    expect(unknown.body.warnings).toEqual([expect.objectContaining({ path: 'meta.logo' })]);
  });

  it('reports that a logo of the flow cannot be printed, and omits it', async () => {
    const logo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`;
    const { body, pdf } = await reportOf(await branded({ logo }));
    expect(body.warnings).toEqual([
      expect.objectContaining({ code: 'logo_dropped', path: 'chat.brand.logo' }),
    ]);
    expect(logosOn(pdf)).toBe(0);
  });

  it('is redrawn to the same bytes after the brand was changed, and so is its next edition', async () => {
    const flowId = await branded({ colour: WINE, logo: await logoUri() });
    const { body } = await reportOf(flowId);
    const { body: flow } = await client.admin('GET', `flows/${flowId}`);
    const definition = { ...openFlow, name: 'Branded', chat: { brand: { colour: MOSS } } };
    expect((await client.admin('PUT', `flows/${flowId}`, { ...flow, ...definition })).status).toBe(200);
    const again = await client.admin('POST', `pdf/reports/${body.file.id}/redraw`);
    expect(again.body).toMatchObject({ identical: true, file: { sha256: body.file.sha256 } });
    const edition = await client.admin('POST', `pdf/reports/${body.file.id}/editions`, {
      meta: { address: '2 High Street' },
      reason: 'The address was missing.',
    });
    const corrected = await read(edition.body.file.url as string);
    expect([wears(corrected, WINE), wears(corrected, MOSS), logosOn(corrected)]).toEqual([true, false, 1]);
    expect(wears((await reportOf(flowId)).pdf, MOSS)).toBe(true);
  });

  it('of several flows has the brand of none', async () => {
    const sessionId = session();
    for (const colour of [WINE, MOSS]) await photographs(sessionId, 1, await branded({ colour }));
    const { body } = await render({ sessionId });
    const pdf = await read(body.file.url as string);
    expect([WINE, MOSS, PALETTE.accent].map((colour) => wears(pdf, colour))).toEqual([false, false, true]);
  });
});
