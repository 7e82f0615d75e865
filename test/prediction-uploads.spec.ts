import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { Logger } from '../src/common/logger.js';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { ChatFiles } from '../src/prediction/clients/chat-files.js';
import { ChatUploads } from '../src/prediction/clients/chat-uploads.js';
import { UploadSweeper } from '../src/prediction/clients/upload-sweeper.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { echoFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

const photograph = readFileSync(join(resolve(__dirname, '..'), 'samples', 'photographs', 'kitchen-1.jpg'));

/** start → capture: the answer lists the recorded photographs. */
const inspection = (more: object = {}) => ({
  name: 'Inspection',
  chat: { uploads: { isImageUploadAllowed: true } },
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'capture', kind: 'capture', config: { area: 'Kitchen' } },
  ],
  edges: [{ from: 'start', to: 'capture' }],
  ...more,
});

describe('photographs uploaded before their message', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp({ env: { MAX_PHOTO_MB: '1' } });
  });

  afterAll(() => service.close());

  const attach = (flow: string, chatId: string, bytes: Uint8Array, name = 'a.jpg', type = 'image/jpeg') => {
    const form = new FormData();
    form.append('files', new Blob([Buffer.from(bytes)], { type }), name);
    return client.send('POST', `/api/v1/attachments/${flow}/${chatId}`, form);
  };
  const read = (flow: string, fileName: string) => {
    const query = new URLSearchParams({ chatflowId: flow, chatId: 'c', fileName });
    return client.send('GET', `/api/v1/get-upload-file?${query.toString()}`);
  };
  const blobs = async () => {
    const keys: string[] = [];
    for await (const { key } of service.app.get(BlobStore).blobs()) keys.push(key);
    return keys;
  };
  const stored = (name: string) => ({ type: 'stored-file', name });
  const send = (flow: string, chatId: string, names: string[], headers: Record<string, string> = {}) =>
    client.predict(flow, { question: '', chatId, uploads: names.map(stored) }, headers);

  it('are stored, and recorded with the message that names them', async () => {
    const flow = await client.flow(inspection());
    const made = await attach(flow, 'c', photograph, 'Küche "1".jpg');
    expect(made.body).toEqual([
      {
        name: expect.stringMatching(/^[0-9a-f-]{36}-Küche/),
        mimeType: 'image/jpeg',
        size: photograph.length,
        content: '',
      },
    ]);
    const answer = JSON.parse((await send(flow, 'c', [made.body[0].name])).body.text as string);
    expect(answer.recorded).toMatchObject([{ area: 'Kitchen', bytes: photograph.length }]);
  });

  it('may be left unread by a caller who goes away, which is no error of the service', async () => {
    const flow = await client.flow(echoFlow());
    const made = await attach(flow, 'c', Buffer.alloc(1024 * 1024, 'x'), 'a.txt', 'text/plain');
    const stream = new Readable({ read: () => setImmediate(() => stream.push('x'.repeat(65_536))) });
    jest.spyOn(service.app.get(BlobStore), 'stream').mockReturnValueOnce(stream);
    const errors = jest.spyOn(service.app.get(Logger), 'error');
    const leaving = new AbortController();
    const query = new URLSearchParams({ chatflowId: flow, chatId: 'c', fileName: made.body[0].name });
    await fetch(`${service.url}/api/v1/get-upload-file?${query.toString()}`, { signal: leaving.signal });
    leaving.abort();
    await eventually(() => stream.closed);
    await new Promise(setImmediate);
    expect(errors).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it('are recorded once, however often their message is sent', async () => {
    const flow = await client.flow(inspection());
    const { name } = (await attach(flow, 'c', photograph)).body[0];
    const twin = (await attach(flow, 'c', photograph)).body[0].name;
    await send(flow, 'c', [name]);
    const answer = JSON.parse((await send(flow, 'c', [name, twin])).body.text as string);
    expect(answer).toMatchObject({ recorded: [{ index: 1 }], duplicates: [{ index: 0, messageId: name }] });
    expect(answer.session.pending).toBe(2);
  });

  it('are read once for a message that names them often, and held once in memory', async () => {
    const flow = await client.flow(inspection());
    const { name } = (await attach(flow, 'c', photograph)).body[0];
    const another = (await attach(flow, 'c', photograph)).body[0].name as string;
    const read = jest.spyOn(service.app.get(BlobStore), 'read');
    const held: number[] = [];
    const named = (stored: string) => ({ type: 'file' as const, name: stored, mime: '', stored });
    const words = { type: 'file:full' as const, name: 'a.txt', mime: 'text/plain', bytes: Buffer.from('a') };
    const filled = await service.app
      .get(ChatUploads)
      .fill({ flowId: flow, chatId: 'c' }, [named(name), named(another), words, named(name)], (bytes) =>
        held.push(bytes),
      );
    expect([held, read.mock.calls.length]).toEqual([[photograph.length, photograph.length], 2]);
    expect(filled.map(({ bytes }) => bytes?.length)).toEqual([
      ...[photograph.length, photograph.length],
      ...[1, photograph.length],
    ]);
    expect(filled[3]!.bytes).toBe(filled[0]!.bytes);
    read.mockRestore();
  });

  it('are accepted by flows that declare it, one by one, with a limit', async () => {
    const flow = await client.flow(inspection());
    const large = await attach(flow, 'c', new Uint8Array(1024 * 1024 + 1));
    expect([large.status, large.body.code]).toEqual([413, 'body_too_large']);
    expect(large.body.message).toContain('1 MB');
    expect((await attach(flow, 'c', new Uint8Array(0))).body.code).toBe('invalid_request');
    for (const name of ['IMG_1.HEIC', 'IMG_1.jpg', 'b.JPEG', 'c.png', 'd.webp', 'e.gif', 'f.tif', 'g.avif'])
      expect((await attach(flow, 'c', photograph, name, 'application/octet-stream')).status).toBe(200);
    expect((await attach(await client.flow(echoFlow()), 'c', photograph)).status).toBe(415);
  });

  it('belong to their chat and their flow', async () => {
    const flow = await client.flow(inspection());
    const { name } = (await attach(flow, 'c', photograph)).body[0];
    const other = await client.flow(inspection());
    for (const [where, chatId, given] of [
      [flow, 'another', name],
      [other, 'c', name],
      [flow, 'c', name.slice(0, 36)],
      [flow, 'c', `${name.slice(0, 36)}-b.jpg`],
      [flow, 'c', '../../admin-key'],
    ]) {
      const answer = await send(where, chatId, [given]);
      expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, 'uploads.0']);
    }
    const nameless = await client.predict(flow, { question: '', uploads: [{ type: 'stored-file' }] });
    expect(nameless.body.errors[0].path).toBe('uploads.0');
  });

  it('require a chat id like messages, and retain their names', async () => {
    const flow = await client.flow(inspection());
    for (const chatId of ['a%0ab', 'a%00b', 'x'.repeat(257)])
      expect((await attach(flow, chatId, photograph)).body.errors?.[0].path).toBe('chatId');
    const { name } = (await attach(flow, 'c', photograph, `${'a'.repeat(199)}😀.jpg`)).body[0];
    expect((name as string).isWellFormed()).toBe(true);
    expect((await send(flow, 'c', [name])).status).toBe(200);
  });

  it('are returned as bytes, whatever their names', async () => {
    const flow = await client.flow(inspection());
    const made = await attach(flow, 'c', Buffer.from('alert(1)'), 'a.js', 'text/javascript');
    const answer = await read(flow, made.body[0].name);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toContain('attachment');
  });

  it('have names without bidirectional controls', async () => {
    const flow = await client.flow(inspection());
    const name = 'invoice\u202egpj\u2066.exe';
    const made = [
      (await attach(flow, 'c', photograph, name)).body[0].name as string,
      (await attach(flow, 'c', Buffer.from('words'), name, 'text/plain')).body[0].name as string,
    ];
    expect(made.map((issued) => issued.slice(37))).toEqual(['invoicegpj.exe', 'invoicegpj.exe']);
    // A name that was issued before.
    await service.app
      .get(WriteGate)
      .write((tx) => tx.run('UPDATE chat_files SET name = ? WHERE id = ?', [name, made[0]!.slice(0, 36)]));
    for (const issued of [`${made[0]!.slice(0, 37)}${name}`, made[1]!]) {
      const answer = await read(flow, issued);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="?invoicegpj\.exe"?$/);
    }
  });

  it('are stored all or not at all', async () => {
    const flow = await client.flow(inspection());
    const before = (await blobs()).sort();
    const picture = new Blob([photograph], { type: 'image/jpeg' });
    const send = (files: Blob[]) => {
      const form = new FormData();
      for (const file of files) form.append('files', file, 'a');
      return client.send('POST', `/api/v1/attachments/${flow}/c`, form);
    };
    const archive = new Blob([Buffer.from('PK\0')], { type: 'application/zip' });
    expect((await send([picture, archive])).body.code).toBe('unsupported_media_type');
    expect((await send([picture, new Blob([], { type: 'image/jpeg' })])).body.code).toBe('invalid_request');
    expect((await send(Array<Blob>(25).fill(picture))).body.errors[0].path).toBe('files');
    expect((await blobs()).sort()).toEqual(before);
    const twenty = await send(Array<Blob>(20).fill(picture));
    expect(new Set(twenty.body.map(({ name }: { name: string }) => name)).size).toBe(20);
    expect(await blobs()).toHaveLength(before.length + 20);
  });

  it('are not read after the twentieth', async () => {
    const flow = await client.flow(inspection());
    const put = jest.spyOn(service.app.get(BlobStore), 'put');
    const form = new FormData();
    for (let index = 0; index < 25; index++)
      form.append('files', new Blob(['x'], { type: 'image/jpeg' }), 'a');
    expect((await client.send('POST', `/api/v1/attachments/${flow}/c`, form)).status).toBe(400);
    expect(put).toHaveBeenCalledTimes(20);
    put.mockRestore();
  });

  it('stand beside texts, which have a limit of their own', async () => {
    const flow = await client.flow(inspection());
    const before = await blobs();
    const largest = Buffer.alloc(5 * 1024 * 1024, 'x');
    const whole = await attach(flow, 'c', largest, 'a.txt', 'text/plain');
    expect([whole.status, whole.body[0].size]).toEqual([200, largest.length]);
    const longer = Buffer.concat([largest, Buffer.from('x')]);
    for (const type of ['text/plain', 'application/octet-stream']) {
      const refused = await attach(flow, 'c', longer, 'long.txt', type);
      expect([refused.status, refused.body.code]).toEqual([413, 'body_too_large']);
      expect(refused.body.message).toMatch(/"long.txt" is larger than 5 MB/);
    }
    expect((await attach(flow, 'c', longer, 'a.zip', 'application/zip')).status).toBe(415);
    expect(await blobs()).toHaveLength(before.length + 1);
  });

  it('are missing like unknown ones if the store has lost their bytes', async () => {
    const flow = await client.flow(inspection());
    const before = await blobs();
    const lost = (await attach(flow, 'c', photograph)).body[0].name;
    for (const key of await blobs()) if (!before.includes(key)) await service.app.get(BlobStore).remove(key);
    const issuedName = (await attach(flow, 'c', photograph)).body[0].name;
    const answer = await send(flow, 'c', [issuedName, lost]);
    expect([answer.status, answer.body.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['uploads.1'],
    ]);
    expect((await read(flow, lost)).status).toBe(404);
    expect((await read(flow, issuedName)).status).toBe(200);
  });

  it('wait a day for it, then they are deleted', async () => {
    const flow = await client.flow(inspection());
    const { name } = (await attach(flow, 'c', photograph)).body[0];
    const text = await attach(flow, 'c', Buffer.from('words'), 'a.txt', 'text/plain');
    const uploads = service.app.get(ChatUploads);
    service.clock.advance(24 * 3_600_000 - 60_000);
    await uploads.sweep();
    const key = { 'Idempotency-Key': 'late' };
    const first = await send(flow, 'c', [name], key);
    expect(first.status).toBe(200);
    // The message starts their day again, so that the same call finds them as long as its answer is stored.
    service.clock.advance(24 * 3_600_000 - 60_000);
    await uploads.sweep();
    const again = await send(flow, 'c', [name], key);
    expect([again.headers.get('idempotent-replay'), again.body]).toEqual(['true', first.body]);
    service.clock.advance(24 * 3_600_000 + 1);
    expect((await send(flow, 'c', [name])).body.errors[0].message).toContain('attach it again');
    expect(await uploads.sweep()).toBeGreaterThan(0);
    expect(await uploads.sweep()).toBe(0);
    expect((await read(flow, name)).status).toBe(404);
    expect((await read(flow, text.body[0].name)).text).toBe('words');
  });

  it('are swept, and so are texts whose flow is deleted', async () => {
    const [living, deleted] = [await client.flow(inspection()), await client.flow(inspection())];
    const attachText = async (flow: string) =>
      (await attach(flow, 'c', Buffer.from('words'), 'a.txt', 'text/plain')).body[0].name as string;
    const words = await attachText(living);
    await attach(living, 'c', photograph);
    const before = (await blobs()).sort();
    for (let index = 0; index < 3; index++) await attachText(deleted);
    const sweeper = service.app.get(UploadSweeper);
    await sweeper.sweep();
    expect(await blobs()).toHaveLength(before.length + 3);
    expect((await client.admin('DELETE', `flows/${deleted}`)).status).toBe(204);
    const photographs = jest.spyOn(service.app.get(ChatUploads), 'sweep').mockRejectedValue(new Error());
    await sweeper.sweep();
    photographs.mockRestore();
    expect((await blobs()).sort()).toEqual(before);
    expect((await read(living, words)).text).toBe('words');
  });

  it('are swept in any number', async () => {
    const ids = Array.from({ length: 450 }, () => randomUUID());
    await service.app.get(WriteGate).write(async (tx) => {
      for (const id of ids)
        await tx.run(
          `INSERT INTO chat_files (id, flow_id, chat_id, name, mime, bytes, blob_key, created_at)
           VALUES (?, 'no-more', 'c', 'a', 'text/plain', 1, ?, 1)`,
          [id, `attachments/${id.slice(0, 2)}/${id}`],
        );
    });
    expect(await service.app.get(ChatFiles).sweep()).toBe(ids.length);
    expect(await service.app.get(ChatFiles).sweep()).toBe(0);
  });
});
