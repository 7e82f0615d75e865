import { unzipSync } from 'fflate';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { auditStorage, doubtOf } from '../src/console/storage-audit/storage-audit.js';
import { DatabaseReader } from '../src/database/database-reader.js';
import { ExpiredFiles } from '../src/pdf/vault/expired-files.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { openFlow } from './fixtures/renders.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type FakeEmbeddings, startFakeEmbeddings } from './support/fake-embeddings.js';
import { type FaultyS3, startFaultyS3, times } from './support/faulty-s3.js';
import { type Mailbox, openMailbox } from './support/mailbox.js';
import { s3Variables, startBucket, type TestBucket } from './support/s3-server.js';
import { samplePhotograph } from './support/sample-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const HOUR_MS = 3_600_000;
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const busy = { kind: 'error', status: 503, code: 'SlowDown' } as const;
const office = 'office@agency.example';

describe('a service with its blobs in an S3 bucket (contract section 13)', () => {
  let bucket: TestBucket;
  let faulty: FaultyS3;
  let mailbox: Mailbox;
  let media: Server;
  let model: FakeEmbeddings;
  let service: TestApp;
  let flowId: string;
  let sessions = 0;
  const client = new ServiceClient(() => service);
  const kitchen = readFileSync(samplePhotograph('kitchen-1'));
  const garden = readFileSync(samplePhotograph('garden'));
  const store = () => service.app.get(BlobStore);
  const mediaUrl = () => `http://127.0.0.1:${(media.address() as AddressInfo).port}`;

  beforeAll(async () => {
    bucket = await startBucket();
    faulty = await startFaultyS3(bucket.endpoint);
    mailbox = await openMailbox();
    model = await startFakeEmbeddings();
    media = createServer((_, response) => response.end(kitchen));
    await new Promise<void>((resolve) => media.listen(0, '127.0.0.1', resolve));
    const env = {
      ...{ SMTP_URL: mailbox.url, MAIL_ALLOW: '@agency.example', RENDERS_PER_MINUTE: '1000' },
      ...{ OUTBOUND_ALLOW: new URL(mediaUrl()).host, FETCH_ALLOW_HTTP: 'true' },
    };
    service = await startTestApp({ env: { ...s3Variables(faulty.endpoint, 'house'), ...env } });
    flowId = await client.flow({ ...openFlow, chat: { uploads: { isImageUploadAllowed: true } } });
  });

  afterAll(async () => {
    await service.close();
    await Promise.all([mailbox.close(), model.close(), faulty.close()]);
    media.close();
    await bucket.close();
  });

  beforeEach(() => (faulty.fault = () => undefined));

  const keys = async (kind = '') => {
    const found: string[] = [];
    for await (const { key } of store().blobs()) if (key.startsWith(kind)) found.push(key);
    return found.sort();
  };
  const capture = (sessionId: string, pictures: readonly Buffer[]) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ flowId, sessionId, area: 'Kitchen' }))
      form.append(name, value);
    for (const bytes of pictures)
      form.append('photographs', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'a.jpg');
    return client.send('POST', '/api/v1/inspection/capture', form);
  };
  const captureBody = (sessionId: string, photograph: object, more: object = {}) =>
    client.send('POST', '/api/v1/inspection/capture', {
      ...{ flowId, sessionId, area: 'Kitchen', photographs: [photograph], ...more },
    });
  const session = () => `session-${++sessions}`;
  const render = (sessionId: string, more: object = {}) =>
    client.admin('POST', 'pdf/render', {
      templateId: 'inspection',
      source: { type: 'inspection', sessionId, flowId, meta: {} },
      ...more,
    });
  const bytesAt = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, { headers });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const report = async (more: object = {}): Promise<Answer['body']['file']> => {
    const sessionId = session();
    expect((await capture(sessionId, [kitchen, garden])).status).toBe(200);
    const { status, body } = await render(sessionId, more);
    expect([status, body.claimed]).toEqual([200, 2]);
    return body.file;
  };
  const redraw = (id: string) => client.admin('POST', `pdf/reports/${id}/redraw`);
  const audit = (now: number) => auditStorage(store(), service.app.get(DatabaseReader), now);

  it('stores photographs as they were sent, and their prints', async () => {
    const { body } = await capture(session(), [kitchen]);
    const [recorded] = body.recorded as { id: string; sha256: string }[];
    expect(recorded!.sha256).toBe(hash(kitchen));
    const of = (form: string) =>
      bytesAt(`${service.url}/api/v1/inspection/photographs/${recorded!.id}/${form}`, {
        authorization: `Bearer ${service.adminKey}`,
      });
    expect((await of('original')).bytes.equals(kitchen)).toBe(true);
    expect((await of('print')).bytes.subarray(0, 2).toString('hex')).toBe('ffd8');
    expect(readdirSync(join(service.place.dataDir, 'blobs'))).toEqual(['drafts']);
    await eventually(() => readdirSync(join(service.place.dataDir, 'blobs', 'drafts')).length === 0);
  });

  it('draws a report, serves it by its link whole and in ranges, and redraws it if its object is lost', async () => {
    const file = await report();
    const whole = await bytesAt(file.url as string);
    expect([whole.status, hash(whole.bytes)]).toEqual([200, file.sha256]);
    const part = await bytesAt(file.url as string, { range: 'bytes=100-199' });
    expect([part.status, part.bytes.equals(whole.bytes.subarray(100, 200))]).toEqual([206, true]);
    for (const key of await keys('reports/')) await store().remove(key);
    expect((await bytesAt(file.url as string)).status).toBe(500);
    const { body } = await redraw(file.id as string);
    expect(body).toMatchObject({ identical: true, file: { sha256: file.sha256 } });
    expect((await bytesAt(file.url as string)).bytes.equals(whole.bytes)).toBe(true);
  });

  it('packs it with its originals, until its link expires', async () => {
    const { id, url } = await report();
    const { body } = await client.admin('POST', `pdf/reports/${id as string}/pack`, {});
    const files = unzipSync((await bytesAt(body.parts[0].url as string)).bytes);
    const hashes = Object.values(files).map((bytes) => hash(bytes));
    expect(hashes).toEqual(expect.arrayContaining([hash(kitchen), hash(garden)]));
    expect(await keys('packs/')).toHaveLength(1);
    service.clock.advance(169 * HOUR_MS);
    expect((await bytesAt(url as string)).status).toBe(401);
    await service.app.get(ExpiredFiles).sweep();
    expect(await keys('packs/')).toEqual([]);
  });

  it('mails it, and shows a preview', async () => {
    mailbox.mails.splice(0);
    await report({ delivery: { email: { to: [office] } } });
    const [mail] = await mailbox.received(1);
    expect(mail!.source).toContain('application/pdf');
    const sessionId = session();
    await capture(sessionId, [kitchen]);
    const { status, body } = await render(sessionId, { preview: true });
    expect([status, body]).toEqual([200, expect.objectContaining({ preview: true })]);
    const { bytes } = await bytesAt(body.file.url as string);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('accepts files of chats and documents of stores', async () => {
    const form = new FormData();
    form.append('files', new Blob([new Uint8Array(kitchen)], { type: 'image/jpeg' }), 'a.jpg');
    const [attached] = (await client.send('POST', `/api/v1/attachments/${flowId}/c`, form)).body;
    const query = new URLSearchParams({ chatflowId: flowId, chatId: 'c', fileName: attached.name as string });
    const read = await bytesAt(`${service.url}/api/v1/get-upload-file?${query.toString()}`);
    expect(read.bytes.equals(kitchen)).toBe(true);
    const embedding = { provider: 'openai-compatible', name: 'embedder', baseUrl: model.url };
    const { id } = (await client.admin('POST', 'document-stores', { name: 'Manual', embedding })).body;
    const documents = `document-stores/${id as string}/documents`;
    await client.admin('POST', documents, { name: 'manual.md', text: 'The boiler is in the loft.' });
    await eventually(async () => (await client.admin('GET', documents)).body.data[0].status === 'ready');
  });

  it('records nothing of a photograph that the bucket refuses, and returns Retry-After', async () => {
    const sessionId = session();
    faulty.fault = times(Infinity, 'PUT', busy);
    const refused = await capture(sessionId, [kitchen]);
    expect([refused.status, refused.body.code]).toEqual([503, 'overloaded']);
    faulty.fault = () => undefined;
    expect((await capture(sessionId, [kitchen])).body.session.pending).toBe(1);
  });

  it('does not blame a photograph from an address for it: that is 503 too, and recorded on a retry', async () => {
    const sessionId = session();
    const photograph = { url: `${mediaUrl()}/kitchen` };
    faulty.fault = times(Infinity, 'PUT', busy);
    const refused = await captureBody(sessionId, photograph);
    expect([refused.status, refused.body.code]).toEqual([503, 'overloaded']);
    expect(refused.headers.get('retry-after')).toBe('10');
    faulty.fault = () => undefined;
    expect((await captureBody(sessionId, photograph)).body.session.pending).toBe(1);
  });

  it('returns the recorded photographs, also if a duplicate file cannot be removed', async () => {
    const sessionId = session();
    const photograph = { data: kitchen.toString('base64') };
    faulty.calls.length = 0;
    faulty.fault = ({ method }) =>
      method === 'DELETE' ? busy : method === 'PUT' ? { kind: 'slow', ms: 300 } : undefined;
    const both = await Promise.all(
      [1, 2].map(() => captureBody(sessionId, photograph, { messageId: 'message-1' })),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both.map(({ body }) => body.session.pending as number)).toEqual([1, 1]);
    expect(faulty.calls.some(({ method }) => method === 'DELETE')).toBe(true);
  });

  it('claims nothing for a report whose pictures cannot be read, and prints no placeholder for them', async () => {
    const sessionId = session();
    await capture(sessionId, [kitchen]);
    faulty.fault = times(Infinity, 'GET', busy);
    expect((await render(sessionId)).status).toBe(503);
    faulty.fault = () => undefined;
    const { status, body } = await render(sessionId);
    expect([status, body.claimed]).toEqual([200, 1]);
    expect(body.warnings).not.toContainEqual(expect.objectContaining({ code: 'photographs_not_drawn' }));
  });

  it('is audited: an orphan is found and set aside, a blob that is listed late is not missing', async () => {
    await report();
    const late = (await keys('reports/'))[0]!;
    const { key } = await store().put('reports', Buffer.from('left'), '.pdf');
    faulty.listing.hidden.add(`house/${late}`);
    const audits = await audit(Date.now() + 25 * HOUR_MS);
    faulty.listing.hidden.clear();
    expect(audits.flatMap(({ missing }) => missing)).toEqual([]);
    expect(audits.flatMap(({ unnamed }) => unnamed.map((blob) => blob.key))).toContain(key);
    expect(doubtOf(audits)).toBeUndefined();
    await store().setAside(key);
    expect(await store().exists(key)).toBe(false);
  });

  it('is audited by a process of its own, which prints no secret', async () => {
    const register = join(__dirname, 'support', 'ts-register.cjs');
    const command = join(__dirname, '..', 'src', 'console', 'storage-audit', 'storage-audit.command.ts');
    const child = spawn(
      process.execPath,
      ['--require', register, '-e', `require(${JSON.stringify(command)})`],
      {
        env: {
          PATH: process.env['PATH'],
          DATA_DIR: service.place.dataDir,
          DATABASE_URL: service.place.databaseUrl,
          ...s3Variables(bucket.endpoint, 'house'),
        },
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(output).toMatch(/^ {2}photographs: \d+ .*missing 0$/m);
    expect(output).not.toContain('S3RVER');
    expect(code).toBe(0);
  });

  it('may move to a directory with its blobs: the same reports, to the byte', async () => {
    const file = await report();
    const directory = join(service.place.dataDir, 'blobs');
    for (const key of await keys()) {
      mkdirSync(dirname(join(directory, key)), { recursive: true });
      writeFileSync(join(directory, key), await store().read(key));
    }
    await service.close({ keep: true });
    service = await startTestApp({ place: service.place });
    rmSync(join(directory, 'reports'), { recursive: true });
    const { body } = await redraw(file.id as string);
    expect(body).toMatchObject({ identical: true, file: { sha256: file.sha256 } });
  });
});
