import { randomUUID } from 'node:crypto';
import sharp, { type Exif } from 'sharp';
import { RenderFixture } from './fixtures/renders.js';
import { smallJpeg } from './support/recorded-photographs.js';
import type { Answer } from './support/service-client.js';

const LEEDS = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '53/1 48/1 0/1',
  GPSLongitudeRef: 'W',
  GPSLongitude: '1/1 33/1 0/1',
};

/** An EXIF block of 64 KB with thousands of entries, each of which claims all of its bytes. */
function hostileExif(): Buffer {
  const bytes = Buffer.alloc(65_000, 1);
  bytes.write('Exif\0\0II*\0', 'latin1');
  bytes.writeUInt32LE(8, 10);
  bytes.writeUInt16LE(5400, 14);
  for (let entry = 0; entry < 5400; entry++) {
    const at = 16 + entry * 12;
    bytes.writeUInt16LE(entry + 1, at);
    bytes.writeUInt16LE(1, at + 2);
    bytes.writeUInt32LE(0x7fff_ffff, at + 4);
  }
  return bytes;
}

/** Returns the JPEG with this block as its first segment. */
function withSegment(jpeg: Buffer, block: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(block.length + 2, 4);
  return Buffer.concat([head, block, jpeg.subarray(2)]);
}

describe('the EXIF data of a picture', () => {
  const room = new RenderFixture();
  const { client } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const session = () => `camera-${randomUUID()}`;
  const pictureOf = async (exif: Exif, format: 'jpeg' | 'png' | 'webp' = 'jpeg') =>
    sharp(await smallJpeg())
      .withExif(exif)
      [format]()
      .toBuffer();
  const capture = (sessionId: string, pictures: Buffer[], more: object = {}): Promise<Answer> =>
    client.send('POST', '/api/v1/inspection/capture', {
      flowId: room.flowId,
      ...{ sessionId, area: 'Kitchen', captureTs: '2026-06-01T10:00:00Z' },
      photographs: pictures.map((picture) => ({ data: picture.toString('base64') })),
      ...more,
    });
  const codesOf = ({ body }: Answer) =>
    body.warnings.map(({ code, path }: { code: string; path: string }) => [code, path]);
  const seen = async (sessionId: string) =>
    (await client.admin('GET', `inspection/sessions/${sessionId}`)).body.photographs;

  it.each(['jpeg', 'png', 'webp'] as const)(
    'is stored with a photograph in %s, whose own time stays',
    async (format) => {
      const sessionId = session();
      const picture = await pictureOf(
        {
          IFD0: { Make: 'Google', Model: 'Pixel 9' },
          IFD2: { DateTimeOriginal: '2026:06:01 10:59:00', OffsetTimeOriginal: '+01:00' },
          IFD3: LEEDS,
        },
        format,
      );
      const answer = await capture(sessionId, [picture]);
      expect(codesOf(answer)).toEqual([]);
      expect(await seen(sessionId)).toMatchObject([
        {
          capturedAt: '2026-06-01T10:00:00.000Z',
          source: 'captureTs',
          camera: {
            time: '2026-06-01T10:59:00+01:00',
            place: { latitude: 53.8, longitude: -1.55 },
            device: 'Google Pixel 9',
          },
        },
      ]);
    },
  );

  it('is absent from a photograph without it', async () => {
    const sessionId = session();
    await capture(sessionId, [await smallJpeg()]);
    expect((await seen(sessionId))[0]).not.toHaveProperty('camera');
  });

  it('causes a warning if its time is more than a day from the sent time, or from the receipt', async () => {
    const old = await pictureOf({ IFD2: { DateTimeOriginal: '2026:05:30 10:00:00' } });
    const fresh = await pictureOf({ IFD2: { DateTimeOriginal: '2026:06:01 09:00:00' } });
    expect(codesOf(await capture(session(), [fresh, old]))).toEqual([
      ['camera_time_differs', 'photographs[1]'],
    ]);
    const other = await pictureOf({ IFD2: { DateTimeOriginal: '2026:06:01 09:00:00' } });
    const without = await capture(session(), [other], { captureTs: undefined });
    expect(without.body.recorded[0].source).toBe('server');
    expect(codesOf(without)).toEqual([['camera_time_differs', 'photographs[0]']]);
  });

  it('stands in the list of evidence, and causes a warning if it is more than 1 km from the property', async () => {
    const sessionId = session();
    const there = await pictureOf({ IFD0: { Model: 'Camera 1' }, IFD3: LEEDS });
    expect(codesOf(await capture(sessionId, [there, await smallJpeg()]))).toEqual([]);
    const geo = { latitude: 53.8, longitude: -1.58 };
    const { body } = await room.render({ sessionId, meta: { geo } });
    const { signed } = (await client.admin('GET', `pdf/reports/${body.file.id}/manifest`)).body;
    expect(signed.manifest.photographs[0].camera).toEqual({
      place: { latitude: 53.8, longitude: -1.55 },
      device: 'Camera 1',
    });
    expect(signed.manifest.photographs[1]).not.toHaveProperty('camera');
    const again = await capture(sessionId, [await pictureOf({ IFD3: LEEDS })]);
    expect(codesOf(again)).toEqual([['place_differs', 'photographs[0]']]);
  });

  it("is compared with the property in the inspection's record", async () => {
    const sessionId = session();
    await capture(sessionId, [await smallJpeg()]);
    const details = { geo: { latitude: 53.8, longitude: -1.58 } };
    await client.admin('PATCH', `inspection/sessions/${sessionId}/details`, details);
    const answer = await capture(sessionId, [await pictureOf({ IFD3: LEEDS })]);
    expect(codesOf(answer)).toEqual([['place_differs', 'photographs[0]']]);
  });

  it('never costs a photograph, whatever its block claims', async () => {
    const sessionId = session();
    const { body } = await capture(sessionId, [
      withSegment(await smallJpeg(), hostileExif()),
      withSegment(await smallJpeg(), Buffer.from('Exif\0\0II*\0\xff\xff\xff\xff', 'latin1')),
      withSegment(await smallJpeg(), Buffer.from('Exif\0\0')),
    ]);
    expect(body.recorded).toHaveLength(3);
    expect(body.warnings).toEqual([]);
    const photographs = await seen(sessionId);
    for (const photograph of photographs) expect(photograph).not.toHaveProperty('camera');
  });
});
