import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlobStore } from '../src/storage/blob-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { type Mailbox, openMailbox } from './support/mailbox.js';
import { type PdfContent, readPdf } from './support/read-pdf.js';
import { recordPhotograph } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const definition = { name: 'Open', nodes: [{ id: 'start', kind: 'start', config: {} }], edges: [] };

describe('a comparison of two reports', () => {
  let app: TestApp;
  let client: ServiceClient;
  let mailbox: Mailbox;
  let folder: string;
  let flowId: string;
  let office: Record<string, string>;
  let before: string;
  let after: string;
  const checkout = `checkout-${randomUUID()}`;

  beforeAll(async () => {
    mailbox = await openMailbox();
    folder = mkdtempSync(join(tmpdir(), 'comparison-'));
    const env = { RENDERS_PER_MINUTE: '100000', SMTP_URL: mailbox.url, MAIL_FROM: 'reports@lets.example' };
    app = await startTestApp({ env });
    client = new ServiceClient(() => app);
    const { body } = await client.admin('POST', 'api-keys', { name: 'office' });
    office = { authorization: `Bearer ${body.key}` };
    flowId = await client.flow({ ...definition, access: { apiKeyId: body.id } });
    const meta = { address: '1 High Street', propertyNo: '12A', postcode: 'SW1A 1AA' };
    const first = await inspection(`checkin-${randomUUID()}`, ['Gas Meter', 'Kitchen', 'Kitchen', 'Bath'], {
      ...meta,
      reportType: 'checkin',
      areaComments: { kitchen: ['Hob clean.'] },
    });
    app.clock.advance(300 * 86_400_000);
    const second = await inspection(checkout, ['Kitchen', 'Loft'], {
      ...meta,
      reportType: 'checkout',
      areaComments: { kitchen: ['Hob scratched.'] },
    });
    [before, after] = [first.body.file.id as string, second.body.file.id as string];
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
    rmSync(folder, { recursive: true });
  });

  async function inspection(sessionId: string, areas: string[], meta: object, flow = flowId) {
    for (const area of areas) await recordPhotograph(app, { flowId: flow, sessionId, area });
    const source = { type: 'inspection', sessionId, meta };
    const made = await client.send(
      'POST',
      '/api/v1/pdf/render',
      { templateId: 'inspection', source },
      office,
    );
    expect(made.status).toBe(200);
    return made;
  }

  const compare = (
    source: object = {},
    headers: Record<string, string> = office,
    rest: object = {},
  ): Promise<Answer> =>
    client.send(
      'POST',
      '/api/v1/pdf/render',
      { templateId: 'comparison', source: { type: 'comparison', before, after, ...source }, ...rest },
      headers,
    );
  const admin = () => ({ authorization: `Bearer ${app.adminKey}` });
  const download = async (answer: Answer): Promise<Buffer> =>
    Buffer.from(await (await fetch(answer.body.file.url as string)).arrayBuffer());
  function read(bytes: Buffer): { path: string; pdf: PdfContent } {
    const path = join(folder, `${randomUUID()}.pdf`);
    writeFileSync(path, bytes);
    return { path, pdf: readPdf(path) };
  }

  it('claims nothing and returns a report like any other', async () => {
    await recordPhotograph(app, { flowId, sessionId: checkout, area: 'Attic' });
    const answer = await compare();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      file: { filename: expect.stringMatching(/^\d{8} 12A SW1A 1AA\.pdf$/), photographs: 6 },
      claimed: 0,
      outstandingAreas: [],
      warnings: [],
      executionId: answer.headers.get('x-execution-id'),
    });
    const record = await client.ended(answer.body.executionId as string);
    expect(record).toMatchObject({
      kind: 'render',
      status: 'succeeded',
      chatId: checkout,
      flowId,
      credits: 0,
    });
    const listed = await client.send('GET', `/api/v1/pdf/reports?sessionId=${checkout}`, undefined, office);
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([answer.body.file.id, after]);
    expect((await inspection(checkout, [], {})).body.claimed).toBe(1);
  });

  it('prints both reports side by side, each photograph with its own number, stamp and report', async () => {
    const { path, pdf } = read(await download(await compare()));
    const text = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' });
    for (const fixed of [
      'Comparison of Check-In and Check-Out', 'Check-In Inspection Report', 'Check-Out Inspection Report', before,
      after, '1 High Street', 'Only at check-in', 'Only at check-out', 'Not in the check-out.', 'Comments and signatures',
    ]) expect(text).toContain(fixed); // prettier-ignore
    expect(text).toMatch(/Additional Comment {2,}Additional Comment\n\s*Hob clean\. {2,}Hob scratched\./);
    expect(text).toMatch(/Photograph 2, check-in .* Photograph 1, check-out/);
    expect(pdf.bookmarks).toEqual([
      'Changed',
      'Areas of one report alone',
      'Photographs without counterpart',
      'Contents',
      'Summary',
      'Meters & Keys',
      'Gas Meter',
      'Kitchen',
      'Bath',
      'Loft',
      'Comments and signatures',
      'How to check this report',
    ]);
    expect(pdf.alternatives).toContainEqual(
      expect.stringMatching(/^Check-out: Photograph 1, Kitchen, .* (GMT|BST)$/),
    );
    const checked = spawnSync('qpdf', ['--check', path]);
    expect(`${checked.stdout.toString()}${checked.stderr.toString()}`).toContain(
      'No syntax or stream encoding errors',
    );
  });

  it('has the same bytes for the same two reports, also on another day and when it is redrawn', async () => {
    const first = await compare();
    app.clock.advance(3 * 86_400_000);
    const second = await compare();
    expect(second.body.file.id).not.toBe(first.body.file.id);
    expect(second.body.file.sha256).toBe(first.body.file.sha256);
    const redrawn = await client.admin('POST', `pdf/reports/${second.body.file.id}/redraw`);
    expect(redrawn.body).toMatchObject({ identical: true, claimed: 0 });
    expect((await compare({ before: after, after: before })).body.file.sha256).not.toBe(
      first.body.file.sha256,
    );
  });

  it('is sealed, with the evidence of both reports', async () => {
    const answer = await compare();
    const { path } = read(await download(answer));
    const script = join(__dirname, '..', 'scripts', 'verify.mjs');
    const { fingerprint } = (await client.send('GET', '/api/v1/pdf/seal')).body;
    const verified = spawnSync(process.execPath, [script, path, '--key', fingerprint], { encoding: 'utf8' });
    expect(verified.stdout).toContain('Unaltered');
    const manifest = await client.send(
      'GET',
      `/api/v1/pdf/reports/${answer.body.file.id}/manifest`,
      undefined,
      office,
    );
    const photographs = manifest.body.signed.manifest.photographs as { number: number; source: object }[];
    expect(photographs).toHaveLength(6);
    expect(photographs).toContainEqual(
      expect.objectContaining({ number: 1, area: 'Kitchen', source: { side: 'Check-out', reportId: after } }),
    );
  });

  it('is for callers who may read both reports', async () => {
    const open = await client.flow({ ...definition, name: 'Without a key' });
    const elsewhere = (await inspection(`open-${randomUUID()}`, ['Hall'], {}, open)).body.file.id as string;
    for (const headers of [{}, { authorization: 'Bearer fk_wrong' }]) {
      const refused = await compare({}, headers);
      expect(refused.status).toBe(401);
      expect(refused.body.code).toBe('invalid_api_key');
    }
    expect((await compare({ after: elsewhere })).status).toBe(401);
    expect((await compare({ after: elsewhere }, admin())).status).toBe(200);
    const made = (await compare({ after: elsewhere }, admin())).body.file.id as string;
    expect((await client.send('GET', `/api/v1/pdf/reports/${made}/file`)).status).toBe(401);
  });

  it('is 404 for an unknown report, and 400 for an invalid id or a comparison', async () => {
    const unknown = await compare({ before: randomUUID() });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({ code: 'not_found', executionId: expect.any(String) });
    for (const wrong of [7, null, {}, [after], '']) {
      const refused = await compare({ after: wrong });
      expect(refused.status).toBe(400);
      expect(refused.body.errors[0].path).toBe('source.after');
    }
    const itself = await compare({ before: (await compare()).body.file.id as string });
    expect(itself.status).toBe(400);
    expect(itself.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'source.before' }] });
  });

  it('takes pairs of names, is 400 for anything else, and redraws them', async () => {
    const made = await compare({ pairs: [{ before: 'Hob', after: 'Stove' }] });
    expect(made.status).toBe(200);
    expect(made.body.warnings).toEqual([
      expect.objectContaining({ code: 'pair_not_found', path: 'source.pairs[0].before' }),
      expect.objectContaining({ code: 'pair_not_found', path: 'source.pairs[0].after' }),
    ]);
    const redrawn = await client.admin('POST', `pdf/reports/${made.body.file.id}/redraw`);
    expect(redrawn.body).toMatchObject({ identical: true });
    expect((await compare({ pairs: null })).body.warnings).toEqual([]);
    for (const [pairs, path] of [
      ['Hob', 'source.pairs'],
      [{ before: 'Hob', after: 'Stove' }, 'source.pairs'],
      [['Hob'], 'source.pairs.0'],
      [[{ before: 'Hob' }], 'source.pairs.0.after'],
      [[{ before: ' ', after: 'Stove' }], 'source.pairs.0.before'],
      [[{ before: 7, after: 'x'.repeat(501) }], 'source.pairs.0.before'],
    ] as const) {
      const refused = await compare({ pairs });
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
      expect(refused.body.errors[0].path).toBe(path);
    }
  });

  it('supports everything that a render does: key, asynchronous answer, PDF, mail', async () => {
    const key = { ...office, 'idempotency-key': randomUUID() };
    const first = await compare({}, key);
    const again = await compare({}, key);
    expect([again.text, again.headers.get('idempotent-replay')]).toEqual([first.text, 'true']);
    expect((await compare({ before: after }, key)).body.code).toBe('idempotency_key_reused');

    const accepted = await compare({}, { ...office, prefer: 'respond-async' });
    expect(accepted.status).toBe(202);
    const location = accepted.headers.get('location')!;
    const stream = await client.send('GET', location, undefined, { accept: 'text/event-stream' });
    expect(stream.text).toContain('"event":"result"');
    expect((await client.send('GET', location)).body.result).toMatchObject({
      claimed: 0,
      file: { photographs: 6 },
    });

    const file = await compare({}, { ...office, accept: 'application/pdf' });
    expect(file.headers.get('content-type')).toBe('application/pdf');

    const mailed = await compare({}, office, { delivery: { email: { to: 'tenant@example.org' } } });
    expect(mailed.body.delivery.email.status).toBe('queued');
    const [mail] = await mailbox.received(1);
    expect(mail!.source).toContain('12A SW1A 1AA.pdf');
  });

  it('prints a placeholder for a photograph whose file is gone, and names its report', async () => {
    const sessionId = `gone-${randomUUID()}`;
    const jpeg = await recordPhotograph(app, { flowId, sessionId, area: 'Kitchen' });
    const source = { type: 'inspection', sessionId, meta: { reportType: 'checkout' } };
    const made = await client.send(
      'POST',
      '/api/v1/pdf/render',
      { templateId: 'inspection', source },
      office,
    );
    await app.app.get(BlobStore).remove(jpeg.key);
    const answer = await compare({ after: made.body.file.id });
    expect(answer.body.warnings).toEqual([
      { code: 'stored_file_damaged', message: expect.stringContaining('number 1 check-out') },
    ]);
    const bytes = await download(answer);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(answer.body.file.sha256);
  });

  it('accepts reports of any content: an address of 1 MiB, ten thousand remarks on either side', async () => {
    const remarks = Array.from({ length: 10_000 }, (_, index) => `Remark number ${index}.`);
    const address = 'Flat 4 Long Road '.repeat(61_681);
    const meta = { address, areaComments: { kitchen: [...remarks, 'long '.repeat(20_000)] } };
    const made = await inspection(`huge-${randomUUID()}`, ['Kitchen'], meta);
    const answer = await compare({ before: made.body.file.id, after: made.body.file.id });
    expect(answer.status).toBe(200);
    const { pdf } = read(await download(answer));
    const count = (pattern: RegExp): number => pdf.text.match(pattern)!.length;
    expect(count(/Remark number \d+\./g)).toBe(20_000);
    expect(count(/long/g)).toBe(40_000);
    expect(count(/Road/g)).toBeGreaterThanOrEqual(3 * 61_681);
  });

  it('leaves both reports unchanged if it fails', async () => {
    const full = jest
      .spyOn(app.app.get(BlobStore), 'keep')
      .mockRejectedValueOnce(new Error('ENOSPC: no space left on device'));
    const failed = await compare();
    full.mockRestore();
    expect(failed.status).toBe(500);
    expect((await compare()).status).toBe(200);
  });
});
