import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { PictureFixture, plain, quarters } from '../../../test/fixtures/pictures.js';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { readJpeg } from './jpeg-structure.js';
import { sniffPicture } from './picture-format.js';
import { PictureWorkers } from './picture-workers.js';

const somebody = { who: 'somebody', chat: 'one' };

/** Real photographs, if available. */
const album = join(__dirname, '../../../../shared/photos');
const withAlbum = existsSync(album) ? it : it.skip;

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

/** An upright scene as a camera that was held this way stores it: with the inverse turn and mirror. */
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
  let pictures: PictureFixture;

  beforeAll(() => {
    pictures = new PictureFixture();
  });
  afterAll(() => pictures.close());

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('comes out upright from orientation %i', async (orientation) => {
    const camera = await heldAs(orientation, await quarters(640, 480));
    const { rendition, width, height, renditionWidth, renditionHeight } = await pictures.normalise(camera);
    expect(await cornersOf(rendition)).toEqual(['red', 'green', 'blue', 'white']);
    expect([width, height, renditionWidth, renditionHeight]).toEqual([640, 480, 640, 480]);
    expect((await sharp(rendition).metadata()).exif).toBeUndefined();
  });

  it('keeps the pixels of an upright JPEG of at most 1600 pixels, without its metadata', async () => {
    const sent = await sharp(await quarters(1600, 1200))
      .withExif({ IFD0: { Copyright: 'somebody', ImageDescription: 'a secret place' } })
      .jpeg({ quality: 80 })
      .toBuffer();
    const { rendition, renditionWidth } = await pictures.normalise(
      Buffer.concat([sent, Buffer.from('hidden film')]),
    );
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
      const { rendition } = await pictures.normalise(sent);
      expect((await sharp(rendition).raw().toBuffer()).equals(await sharp(sent).raw().toBuffer())).toBe(true);
    }
  });

  it('scales a larger one to a long side of 1280', async () => {
    const { rendition, width, height, renditionWidth, renditionHeight } = await pictures.normalise(
      await sharp(await quarters(2000, 1000))
        .jpeg()
        .toBuffer(),
    );
    expect([width, height, renditionWidth, renditionHeight]).toEqual([2000, 1000, 1280, 640]);
    expect(readJpeg(rendition)).toMatchObject({ width: 1280, height: 640, baseline: true });
    expect(await cornersOf(rendition)).toEqual(['red', 'green', 'blue', 'white']);
  });

  it.each(['png', 'webp', 'avif', 'gif', 'tiff'] as const)('takes %s', async (format) => {
    const { rendition, format: found } = await pictures.normalise(
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
    const { rendition, width, height } = await pictures.normalise(gif);
    expect([width, height]).toEqual([40, 30]);
    expect(await cornersOf(rendition)).toEqual(['red', 'red', 'red', 'red']);
  });

  it('takes the primary image of a moving AVIF', async () => {
    const avif = await sharp(await quarters(400, 300))
      .avif()
      .toBuffer();
    // Encoders write sequences under this brand, with a still image beside the track.
    avif.write('avis', avif.indexOf('ftyp') + 4, 'latin1');
    const { rendition, format } = await pictures.normalise(avif);
    expect(format).toBe('avif');
    expect(await cornersOf(rendition)).toEqual(['red', 'green', 'blue', 'white']);
  });

  it('puts transparency on white', async () => {
    const clear = sharp({ create: { width: 50, height: 50, channels: 4, background: '#00000000' } });
    const { rendition } = await pictures.normalise(await clear.png().toBuffer());
    expect(await cornersOf(rendition)).toEqual(['white', 'white', 'white', 'white']);
  });

  it('turns CMYK into colours that print alike', async () => {
    const { rendition } = await pictures.normalise(
      await sharp(await quarters(400, 300))
        .toColourspace('cmyk')
        .jpeg()
        .toBuffer(),
    );
    expect(readJpeg(rendition)?.components).toHaveLength(3);
  });

  withAlbum('takes real photographs from real cameras', async () => {
    const real = new PictureWorkers(AppConfig.from({}), new Clock());
    try {
      for (const [name, size] of [
        ['nokia-8.3.heif', undefined],
        ['portrait-orientation-5.jpg', [1200, 1800]],
        ['landscape-orientation-8.jpg', [1800, 1200]],
        ['gps-coolpix.jpg', undefined],
        ['canon-hdr-no.jpg', undefined],
      ] as const) {
        const path = join(album, name);
        const picture = await real.normalise(path, join(pictures.folder, `${name}.jpg`), somebody);
        if (size) expect([picture.width, picture.height]).toEqual(size);
        expect(Math.max(picture.renditionWidth, picture.renditionHeight)).toBeLessThanOrEqual(1600);
        expect(picture.quality).toEqual([]);
        expect((await sharp(join(pictures.folder, `${name}.jpg`)).metadata()).exif).toBeUndefined();
      }
      const damaged = join(album, 'corrupted.jpg');
      // Damaged in the middle; common decoders show it whole except for a stripe.
      const read = await real.normalise(damaged, join(pictures.folder, 'damaged'), somebody);
      expect([read.width, read.height, read.drawable, read.quality]).toEqual([
        3648,
        2736,
        true,
        ['partly_read'],
      ]);
    } finally {
      await real.onApplicationShutdown();
    }
  });
});
