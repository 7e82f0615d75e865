import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { codedIn, heic, heicFixture } from '../../../test/fixtures/heic.js';
import { tiff } from '../../../test/fixtures/tiff.js';
import { readCamera } from './camera.js';
import { openPicture } from './open-picture.js';

const exif = (parts: Parameters<ReturnType<typeof sharp>['withExif']>[0]) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
    .withExif(parts)
    .jpeg()
    .toBuffer()
    .then((bytes) => sharp(bytes).metadata())
    .then((metadata) => metadata.exif);

/** A directory at 8 with these entries (tag, type, count, value), in the byte order of Intel. */
function block(entries: readonly (readonly [number, number, number, number])[], next = 0): Buffer {
  const bytes = Buffer.alloc(10 + entries.length * 12 + 4);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8, 4);
  bytes.writeUInt16LE(entries.length, 8);
  entries.forEach(([tag, type, count, value], index) => {
    const at = 10 + index * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  });
  bytes.writeUInt32LE(next, bytes.length - 4);
  return bytes;
}

describe('the word of a picture on its taking', () => {
  it('is its time with its offset, its place and its device', async () => {
    const said = await exif({
      IFD0: { Make: 'Apple', Model: 'iPhone 15' },
      IFD2: { DateTimeOriginal: '2026:10:25 01:30:07', OffsetTimeOriginal: '+01:00' },
      IFD3: {
        ...{ GPSLatitudeRef: 'N', GPSLatitude: '53/1 47/1 5988/100' },
        ...{ GPSLongitudeRef: 'W', GPSLongitude: '1/1 32/1 5676/100' },
      },
    });
    expect(readCamera(said)).toEqual({
      time: '2026-10-25T01:30:07+01:00',
      place: { latitude: 53.799967, longitude: -1.5491 },
      device: 'Apple iPhone 15',
    });
  });

  it('is its time without an offset where it says none, and the maker once', async () => {
    const said = await exif({
      IFD0: { Make: 'Canon', Model: 'Canon EOS R6', DateTime: '2027:01:01 00:00:00' },
      IFD2: { DateTimeOriginal: '2026:06:01 09:00:00', OffsetTimeOriginal: '+99:00' },
    });
    expect(readCamera(said)).toEqual({ time: '2026-06-01T09:00:00', device: 'Canon EOS R6' });
  });

  it('is the time of the file where nothing else is said', async () => {
    const said = await exif({ IFD0: { DateTime: '2026:06:01 09:00:00' } });
    expect(readCamera(said)).toEqual({ time: '2026-06-01T09:00:00' });
  });

  it('is its place in decimal minutes, with seconds of 0/0', async () => {
    const said = await exif({
      IFD3: {
        ...{ GPSLatitudeRef: 'N', GPSLatitude: '48/1 533236/10000 0/0' },
        ...{ GPSLongitudeRef: 'E', GPSLongitude: '21/1 25951/10000 0/0' },
      },
    });
    expect(readCamera(said)).toEqual({ place: { latitude: 48.888727, longitude: 21.043252 } });
  });

  it.each([0x0132, 0x9003, 0x9004])('is its time under tag %i, padded with zeros', (tag) => {
    const times = Buffer.from('2026:06:01 09:00:00\0\0\0\0', 'latin1');
    const bare = block([[tag, 2, times.length, 26]]);
    const directory = tag === 0x0132 ? bare : block([[0x8769, 4, 1, 26]]);
    const inner = block([[tag, 2, times.length, 26 + 18]]).subarray(8);
    const said = Buffer.concat(tag === 0x0132 ? [bare, times] : [directory, inner, times]);
    expect(readCamera(said)).toEqual({ time: '2026-06-01T09:00:00' });
  });

  it('is behind a pointer of the signed type too', () => {
    const device = [0x010f, 2, 4, 0x0042_4142] as const;
    expect(readCamera(block([device, [0x8825, 9, 1, 38]]))).toEqual({ device: 'BAB' });
  });

  it.each([
    ['a clock that was never set', { IFD2: { DateTimeOriginal: '0000:00:00 00:00:00' } }],
    ['a time in other words', { IFD2: { DateTimeOriginal: 'yesterday, at noon.' } }],
    ['half a place', { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '53/1 47/1 0/1' } }],
    [
      'a place divided by nothing',
      {
        IFD3: {
          ...{ GPSLatitudeRef: 'N', GPSLatitude: '0/0 0/0 0/0' },
          ...{ GPSLongitudeRef: 'W', GPSLongitude: '0/0 0/0 0/0' },
        },
      },
    ],
    [
      'the place of a phone that does not know it yet',
      {
        IFD3: {
          ...{ GPSLatitudeRef: 'N', GPSLatitude: '0/1 0/1 0/1' },
          ...{ GPSLongitudeRef: 'E', GPSLongitude: '0/1 0/1 0/1' },
        },
      },
    ],
    [
      'a place off the globe',
      {
        IFD3: {
          ...{ GPSLatitudeRef: 'N', GPSLatitude: '91/1 0/1 0/1' },
          ...{ GPSLongitudeRef: 'W', GPSLongitude: '1/1 0/1 0/1' },
        },
      },
    ],
    ['a device of blanks', { IFD0: { Make: ' \u0007 ', Model: '\u001b ' } }],
  ])('is nothing for %s', async (_, parts) => expect(readCamera(await exif(parts))).toBeUndefined());

  it('keeps names short and free of control characters', async () => {
    const camera = readCamera(await exif({ IFD0: { Make: `Ma\u001bker${'x'.repeat(5000)}`, Model: 'M' } }));
    expect(camera?.device).toMatch(/^Ma kerx{94}$/);
  });

  it('is nothing without a block, for an empty one and for any that is cut off', async () => {
    const whole = (await exif({
      IFD0: { Make: 'Maker' },
      IFD2: { DateTimeOriginal: '2026:06:01 09:00:00' },
    }))!;
    expect(readCamera(undefined)).toBeUndefined();
    for (let length = 0; length < whole.length; length++)
      expect(() => readCamera(whole.subarray(0, length))).not.toThrow();
  });

  it('is nothing of any bytes changed, which never throw', async () => {
    const whole = (await exif({ IFD0: { Make: 'Maker' }, IFD3: { GPSLatitudeRef: 'N' } }))!;
    for (let at = 0; at < whole.length; at++)
      for (const value of [0, 1, 7, 0x7f, 0xff]) {
        const changed = Buffer.from(whole);
        changed[at] = value;
        expect(() => readCamera(changed)).not.toThrow();
      }
  });

  describe('is read whatever else its block claims:', () => {
    const MAKE = [0x010f, 2, 4, 0x0042_4142] as const;
    const FAR = 0x7fff_ffff;

    it.each([
      ['an entry with more numbers than any camera writes', block([MAKE, [1, 1, FAR, 0]])],
      ['thousands of entries', block([MAKE, ...Array.from({ length: 5000 }, () => [1, 1, 1, 0] as const)])],
      ['a directory behind a pointer that is no offset', block([MAKE, [0x8769, 5, 1, 8]])],
      ['a directory outside of it', block([MAKE, [0x8769, 4, 1, FAR], [0x8825, 4, 1, FAR]])],
      ['a block of more than 128 KB', Buffer.concat([block([MAKE]), Buffer.alloc(128 * 1024)])],
      [
        'no directory of a thumbnail where it points',
        Buffer.concat([block([MAKE], 26), Buffer.alloc(9, 255)]),
      ],
      [
        'no directory about exchange where it points',
        Buffer.concat([
          block([MAKE, [0x8769, 4, 1, 38]]),
          block([[0xa005, 4, 1, 56]]).subarray(8),
          Buffer.alloc(9, 255),
        ]),
      ],
    ])('%s', (_, said) => expect(readCamera(said)).toEqual({ device: 'BAB' }));

    it('directories that lead in a circle', () =>
      expect(readCamera(block([MAKE, [0x8769, 4, 1, 8], [0x8825, 4, 1, 8]], 8))).toEqual({ device: 'BAB' }));
  });

  describe('is read from', () => {
    const said = { time: '2026-06-01T09:00:00', device: 'Thermal 2' };

    it('a TIFF, which is such a block itself', async () => {
      const file = tiff({ width: 16, height: 16 }, [Buffer.alloc(768, 99)], {
        0x0110: 'Thermal 2',
        0x0132: '2026:06:01 09:00:00',
      });
      expect((await openPicture(file, 'tiff', 1e6)).camera).toEqual(said);
    });

    it('a PNG, where it follows the pixels', async () => {
      const block = (await exif({ IFD0: { Model: 'Thermal 2', DateTime: '2026:06:01 09:00:00' } }))!.subarray(
        6,
      );
      const plain = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
        .png()
        .toBuffer();
      const chunk = Buffer.alloc(block.length + 12);
      chunk.writeUInt32BE(block.length);
      chunk.write('eXIf', 4, 'latin1');
      block.copy(chunk, 8);
      chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
      const file = Buffer.concat([plain.subarray(0, -12), chunk, plain.subarray(-12)]);
      expect((await openPicture(file, 'png', 1e6)).camera).toEqual(said);
    });

    it.each([
      ['after its offset', '00000000'],
      ['after the name that the offset skips', '00000006457869660000'],
      ['after the segment that the offset skips', '0000000affe12222457869660000'],
    ])('a HEIC, %s', async (_, head) => {
      const block = (await exif({ IFD0: { Model: 'Thermal 2', DateTime: '2026:06:01 09:00:00' } }))!.subarray(
        6,
      );
      const item = Buffer.concat([Buffer.from(head, 'hex'), block]);
      const file = heic(codedIn(heicFixture('chart')), { exif: item });
      expect((await openPicture(file, 'heic', 1e6)).camera).toEqual(said);
    });
  });
});
