import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { DatabaseReader } from '../src/database/database-reader.js';
import { MailOutbox } from '../src/pdf/delivery/mail-outbox.js';
import { MailSender } from '../src/pdf/delivery/mail-sender.js';
import { ReportFitting } from '../src/pdf/drawing/report-fitting.js';
import { BlobStore } from '../src/storage/blob-store.js';
import type { DiskStore } from '../src/storage/disk-store.js';
import { openFlow } from './fixtures/renders.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type Mailbox, openMailbox, type ReceivedMail } from './support/mailbox.js';
import { recordPhotograph } from './support/recorded-photographs.js';
import { samplePhotograph } from './support/sample-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const MOST = 0.5 * 1024 ** 2;
const office = 'office@agency.example';
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the PDF in a mail. */
function attachmentOf({ source }: ReceivedMail): Buffer {
  const boundary = /boundary="([^"]+)"/.exec(source)![1]!;
  const part = source.split(`--${boundary}`).find((each) => each.includes('application/pdf'))!;
  return Buffer.from(part.slice(part.indexOf('\r\n\r\n') + 4), 'base64');
}

describe('a report that is too large to attach to its mail', () => {
  let mailbox: Mailbox;
  let app: TestApp;
  let client: ServiceClient;
  let flowId: string;
  let pictures: Buffer[];
  let sessions = 0;

  beforeAll(async () => {
    mailbox = await openMailbox();
    // Without PUBLIC_URL, so that a mail with a link would fail.
    const env = {
      SMTP_URL: mailbox.url,
      MAIL_ALLOW: '@agency.example',
      MAIL_MAX_MB: '0.5',
    };
    app = await startTestApp({ env });
    client = new ServiceClient(() => app);
    flowId = await client.flow(openFlow);
    const read = (name: string) => sharp(samplePhotograph(name)).jpeg({ quality: 90 }).toBuffer();
    pictures = await Promise.all(['bathroom', 'kitchen-1', 'keys', 'garden'].map(read));
  });

  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  beforeEach(() => mailbox.mails.splice(0));

  async function mailed(more: object = {}): Promise<{ sessionId: string; body: Answer['body'] }> {
    const sessionId = `session-${++sessions}`;
    for (const jpeg of pictures) await recordPhotograph(app, { flowId, sessionId, jpeg });
    const source = { type: 'inspection', sessionId, meta: {} };
    const request = { templateId: 'inspection', source, delivery: { email: { to: [office] } }, ...more };
    const { body } = await client.send('POST', '/api/v1/pdf/render', request);
    return { sessionId, body };
  }

  function verified(pdf: Buffer, fingerprint: string) {
    const directory = mkdtempSync(join(tmpdir(), 'mail-edition-'));
    const path = join(directory, 'report.pdf');
    writeFileSync(path, pdf);
    const script = join(__dirname, '..', 'scripts', 'verify.mjs');
    const { status, stdout } = spawnSync(process.execPath, [script, path, '--key', fingerprint]);
    rmSync(directory, { recursive: true });
    return { status, out: stdout.toString() };
  }

  it('is attached with smaller pictures, and stored as it was made', async () => {
    const { sessionId, body } = await mailed();
    const { attached } = body.delivery.email;
    expect(body.delivery.email).toMatchObject({ status: 'queued', as: 'attachment' });
    expect(attached.reducedTo.longSide).toBeGreaterThanOrEqual(1000);
    expect(attached.reducedTo.quality).toBeGreaterThanOrEqual(60);
    expect(body.warnings).toMatchObject([{ code: 'mail_pictures_reduced', path: 'delivery.email' }]);
    expect(body.file).not.toHaveProperty('reducedTo');

    const [mail] = await mailbox.received(1);
    expect(mail!.source.length).toBeLessThanOrEqual(MOST);
    const pdf = attachmentOf(mail!);
    expect([pdf.length, sha256(pdf)]).toEqual([attached.bytes, attached.sha256]);
    expect(mail!.source.includes(`attachment; filename=${body.file.filename}`)).toBe(true);
    const { body: seal } = await client.send('GET', '/api/v1/pdf/seal');
    const { status, out } = verified(pdf, seal.fingerprint as string);
    expect(status).toBe(0);
    expect(out).toContain(body.file.id);
    expect(out).toContain('4 of 4 are smaller copies of what was recorded');

    const stored = Buffer.from(await (await fetch(body.file.url as string)).arrayBuffer());
    expect([stored.length, sha256(stored)]).toEqual([body.file.bytes, body.file.sha256]);
    expect(stored.length).toBeGreaterThan(MOST);
    const { body: listed } = await client.admin('GET', `pdf/reports?sessionId=${sessionId}`);
    expect(listed.data).toMatchObject([{ id: body.file.id, delivery: { email: { attached } } }]);
  });

  it('is stepped down further if maxBytes has stepped it down already', async () => {
    const { body } = await mailed({ maxBytes: 520_000 });
    const { attached } = body.delivery.email;
    expect(body.file.bytes).toBeLessThanOrEqual(520_000);
    const [own, mails] = [body.file.reducedTo, attached.reducedTo];
    expect([mails.longSide <= own.longSide, mails.quality <= own.quality]).toEqual([true, true]);
    expect(mails).not.toEqual(own);
    expect(sha256(attachmentOf((await mailbox.received(1))[0]!))).toBe(attached.sha256);
  });

  it('is attached unchanged if maxBytes made it small enough', async () => {
    const { body } = await mailed({ maxBytes: 300_000 });
    expect(body.delivery.email).toMatchObject({ as: 'attachment' });
    expect(body.delivery.email).not.toHaveProperty('attached');
    expect(sha256(attachmentOf((await mailbox.received(1))[0]!))).toBe(body.file.sha256);
  });

  it('is not attached once its smaller copy is damaged in storage', async () => {
    const outbox = app.app.get(MailOutbox);
    const waiting = jest.spyOn(outbox, 'take').mockResolvedValue(undefined);
    const id = (await mailed()).body.file.id as string;
    const reader = app.app.get(DatabaseReader);
    const sql = 'SELECT storage_key FROM report_mails WHERE report_id = ?';
    const row = await reader.one<{ storage_key: string }>(sql, [id]);
    truncateSync(app.app.get<DiskStore>(BlobStore).pathOf(row!.storage_key), 1000);
    waiting.mockRestore();
    app.app.get(MailSender).kick();
    const email = async () => (await outbox.findDeliveries([id])).get(id)!.email;
    await eventually(async () => ((await email()).error ?? (await email()).sentAt) !== undefined);
    expect(await email()).toMatchObject({ status: 'queued', error: expect.stringMatching('is damaged') });
    expect(mailbox.mails).toEqual([]);
  });

  it('is not lost if its smaller pictures cannot be made', async () => {
    const failing = jest.spyOn(app.app.get(ReportFitting), 'smaller');
    failing.mockRejectedValue(new Error('the disk is full'));
    const { body } = await mailed();
    failing.mockRestore();
    expect(body.file.photographs).toBe(4);
    expect(body.delivery.email).toMatchObject({ status: 'failed', code: 'public_url_not_configured' });
  });
});
