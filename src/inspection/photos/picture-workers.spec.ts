import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { AppConfig } from '../../common/app-config.js';
import { readJpeg } from './jpeg-structure.js';
import { sniffPicture } from './picture-format.js';
import { PictureWorkers } from './picture-workers.js';

/** Real photographs, where they lie at hand. */
const album = join(__dirname, '../../../../shared/photos');
const withAlbum = existsSync(album) ? it : it.skip;

/** Red, green, blue and white quarters, clockwise from the upper left: shows which way is up. */
function quarters(width: number, height: number): Promise<Buffer> {
  const half = { width: Math.floor(width / 2), height: Math.floor(height / 2) };
  const block = (background: string) => ({ create: { ...half, channels: 3 as const, background } });
  return sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
    .composite([
      { input: block('#ff0000'), left: 0, top: 0 },
      { input: block('#00ff00'), left: half.width, top: 0 },
      { input: block('#0000ff'), left: half.width, top: half.height },
    ])
    .png()
    .toBuffer();
}

const colours = ['red', 'green', 'blue', 'white'] as const;

async function cornersOf(picture: Buffer): Promise<string[]> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.75, 0.75],
    [0.25, 0.75],
  ].map(([x, y]) => {
    const at = (Math.floor(y! * info.height) * info.width + Math.floor(x! * info.width)) * info.channels;
    const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
    if (red > 180 && green > 180 && blue > 180) return 'white';
    return colours[[red, green, blue].indexOf(Math.max(red, green, blue))]!;
  });
}

/** What a camera that was held this way stores for an upright scene: the inverse turn and mirror. */
async function heldAs(orientation: number, upright: Buffer): Promise<Buffer> {
  const turn: Record<number, (image: Sharp) => Sharp> = {
    1: (image) => image,
    2: (image) => image.flop(),
    3: (image) => image.rotate(180),
    4: (image) => image.flip(),
    5: (image) => image.rotate(270).flop(),
    6: (image) => image.rotate(270),
    7: (image) => image.rotate(90).flop(),
    8: (image) => image.rotate(90),
  };
  const turned = await turn[orientation]!(sharp(upright)).png().toBuffer();
  return sharp(turned).withMetadata({ orientation }).jpeg({ quality: 90 }).toBuffer();
}

