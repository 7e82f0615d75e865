import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { startTestApp, type TestApp } from './support/app.js';
import { readPdf } from './support/read-pdf.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const kitchen = readFileSync(join(__dirname, '../samples/photographs/kitchen-1.jpg'));
const hallway = readFileSync(join(__dirname, '../samples/photographs/hallway.jpg'));

/** Advice about a photograph while another can still be taken. It never refuses one. */
describe('the advice of a capture', () => {
  let app: TestApp;
  let client: ServiceClient;
  let flowId: string;
  beforeAll(async () => {
    app = await startTestApp();
    client = new ServiceClient(() => app);
    flowId = await client.flow({ name: 'Open', nodes: [{ id: 'start', kind: 'start' }], edges: [] });
  });
  afterAll(() => app.close());

  async function capture(pictures: readonly Buffer[], sessionId: string = randomUUID()): Promise<Answer> {
    const photographs = pictures.map((bytes) => ({ data: bytes.toString('base64') }));
    const body = { flowId, sessionId, area: 'Kitchen', photographs };
    const answer = await client.send('POST', '/api/v1/inspection/capture', body);
    expect(answer.status).toBe(200);
    expect(answer.body.rejected).toEqual([]);
    expect(answer.body.recorded).toHaveLength(pictures.length);
    return answer;
  }
  const made = (change: (picture: Sharp) => Sharp, from = kitchen): Promise<Buffer> =>
    change(sharp(from)).jpeg().toBuffer();

  it('is empty for a good photograph', async () => {
    expect((await capture([kitchen])).body.warnings).toEqual([]);
  });

  it.each<[string, string, RegExp, (picture: Sharp) => Sharp]>([
    ['blurred', 'blurred', /^The photograph is blurred/, (picture) => picture.blur(14)],
    ['dark', 'too_dark', /^The photograph is very dark/, (picture) => picture.linear(0.06, 0)],
    ['tiny', 'tiny', /^The photograph is very small/, (picture) => picture.resize(180)],
  ])('warns of one that is %s, which is recorded', async (_name, code, sentence, change) => {
    const { warnings } = (await capture([await made(change, hallway)])).body;
    const message = expect.stringMatching(sentence) as string;
    expect(warnings).toContainEqual({ code, message, path: 'photographs[0]' });
  });

  it('warns of the same picture in another session, also at another size and quality', async () => {
    const picture = await made((original) => original.modulate({ hue: 40 }).flop(), hallway);
    const first = await capture([picture]);
    expect(first.body.warnings).toEqual([]);
    const again = await sharp(picture).resize(900).jpeg({ quality: 55 }).toBuffer();
    const { warnings } = (await capture([again])).body;
    expect(warnings).toEqual([
      {
        code: 'same_picture_elsewhere',
        message: expect.stringMatching(/^The same picture was sent in another/),
        path: 'photographs[0]',
      },
    ]);
  });

  it('warns of one that is too large to decode, which is stored and printed as a placeholder', async () => {
    const bomb = readFileSync(join(__dirname, 'fixtures', 'flat-49-megapixels.avif'));
    const { recorded, warnings, sessionId } = (await capture([bomb, kitchen])).body;
    expect(recorded[0]).toMatchObject({ index: 0, width: 7000, height: 7000, bytes: bomb.length });
    const message = expect.any(String) as string;
    expect(warnings).toContainEqual({ code: 'too_large_to_draw', message, path: 'photographs[0]' });
    const source = { type: 'inspection', sessionId, meta: {} };
    const body = { templateId: 'inspection', source };
    const report = (await client.send('POST', '/api/v1/pdf/render', body)).body;
    expect(report.file.photographs).toBe(2);
    expect(report.warnings).toEqual([expect.objectContaining({ code: 'photographs_not_drawn' })]);
    const original = await fetch(`${app.url}/api/v1/inspection/photographs/${recorded[0].id}/original`, {
      headers: { authorization: `Bearer ${app.adminKey}` },
    });
    expect(Buffer.from(await original.arrayBuffer()).equals(bomb)).toBe(true);
  });

  it('warns of one with damaged data, which is printed with a note, but not of one with a stray byte', async () => {
    const [damaged, stray] = [Buffer.from(hallway), Buffer.from(hallway)];
    damaged.fill(0x55, hallway.length >> 1, (hallway.length >> 1) + 9000);
    const cut = hallway.subarray(0, 100);
    const tables = stray.indexOf(Buffer.from([0xff, 0xdb]));
    const odd = Buffer.concat([stray.subarray(0, tables), Buffer.from([0x42]), stray.subarray(tables)]);
    const sessionId = randomUUID();
    const photographs = [damaged, odd, cut].map((bytes) => ({ data: bytes.toString('base64') }));
    const body = { flowId, sessionId, area: 'Kitchen', photographs };
    const { body: answer } = await client.send('POST', '/api/v1/inspection/capture', body);
    expect(answer.recorded.map(({ index }: { index: number }) => index)).toEqual([0, 1]);
    expect(answer.rejected).toEqual([expect.objectContaining({ index: 2, code: 'undecodable' })]);
    const partly = answer.warnings.filter(({ code }: { code: string }) => code === 'partly_read');
    expect(partly).toEqual([expect.objectContaining({ path: 'photographs[0]' })]);
    const source = { type: 'inspection', sessionId, meta: {} };
    const { file } = (await client.send('POST', '/api/v1/pdf/render', { templateId: 'inspection', source }))
      .body;
    const { signed } = (await client.admin('GET', `pdf/reports/${file.id}/manifest`)).body;
    const flags = signed.manifest.photographs.map(({ partlyRead }: { partlyRead?: true }) => partlyRead);
    expect(flags).toEqual([true, undefined]);
    const path = join(app.place.dataDir, 'report.pdf');
    writeFileSync(path, Buffer.from(await (await fetch(new URL(file.url, app.url))).arrayBuffer()));
    const text = readPdf(path)
      .pages.flatMap(({ texts }) => texts.map((each) => each.text))
      .join(' ');
    expect(text.match(/Damaged file: only a part of this photograph could be read/g)).toHaveLength(1);
  });

  it('warns once of fifty with the same flaw, with their number', async () => {
    const tiny = await made((picture) => picture.resize(160));
    const { warnings } = (await capture(Array.from({ length: 50 }, () => tiny))).body;
    const message = expect.any(String) as string;
    expect(warnings).toContainEqual({ code: 'tiny', message, path: 'photographs[0]', count: 50 });
    expect(warnings.length).toBeLessThanOrEqual(2);
  });

  it('names each photograph of a batch by its index, and the outstanding areas', async () => {
    const [dark, tiny] = [
      await made((picture) => picture.linear(0.05, 0)),
      await made((picture) => picture.resize(160)),
    ];
    const { body } = await capture([hallway, dark, tiny]);
    expect(body.warnings).toContainEqual(
      expect.objectContaining({ code: 'too_dark', path: 'photographs[1]' }),
    );
    expect(body.warnings).toContainEqual(expect.objectContaining({ code: 'tiny', path: 'photographs[2]' }));
    expect(body.session.outstandingAreas).toEqual([
      'electricity-meter',
      'gas-meter',
      'water-meter',
      'keys',
      'detectors',
    ]);
  });
});
