/** Pictures that are small as files and large once decoded: flat colours, 49 megapixels. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const SIDE = 7000;
const fixtures = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'test', 'fixtures');
const flat = (channels = 3, side = SIDE) =>
  sharp({
    create: { width: side, height: side, channels, background: { r: 90, g: 140, b: 60, alpha: 0.8 } },
  });

const deep = () => flat(4).toColourspace('rgb16');

/** An animation on a large canvas: three frames of a quarter of the pixels each. */
async function movingGif() {
  const frame = (background) =>
    sharp({ create: { width: SIDE / 2, height: SIDE / 2, channels: 3, background } })
      .png()
      .toBuffer();
  const frames = await Promise.all(['#f00', '#0f0', '#00f'].map(frame));
  return sharp(frames, { join: { animated: true } })
    .gif({ effort: 1 })
    .toBuffer();
}

const makers = {
  avif: () => flat().avif({ effort: 0, chromaSubsampling: '4:2:0' }).toBuffer(),
  heic: () => Promise.resolve(readFileSync(join(fixtures, 'flat-49-megapixels.heic'))),
  webp: () => flat(4).webp({ effort: 0 }).toBuffer(),
  png: () => deep().png({ compressionLevel: 9 }).toBuffer(),
  interlaced: () => flat().png({ progressive: true, palette: true, colours: 2, effort: 1 }).toBuffer(),
  tiff: () => deep().tiff({ compression: 'deflate' }).toBuffer(),
  jpeg: () => flat().jpeg({ progressive: true }).toBuffer(),
  gif: () => flat().gif({ effort: 1 }).toBuffer(),
  moving: movingGif,
  /** 49 megapixels of one bit each. */
  palette: () => flat().png({ palette: true, colours: 2, effort: 1 }).toBuffer(),
};

/** Returns the bytes of the named ones, by name. */
export async function heavyPictures(names) {
  const made = new Map();
  for (const name of names) made.set(name, await makers[name]());
  return made;
}

/** A phone's picture that is not JPEG: 12 megapixels. */
export const telephoneHeic = () => readFileSync(join(fixtures, 'flat-12-megapixels.heic'));

/** A messenger's picture: small, with some content. */
export const smallJpeg = (index = 0) =>
  sharp({
    create: {
      width: 1280,
      height: 960,
      channels: 3,
      background: { r: (index * 37) % 255, g: 120, b: 90 },
      noise: { type: 'gaussian', mean: 120, sigma: 30 },
    },
  })
    .jpeg({ quality: 80 })
    .toBuffer();