describe('a picture at capture', () => {
  let folder: string;
  let workers: PictureWorkers;
  let count = 0;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pictures-'));
    workers = new PictureWorkers(AppConfig.from({ MAX_MEGAPIXELS: '3' }));
  });
  afterAll(async () => {
    await workers.onApplicationShutdown();
    rmSync(folder, { recursive: true, force: true });
  });

  async function normalise(bytes: Buffer) {
    const path = join(folder, `${(count += 1)}`);
    writeFileSync(path, bytes);
    const picture = await workers.normalise(path, `${path}-print`, sniffPicture(bytes));
    expect(createHash('sha256').update(readFileSync(path)).digest()).toEqual(
      createHash('sha256').update(bytes).digest(),
    );
    return { ...picture, rendition: readFileSync(`${path}-print`) };
  }
  const fault = async (bytes: Buffer) =>
    normalise(bytes).then(
      () => 'recorded',
      (error: { fault?: { code: string } }) => error.fault?.code ?? error,
    );
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#68a' } });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('comes out upright from orientation %i', async (orientation) => {
    const camera = await heldAs(orientation, await quarters(640, 480));
    const { rendition, width, height, renditionWidth, renditionHeight } = await normalise(camera);
    expect(await cornersOf(rendition)).toEqual(['red', 'green', 'blue', 'white']);
    expect([width, height, renditionWidth, renditionHeight]).toEqual([640, 480, 640, 480]);
    expect((await sharp(rendition).metadata()).exif).toBeUndefined();
  });

  it('keeps the pixels of an upright JPEG of at most 1600 pixels, without its metadata', async () => {
    const sent = await sharp(await quarters(1600, 1200))
      .withExif({ IFD0: { Copyright: 'somebody', ImageDescription: 'a secret place' } })
      .jpeg({ quality: 80 })
      .toBuffer();
    const { rendition, renditionWidth } = await normalise(Buffer.concat([sent, Buffer.from('hidden film')]));
    expect(renditionWidth).toBe(1600);
    expect(rendition.includes('secret')).toBe(false);
    expect(rendition.includes('hidden film')).toBe(false);
    expect((await sharp(rendition).raw().toBuffer()).equals(await sharp(sent).raw().toBuffer())).toBe(true);
  });

  it('keeps progressive and grey JPEGs too', async () => {
    for (const sent of [
      await plain(300, 200).jpeg({ progressive: true }).toBuffer(),
      await plain(300, 200).greyscale().jpeg().toBuffer(),
    ]) {
      const { rendition } = await normalise(sent);
      expect((await sharp(rendition).raw().toBuffer()).equals(await sharp(sent).raw().toBuffer())).toBe(true);
    }
  });

  it('scales a larger one to a long side of 1280', async () => {
    const { rendition, width, height, renditionWidth, renditionHeight } = await normalise(
      await sharp(await quarters(2000, 1000))
        .jpeg()
        .toBuffer(),
    );
    expect([width, height, renditionWidth, renditionHeight]).toEqual([2000, 1000, 1280, 640]);
    expect(readJpeg(rendition)).toMatchObject({ width: 1280, height: 640, baseline: true });
    expect(await cornersOf(rendition)).toEqual(['red', 'green', 'blue', 'white']);
  });

  it.each(['png', 'webp', 'avif', 'gif', 'tiff'] as const)('takes %s', async (format) => {
    const { rendition, format: found } = await normalise(
      await sharp(await quarters(400, 300))
        .toFormat(format)
        .toBuffer(),
    );
    expect(found).toBe(format);
    expect(sniffPicture(rendition)).toBe('jpeg');
    expect(await cornersOf(rendition)).toEqual(['red', 'green', 'blue', 'white']);
  });

  it('takes the first frame of a moving GIF', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((background) =>
        sharp({ create: { width: 40, height: 30, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { rendition, width, height } = await normalise(gif);
    expect([width, height]).toEqual([40, 30]);
    expect(await cornersOf(rendition)).toEqual(['red', 'red', 'red', 'red']);
  });

  it('puts transparency on white', async () => {
    const clear = sharp({ create: { width: 50, height: 50, channels: 4, background: '#00000000' } });
    const { rendition } = await normalise(await clear.png().toBuffer());
    expect(await cornersOf(rendition)).toEqual(['white', 'white', 'white', 'white']);
  });

  it('turns CMYK into colours that print alike', async () => {
    const { rendition } = await normalise(
      await sharp(await quarters(400, 300))
        .toColourspace('cmyk')
        .jpeg()
        .toBuffer(),
    );
    expect(readJpeg(rendition)).toMatchObject({ components: 3 });
  });

  it('refuses a 900-megapixel PNG before it is decoded', async () => {
    const bomb = Buffer.from(await plain(4, 4).png().toBuffer());
    bomb.writeUInt32BE(30_000, 16);
    bomb.writeUInt32BE(30_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    expect(await fault(bomb)).toBe('photo_too_large');
  });

  it('lets a baseline JPEG be larger than other pictures, because it shrinks as it is decoded', async () => {
    expect(await fault(await plain(2400, 1600).jpeg().toBuffer())).toBe('recorded');
    expect(await fault(await plain(2400, 1600).jpeg({ progressive: true }).toBuffer())).toBe(
      'photo_too_large',
    );
    expect(await fault(await plain(2400, 1600).webp().toBuffer())).toBe('photo_too_large');
    expect(await fault(await plain(4800, 4000).jpeg().toBuffer())).toBe('photo_too_large');
  });

  it('refuses what is no picture, whatever its name', async () => {
    expect(await fault(Buffer.from('this is a text named kitchen.jpg'))).toBe('unsupported_type');
    expect(await fault(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe('unsupported_type');
    expect(await fault(Buffer.from('%PDF-1.7'))).toBe('unsupported_type');
    expect(await fault(Buffer.alloc(0))).toBe('undecodable');
  });

  it('refuses a picture that breaks off, at any place', async () => {
    for (const [width, height] of [
      [800, 600],
      [2000, 1000],
    ] as const) {
      const sent = await sharp(await quarters(width, height))
        .jpeg()
        .toBuffer();
      for (const part of [0.01, 0.1, 0.5, 0.9]) {
        expect(await fault(sent.subarray(0, Math.floor(sent.length * part)))).toBe('undecodable');
      }
      expect(await fault(sent.subarray(0, sent.length - 2))).toBe('undecodable');
    }
    const png = await quarters(400, 300);
    expect(await fault(png.subarray(0, png.length / 2))).toBe('undecodable');
  });

  it('survives pictures of random bytes behind every signature', async () => {
    const heads = [
      '\xff\xd8\xff\xe0',
      '\x89PNG\r\n\x1a\n',
      'RIFFxxxxWEBP',
      'GIF89a',
      'II*\0',
      '\0\0\0\x18ftypheic\0\0\0\0mif1heic',
      '\0\0\0\x18ftypavif\0\0\0\0mif1avif',
    ];
    for (const head of heads) {
      const bytes = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(500, 0x37)]);
      expect(await fault(bytes)).toBe('undecodable');
    }
  });

  it('says when a picture is tiny, dark or blurred, and takes it', async () => {
    expect((await normalise(await quarters(100, 100))).quality).toEqual(['tiny']);
    const dark = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#030303' } })
      .jpeg()
      .toBuffer();
    expect((await normalise(dark)).quality).toEqual(['too_dark']);
    const sharpOne = await quarters(640, 480);
    expect((await normalise(sharpOne)).quality).toEqual([]);
    expect((await normalise(await sharp(sharpOne).blur(12).png().toBuffer())).quality).toEqual(['blurred']);
    expect((await normalise(await plain(640, 480).jpeg().toBuffer())).quality).toEqual([]);
  });

  it('finds the same picture at another size by its hash', async () => {
    const one = await quarters(640, 480);
    const other = await sharp(one).resize(400, 300).jpeg({ quality: 60 }).toBuffer();
    const mirrored = await sharp(one).flop().toBuffer();
    const { perceptualHash } = await normalise(one);
    expect(perceptualHash).toMatch(/^[0-9a-f]{16}$/);
    expect((await normalise(other)).perceptualHash).toBe(perceptualHash);
    expect((await normalise(mirrored)).perceptualHash).not.toBe(perceptualHash);
  });

  it('does not blame the picture for a disk that fails', async () => {
    const task = workers.normalise(join(folder, 'missing'), join(folder, 'print'), 'jpeg');
    await expect(task).rejects.toThrow(/^ENOENT/);
    await expect(task).rejects.not.toHaveProperty('fault');
  });

  withAlbum('takes real photographs from real cameras', async () => {
    const real = new PictureWorkers(AppConfig.from({}));
    try {
      for (const [name, size] of [
        ['nokia-8.3.heif', undefined],
        ['portrait-orientation-5.jpg', [1200, 1800]],
        ['landscape-orientation-8.jpg', [1800, 1200]],
        ['gps-coolpix.jpg', undefined],
        ['canon-hdr-no.jpg', undefined],
      ] as const) {
        const path = join(album, name);
        const picture = await real.normalise(
          path,
          join(folder, `${name}.jpg`),
          sniffPicture(readFileSync(path)),
        );
        if (size) expect([picture.width, picture.height]).toEqual(size);
        expect(Math.max(picture.renditionWidth, picture.renditionHeight)).toBeLessThanOrEqual(1600);
        expect(picture.quality).toEqual([]);
        expect((await sharp(join(folder, `${name}.jpg`)).metadata()).exif).toBeUndefined();
      }
      const damaged = join(album, 'corrupted.jpg');
      await expect(real.normalise(damaged, join(folder, 'damaged'), 'jpeg')).rejects.toMatchObject({
        fault: { code: 'undecodable' },
      });
    } finally {
      await real.onApplicationShutdown();
    }
  });
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
