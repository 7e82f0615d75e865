/** Adds the marks of a telephone's camera to a scene: grain, uneven light, a soft edge, JPEG. */
import sharp from 'sharp';
import { randomFrom } from './scene.mjs';

const SMALLEST = 60 * 1024;
const LARGEST = 138 * 1024;

/** Turns by which the file says how to hold it, so that the stored pixels lie on their side. */
const turnFor = new Map([
  [1, 0],
  [3, 180],
  [6, 270],
  [8, 90],
]);

/** Develops an SVG into a JPEG of a messenger's size; `orientation` is the EXIF number that the file carries. */
export async function develop(svg, { seed, orientation = 1, grain = 9, warmth = 4, focus = 0.6 }) {
  const { data, info } = await sharp(Buffer.from(svg))
    .flatten({ background: '#888' })
    .removeAlpha()
    .blur(focus)
    .raw()
    .toBuffer({ resolveWithObject: true });
  expose(data, info, { seed, grain, warmth });
  const turned = sharp(data, { raw: info }).rotate(turnFor.get(orientation) ?? 0);
  const pixels = await turned.raw().toBuffer({ resolveWithObject: true });
  for (let quality = 88; ; quality -= 3) {
    const jpeg = await sharp(pixels.data, { raw: pixels.info })
      .jpeg({ quality, chromaSubsampling: '4:2:0' })
      .withExif({ IFD0: { Make: 'Sample', Model: 'Drawn by a script', Orientation: String(orientation) } })
      .withMetadata({ orientation })
      .toBuffer();
    if (jpeg.length <= LARGEST || quality < 50) {
      if (jpeg.length < SMALLEST) throw new Error(`only ${jpeg.length} bytes: give the scene more grain`);
      return jpeg;
    }
  }
}

/** Adds grain (finer and coarser), falls off towards the corners and warms the light. Changes `data`. */
function expose(data, { width, height }, { seed, grain, warmth }) {
  const random = randomFrom(seed);
  const noise = () => random() + random() + random() - 1.5;
  const cell = 5;
  const columns = Math.ceil(width / cell) + 2;
  const coarse = Float32Array.from({ length: columns * (Math.ceil(height / cell) + 2) }, noise);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3) {
      const blotch = coarse[Math.floor(y / cell) * columns + Math.floor(x / cell)];
      const luminance = (data[at] * 3 + data[at + 1] * 6 + data[at + 2]) / 10;
      // Grain shows most in the half-dark.
      const amount = grain * (1.2 - Math.abs(luminance - 90) / 220);
      const speck = noise() * amount + blotch * amount * 0.35;
      const away = ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) * 2;
      const fall = 1 - 0.3 * away * away - 0.1 * away;
      data[at] = clamp(data[at] * fall + speck + warmth);
      data[at + 1] = clamp(data[at + 1] * fall + speck * 0.95 + warmth * 0.4);
      data[at + 2] = clamp(data[at + 2] * fall + speck * 1.1 - warmth);
    }
}

const clamp = (value) => (value < 0 ? 0 : value > 255 ? 255 : value);
