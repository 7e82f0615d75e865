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

  it.each([
    ['a wall above a floor', 'x2="0" y2="1"'],
    ['a wall lit from the right', 'x2="1" y2="0"'],
    ['a wall lit from the left', 'x1="1" x2="0" y2="0"'],
  ])('gives no hash to %s, which many pictures show alike', async (_, direction) => {
    const shades = '<stop stop-color="#554"/><stop offset="1" stop-color="#eed"/>';
    const wall = `<linearGradient id="g" ${direction}>${shades}</linearGradient><path fill="url(#g)" d="M0 0h640v480H0"/>`;
    const picture = sharp(
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">${wall}</svg>`),
    );
    expect((await pictures.normalise(await picture.jpeg().toBuffer())).perceptualHash).toBeUndefined();
  });
});
