import sharp from 'sharp';
import { PictureFixture, plain, quarters } from '../../../test/fixtures/pictures.js';

describe('the look at a picture', () => {
  let pictures: PictureFixture;

  beforeAll(() => {
    pictures = new PictureFixture();
  });
  afterAll(() => pictures.close());

  it('says when a picture is tiny, dark or blurred, and takes it', async () => {
    expect((await pictures.normalise(await quarters(100, 100))).quality).toEqual(['tiny']);
    const dark = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#030303' } })
      .jpeg()
      .toBuffer();
    expect((await pictures.normalise(dark)).quality).toEqual(['too_dark']);
    const sharpOne = await quarters(640, 480);
    expect((await pictures.normalise(sharpOne)).quality).toEqual([]);
    expect((await pictures.normalise(await sharp(sharpOne).blur(12).png().toBuffer())).quality).toEqual([
      'blurred',
    ]);
    expect((await pictures.normalise(await plain(640, 480).jpeg().toBuffer())).quality).toEqual([]);
  });

  it('finds the same picture at another size by its hash', async () => {
    const one = await quarters(640, 480);
    const other = await sharp(one).resize(400, 300).jpeg({ quality: 60 }).toBuffer();
    const mirrored = await sharp(one).flop().toBuffer();
    const { perceptualHash } = await pictures.normalise(one);
    expect(perceptualHash).toMatch(/^[0-9a-f]{16}$/);
    expect((await pictures.normalise(other)).perceptualHash).toBe(perceptualHash);
    expect((await pictures.normalise(mirrored)).perceptualHash).not.toBe(perceptualHash);
  });
});
