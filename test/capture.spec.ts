import { createHash, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { startTestApp, type TestApp } from './support/app.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const open = { name: 'Inspection', nodes: [{ id: 'start', kind: 'start', config: {} }], edges: [] };
const uri = (bytes: Buffer, mime = 'image/jpeg') => `data:${mime};base64,${bytes.toString('base64')}`;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('POST /api/v1/inspection/capture', () => {
  let app: TestApp;
  let client: ServiceClient;
  let flowId: string;
  let jpeg: Buffer;
  let media: Server;
  let mediaUrl: string;

  beforeAll(async () => {
    media = createServer((request, response) => {
      if (request.url === '/big') response.end(Buffer.alloc(1_200_000, 1));
      else if (request.url === '/gone') response.writeHead(404).end();
      else response.end(jpeg);
    });
    await new Promise<void>((resolve) => media.listen(0, '127.0.0.1', resolve));
    const target = `127.0.0.1:${(media.address() as AddressInfo).port}`;
    mediaUrl = `http://${target}`;
    app = await startTestApp({
      env: {
        MAX_PHOTOS: '6',
        MAX_PHOTO_MB: '1',
        FETCH_ALLOW_HTTP: 'true',
        OUTBOUND_ALLOW: target,
      },
    });
    client = new ServiceClient(() => app);
    flowId = await client.flow(open);
    jpeg = await smallJpeg(640, 480);
  });
  afterAll(async () => {
    await app.close();
    media.close();
  });

  const session = () => `447700900123-${randomUUID()}`;
  const capture = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
    client.send('POST', '/api/v1/inspection/capture', { flowId, ...body }, headers);
  const photo = async (more: object = {}) => ({ data: uri(await smallJpeg(640, 480)), ...more });
  const admin = (path: string) => client.admin('GET', `inspection/${path}`);
  const bytesOf = async (path: string) => {
    const answer = await fetch(`${app.url}/api/v1/inspection/${path}`, {
      headers: { authorization: `Bearer ${app.adminKey}` },
    });
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const blobs = () =>
    readdirSync(join(app.place.dataDir, 'blobs'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    ).length;

  describe('records a batch immediately against the current area', () => {
    it('and returns the recorded photographs', async () => {
      const sessionId = session();
      const { status, body, headers } = await capture({
        sessionId,
        area: 'Kitchen',
        captureTs: '1792890000',
        photographs: [{ data: uri(jpeg), name: 'IMG_1.jpg', caption: 'Sink' }],
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        sessionId,
        area: 'Kitchen',
        areaType: 'room',
        recorded: [
          {
            id: expect.stringMatching(/^[0-9a-f-]{14}7/),
            index: 0,
            area: 'Kitchen',
            sha256: sha256(jpeg),
            bytes: jpeg.length,
            width: 640,
            height: 480,
            capturedAt: '2026-10-25T01:00:00.000Z',
            source: 'captureTs',
          },
        ],
        duplicates: [],
        rejected: [],
        warnings: [],
        session: {
          pending: 1,
          currentArea: 'Kitchen',
          areas: [{ area: 'Kitchen', areaType: 'room', photographs: 1, remarks: 0, pending: 1 }],
          outstandingAreas: ['electricity-meter', 'gas-meter', 'water-meter', 'keys', 'detectors'],
        },
        executionId: headers.get('x-execution-id'),
      });
    });

    it('with a record of the call, which is free', async () => {
      const { body } = await capture({ sessionId: 'recorded', area: 'Hall', remark: 'Scuffed' });
      expect(await client.ended(body.executionId)).toMatchObject({
        kind: 'capture',
        flowId,
        chatId: 'recorded',
        status: 'succeeded',
        httpStatus: 200,
        credits: 0,
        question: 'Scuffed',
      });
    });

    it('with the original unchanged and a print without metadata', async () => {
      const sent = await sharp(await smallJpeg(900, 600))
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer();
      const { body } = await capture({ sessionId: session(), photographs: [{ data: uri(sent) }] });
      const { id, width, height } = body.recorded[0];
      expect([width, height]).toEqual([600, 900]);
      const original = await bytesOf(`photographs/${id}/original`);
      expect(original.bytes.equals(sent)).toBe(true);
      expect(original.answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(original.answer.headers.get('content-disposition')).toContain('attachment');
      const print = await bytesOf(`photographs/${id}/print`);
      expect(await sharp(print.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 600, height: 900 });
      expect((await sharp(print.bytes).metadata()).exif).toBeUndefined();
    });

    it('also as multipart, with details in photographsMeta', async () => {
      const form = new FormData();
      form.set('flowId', flowId);
      form.set('chatId', 'by-form');
      form.set('area', 'Bedroom 1');
      form.set(
        'photographsMeta',
        JSON.stringify([{ captureTs: 1504902988, messageId: 'm1' }, { captureTs: 'soon' }]),
      );
      for (const name of ['a.jpg', 'b.jpg'])
        form.append('photographs', new Blob([await smallJpeg(640, 480)]), name);
      form.append('photographs', new Blob(['text']), 'c.jpg');
      form.append('photographs', new Blob([Buffer.alloc(1_200_000, 1)]), 'd.jpg');
      const { status, body } = await client.send('POST', '/api/v1/inspection/capture', form);
      expect(status).toBe(200);
      expect(
        body.recorded.map((each: { index: number; source: string }) => [each.index, each.source]),
      ).toEqual([
        [0, 'captureTs'],
        [1, 'server'],
      ]);
      expect(body.rejected.map((each: { index: number; code: string }) => [each.index, each.code])).toEqual([
        [2, 'unsupported_type'],
        [3, 'photo_too_large'],
      ]);
      expect(body.rejected[1].message).toBe('The photograph is larger than 1 MB. Send it smaller.');
      expect(body.warnings).toContainEqual(
        expect.objectContaining({ code: 'capture_ts_unreadable', path: 'photographs[1].captureTs' }),
      );
    });
  });

  it('from files in form fields of any name, except empty ones', async () => {
    const before = blobs();
    const form = new FormData();
    for (const [name, value] of Object.entries({ flowId, sessionId: session(), area: 'Hall' }))
      form.set(name, value);
    const meta: object[] = ['m0', 'm1', 'm2', 'm3'].map((messageId) => ({ messageId }));
    meta[1] = { messageId: 'm1', name: 'meta.jpg' };
    form.set('photographsMeta', JSON.stringify(meta));
    form.append('photographs', new Blob([]), '');
    for (const name of ['file', 'data']) form.append(name, new Blob([await smallJpeg(640, 480)]), 'a.jpg');
    form.append('uploads', new Blob([]), 'empty.jpg');
    form.append('K\u00fcche', new Blob([await smallJpeg(640, 480)]), 'b.jpg');
    const { body } = await client.send('POST', '/api/v1/inspection/capture', form);
    expect(body.recorded.map((each: { index: number }) => each.index)).toEqual([0, 1, 3]);
    expect(body.rejected).toMatchObject([{ index: 2, code: 'empty_file' }]);
    expect(blobs()).toBe(before + 6);
    const { photographs } = (await admin(`sessions/${body.sessionId}`)).body;
    expect(photographs.map((each: { name: string }) => each.name)).toEqual(['a.jpg', 'meta.jpg', 'b.jpg']);
    const again = await client.send('POST', '/api/v1/inspection/capture', form);
    expect(again.body.duplicates.map((each: { messageId: string }) => each.messageId)).toEqual([
      ...['m0', 'm1', 'm3'],
    ]);
  });

  describe('tracks the current area', () => {
    const areaOf = async (body: object) => (await capture(body)).body.area as string;

    it('of each session, set by an area and closed by a remark', async () => {
      const sessionId = session();
      expect(await areaOf({ sessionId, photographs: [await photo()] })).toBe('General');
      await capture({ sessionId, area: 'Kitchen' });
      expect(await areaOf({ sessionId, photographs: [await photo()] })).toBe('Kitchen');
      const closing = await capture({ sessionId, remark: 'Worktop burnt' });
      expect(closing.body).toMatchObject({ area: 'Kitchen', session: { currentArea: null } });
      expect(await areaOf({ sessionId: session(), photographs: [await photo()] })).toBe('General');
    });

    it('with single blanks, whatever the typed spaces', async () => {
      const sessionId = session();
      const { body } = await capture({ sessionId, area: '\u00a0Living \t room\n 1 ' });
      expect([body.area, body.session.currentArea]).toEqual(['Living room 1', 'Living room 1']);
    });

    it('for album siblings that arrive up to 60 s after the remark', async () => {
      const sessionId = session();
      const at = 1_792_890_000;
      await capture({ sessionId, area: 'Bathroom', remark: 'Mould', captureTs: at });
      const { body } = await capture({
        sessionId,
        photographs: [await photo({ captureTs: at + 60 }), await photo({ captureTs: at + 61 })],
      });
      expect(body.recorded.map((each: { area: string }) => each.area)).toEqual(['Bathroom', 'General']);
    });

    it('in any spelling', async () => {
      const sessionId = session();
      await capture({ sessionId, area: 'bedroom-1', photographs: [await photo()] });
      const { body } = await capture({ sessionId, area: 'Bedroom  1', photographs: [await photo()] });
      expect(body.session.areas).toEqual([
        { area: 'Bedroom 1', areaType: 'room', photographs: 2, remarks: 0, pending: 2 },
      ]);
    });

    it('in the type of its records, if another area came between', async () => {
      const sessionId = session();
      await capture({ sessionId, area: 'Studio', areaType: 'external', photographs: [await photo()] });
      await capture({ sessionId, area: 'Kitchen', photographs: [await photo()] });
      const { body } = await capture({ sessionId, area: 'studio', photographs: [await photo()] });
      expect(body.areaType).toBe('external');
      const remarked = await capture({ sessionId, remark: 'Door sticks' });
      expect(remarked.body).toMatchObject({ area: 'studio', areaType: 'external' });
      const given = await capture({ sessionId, area: 'Studio', areaType: 'room', remark: 'Mine' });
      expect(given.body.areaType).toBe('room');
    });

    it('and the outstanding areas', async () => {
      const sessionId = session();
      await capture({ sessionId, area: 'Elec meter', photographs: [await photo()] });
      await capture({ sessionId, area: 'keys', remark: 'Two sets' });
      const { body } = await capture({ sessionId, area: 'Key safe', photographs: [await photo()] });
      expect(body.session.outstandingAreas).toEqual(['gas-meter', 'water-meter', 'detectors']);
      const skipping = await capture({ sessionId, area: 'Hall', skippedAreas: 'gas-meter|Water Meter|' });
      expect(skipping.body.session.outstandingAreas).toEqual(['detectors']);
    });

    it('for two captures at once, both of which are recorded', async () => {
      const sessionId = session();
      const answers = await Promise.all(
        Array.from({ length: 12 }, async (_, index) =>
          capture({
            sessionId,
            area: `Room ${index}`,
            photographs: [await photo()],
            remark: `Note ${index}`,
          }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
      const { body } = await admin(`sessions/${sessionId}`);
      expect(body.photographs).toHaveLength(12);
      expect(body.remarks).toHaveLength(12);
      expect(body.areas).toHaveLength(12);
    });
  });

  describe('never loses the good photographs of a batch', () => {
    it('because of broken ones, which it lists with their reasons', async () => {
      const before = blobs();
      const { status, body } = await capture({
        sessionId: session(),
        photographs: [
          await photo(),
          { data: Buffer.from('not a picture').toString('base64') },
          { data: '' },
          { data: uri(jpeg.subarray(0, 100)) },
          { url: 'http://127.0.0.1:1/x.jpg' },
          { data: 'not base64 at all!' },
          await photo(),
        ],
      });
      expect(status).toBe(200);
      expect(body.recorded.map((each: { index: number }) => each.index)).toEqual([0]);
      expect(body.rejected.map((each: { index: number; code: string }) => [each.index, each.code])).toEqual([
        [1, 'unsupported_type'],
        [2, 'undecodable'],
        [3, 'undecodable'],
        [4, 'fetch_refused'],
        [5, 'undecodable'],
        [6, 'too_many_photographs'],
      ]);
      for (const { message } of body.rejected) expect(message).toMatch(/\.$/);
      const record = await client.ended(body.executionId as string);
      expect(record.answer).toContain(
        `1 recorded, 6 rejected (photograph 2: ${body.rejected[0].message} photograph 3: `,
      );
      expect(record.answer).toMatch(/ and 1 more\), 1 pending$/);
      expect(blobs()).toBe(before + 2);
    });

    it('and returns 422 if none is usable and there is no remark', async () => {
      const before = blobs();
      const broken = [{ data: 'AAAA' }, null];
      const refused = await capture({ sessionId: session(), photographs: broken });
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({
        code: 'no_usable_photograph',
        rejected: [{ index: 0 }, { index: 1 }],
      });
      expect(await client.ended(refused.body.executionId)).toMatchObject({
        status: 'rejected',
        httpStatus: 422,
        code: 'no_usable_photograph',
      });
      expect((await capture({ sessionId: session(), photographs: broken, remark: 'x' })).status).toBe(200);
      expect(blobs()).toBe(before);
    });
  });

  describe('drops duplicates only by an explicit key', () => {
    it('of the photograph, counted among equal ids', async () => {
      const sessionId = session();
      const album = [await photo({ messageId: 'wamid.1' }), await photo({ messageId: 'wamid.1' })];
      const first = await capture({ sessionId, area: 'Kitchen', photographs: album });
      expect(first.body.recorded).toHaveLength(2);
      await capture({ sessionId, area: 'Hall' });
      const again = await capture({ sessionId, area: 'Kitchen', photographs: album });
      expect(again.status).toBe(200);
      expect(again.body.recorded).toEqual([]);
      expect(again.body.duplicates).toEqual(
        first.body.recorded.map(({ id, index }: { id: string; index: number }) => ({
          index,
          id,
          messageId: 'wamid.1',
        })),
      );
      expect(again.body.session).toMatchObject({ pending: 2, currentArea: 'Hall' });
    });

    it('of the batch, with the index', async () => {
      const sessionId = session();
      const batch = {
        sessionId,
        messageId: 'batch-7',
        photographs: [await photo(), await photo()],
        remark: 'Once',
      };
      await capture(batch);
      const again = await capture({ ...batch, photographs: [...batch.photographs, await photo()] });
      expect(again.body.duplicates).toHaveLength(2);
      expect(again.body.recorded).toHaveLength(1);
      expect(again.body.session.areas[0].remarks).toBe(1);
    });

    it('also if both come at once', async () => {
      const sessionId = session();
      const batch = { sessionId, photographs: [await photo({ messageId: 'twice' })] };
      const answers = await Promise.all([capture(batch), capture(batch), capture(batch)]);
      const recorded = answers.flatMap(({ body }) => body.recorded);
      expect(recorded).toHaveLength(1);
      expect(answers.flatMap(({ body }) => body.duplicates)).toEqual(
        [0, 0].map((index) => ({ index, id: recorded[0].id, messageId: 'twice' })),
      );
    });

    it('never by equal bytes, which are only a hint', async () => {
      const sessionId = session();
      const same = await photo();
      const { body } = await capture({ sessionId, photographs: [same, same] });
      expect(body.recorded).toHaveLength(2);
      expect(body.recorded[0].sameContentAs).toBeUndefined();
      expect(body.recorded[1].sameContentAs).toBe(body.recorded[0].id);
      const elsewhere = await capture({ sessionId: session(), photographs: [same] });
      expect(elsewhere.body.recorded).toHaveLength(1);
      expect(elsewhere.body.warnings).toContainEqual(
        expect.objectContaining({ code: 'same_picture_elsewhere' }),
      );
    });
  });

  describe('applies the access rules of the flow', () => {
    it('with 404 for an unknown flow, 400 without one, and then faults of the body', async () => {
      expect((await capture({ flowId: undefined, sessionId: 's', remark: 'x' })).body.code).toBe(
        'invalid_request',
      );
      const unknown = await capture({ flowId: 'no-such-flow', nonsense: true });
      expect([unknown.status, unknown.body.code]).toEqual([404, 'flow_not_found']);
      const faulty = await capture({ sessionId: 's', area: 5 });
      expect([faulty.status, faulty.body.errors[0].path]).toEqual([400, 'area']);
      const query = await client.send('POST', `/api/v1/inspection/capture?flowId=${flowId}`, {
        sessionId: 's',
        remark: 'x',
      });
      expect(query.status).toBe(200);
      const both = await client.send('POST', `/api/v1/inspection/capture?flowId=${flowId}`, {
        flowId: 'b',
        sessionId: 's',
        remark: 'x',
      });
      expect(both.status).toBe(400);
    });

    it('with 401 without the key of a keyed flow, which also opens its sessions and files', async () => {
      const { body: key } = await client.admin('POST', 'api-keys', { name: 'agency' });
      const keyed = await client.flow({ ...open, name: 'Keyed', access: { apiKeyId: key.id } });
      const headers = { authorization: `Bearer ${key.key}` };
      const sessionId = session();
      const batch = { flowId: keyed, sessionId, photographs: [await photo()] };
      expect((await capture(batch)).status).toBe(401);
      const recorded = await capture(batch, headers);
      expect(recorded.status).toBe(200);
      const get = async (path: string, more: Record<string, string> = {}) =>
        (await client.send('GET', `/api/v1/inspection/${path}`, undefined, more)).status;
      const { id } = recorded.body.recorded[0];
      for (const path of [`sessions?flowId=${keyed}`, `sessions/${sessionId}`, `photographs/${id}/print`]) {
        expect([await get(path), await get(path, headers)]).toEqual([401, 200]);
      }
      expect(await get('sessions', headers)).toBe(401);
      const other = await capture({ sessionId: session(), photographs: [await photo()] });
      expect(await get(`photographs/${other.body.recorded[0].id}/original`, headers)).toBe(401);
      expect(await get(`photographs/${randomUUID()}/original`, headers)).toBe(401);
      expect((await admin(`photographs/${randomUUID()}/original`)).status).toBe(404);
      expect((await admin('photographs/%2e%2e%2fx/original')).status).toBe(404);
      expect((await admin('sessions/nobody')).status).toBe(404);
    });
  });

  it('answers a broken multipart body, stores none of its files and keeps running', async () => {
    const before = blobs();
    const head = '--x\r\ncontent-disposition: form-data; name="photographs"; filename="a.jpg"\r\n\r\n';
    for (const body of [
      '--x\r\n\r\nfoo',
      head,
      `${head}${jpeg.toString('latin1')}`,
      '',
      '--x--',
      `${head}\r\n--x\r\nbad`,
    ]) {
      const answer = await client.send('POST', '/api/v1/inspection/capture', body, {
        'content-type': 'multipart/form-data; boundary=x',
      });
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    }
    expect(blobs()).toBe(before);
    expect((await capture({ sessionId: session(), remark: 'Still here' })).status).toBe(200);
  });

  it('replays the answer under the same Idempotency-Key', async () => {
    const sessionId = session();
    const batch = { sessionId, photographs: [await photo()] };
    const headers = { 'idempotency-key': 'once' };
    const first = await capture(batch, headers);
    const second = await capture(batch, headers);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replay')).toBe('true');
    expect(second.headers.get('x-execution-id')).not.toBe(first.headers.get('x-execution-id'));
    const other = await capture({ sessionId, remark: 'x' }, headers);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await admin(`sessions/${sessionId}`)).body.pending).toBe(1);
  });

  describe('fetches photographs by their address at once', () => {
    it('and rejects those that cannot be fetched', async () => {
      const { body } = await capture({
        sessionId: session(),
        photographs: [
          { url: `${mediaUrl}/one` },
          { url: `${mediaUrl}/gone` },
          { url: `${mediaUrl}/big` },
          { url: 'ftp://x/y' },
          { url: 'http://[::1]/' },
        ],
      });
      expect(body.recorded[0].sha256).toBe(sha256(jpeg));
      expect(body.rejected.map((each: { code: string }) => each.code)).toEqual([
        'fetch_failed',
        'fetch_failed',
        'fetch_refused',
        'fetch_refused',
      ]);
    });
  });

  it('survives a restart', async () => {
    const place = app.place;
    const sessionId = session();
    const { body } = await capture({ sessionId, area: 'Attic', photographs: [await photo()] });
    await app.close({ keep: true });
    app = await startTestApp({ place });
    expect((await admin(`sessions/${sessionId}`)).body).toMatchObject({ currentArea: 'Attic', pending: 1 });
    expect((await bytesOf(`photographs/${body.recorded[0].id}/original`)).answer.status).toBe(200);
  });
});
