import sharp from 'sharp';
import { WIDE_PROFILE } from '../../../test/fixtures/colour-profiles.js';
import { PictureFixture } from '../../../test/fixtures/pictures.js';
import { tiff } from '../../../test/fixtures/tiff.js';

const SIZE = { width: 64, height: 48 };
const PIXELS = SIZE.width * SIZE.height;

describe('the samples of a TIFF', () => {
  let pictures: PictureFixture;
  beforeAll(() => {
    pictures = new PictureFixture();
  });
  afterAll(() => pictures.close());

  /** Compares the mean colour of the print. */
  async function expectColour(file: Buffer, wanted: readonly number[]): Promise<void> {
    const { rendition } = await pictures.normalise(file);
    const means = (await sharp(rendition).stats()).channels.map(({ mean }) => mean);
    wanted.forEach((mean, at) => expect(Math.abs(means[at]! - mean)).toBeLessThan(12));
  }

  it.each([
    ['whole numbers of 32 bits', 32, 1],
    ['signed numbers of 32 bits', 32, 2],
    ['signed numbers of 16 bits', 16, 2],
    ['signed numbers of 8 bits', 8, 2],
  ])('are refused as %s, which would print black or white', async (_, bits, kind) => {
    const strip = Buffer.alloc(PIXELS * (bits / 8), 0x37);
    const file = tiff({ ...SIZE, samples: 1 }, [strip], { 258: bits, 339: kind });
    expect(await pictures.fault(file)).toBe('undecodable');
  });

  it('are drawn from a BigTIFF', async () => {
    const picture = sharp({ create: { ...SIZE, channels: 3, background: '#ff8040' } });
    const file = await picture.tiff({ bigtiff: true, compression: 'none' }).toBuffer();
    expect(file.toString('latin1', 0, 4)).toBe('II+\0');
    await expectColour(file, [255, 128, 64]);
    const clear = picture.ensureAlpha(1).tiff({ bigtiff: true, compression: 'lzw' });
    await expectColour(await clear.toBuffer(), [255, 128, 64]);
  });

  it('of a kind that is not decoded are refused with the way out, since nothing is damaged', async () => {
    const file = tiff({ ...SIZE, samples: 1 }, [Buffer.alloc(PIXELS * 1.5, 0x37)], { 258: 12 });
    await expect(pictures.normalise(file)).rejects.toMatchObject({
      fault: { code: 'undecodable', message: expect.stringMatching(/or as a JPEG\.$/) },
    });
  });

  it.each([
    ['without', {}],
    ['with', { 34675: WIDE_PROFILE }],
  ])('are drawn as fractions of light %s a profile', async (_, tags) => {
    const strip = Buffer.alloc(PIXELS * 12);
    // 0.2159 is the grey 128.
    for (let at = 0; at < strip.length; at += 4) strip.writeFloatLE(at % 12 === 0 ? 1 : 0.2159, at);
    await expectColour(tiff(SIZE, [strip], { 258: 32, 339: 3, ...tags }), [255, 128, 128]);
  });

  it('are drawn in CIELAB beside a mask', async () => {
    // The lightness, a and b of red.
    const strip = Buffer.from(Array.from({ length: PIXELS }, () => [136, 80, 67, 255]).flat());
    const file = tiff({ ...SIZE, samples: 4 }, [strip], { 262: 8, 338: 2 });
    await expectColour(file, [255, 0, 0]);
  });
});
