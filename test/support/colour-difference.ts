import sharp from 'sharp';

/** The side of the squares whose means are compared, in pixels. */
const BLOCK = 8;

/**
 * The mean difference (CIEDE2000) between two pictures of one size, taken as sRGB: of the means of their squares of 8
 * pixels.
 */
export async function meanDifference(one: Buffer, other: Buffer): Promise<number> {
  const [left, right] = [await blocksOf(one), await blocksOf(other)];
  expect(left.size).toEqual(right.size);
  const differences = left.means.map((mean, index) => deltaE2000(toLab(mean), toLab(right.means[index]!)));
  return differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
}

type Triple = readonly [number, number, number];

async function blocksOf(picture: Buffer): Promise<{ size: number[]; means: Triple[] }> {
  const { data, info } = await sharp(picture)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const means: Triple[] = [];
  for (let top = 0; top < height; top += BLOCK) {
    for (let left = 0; left < width; left += BLOCK) {
      const sums = [0, 0, 0];
      const [right, bottom] = [Math.min(width, left + BLOCK), Math.min(height, top + BLOCK)];
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          for (let channel = 0; channel < 3; channel++) {
            sums[channel]! += data[(y * width + x) * channels + (channels < 3 ? 0 : channel)]!;
          }
        }
      }
      const count = (right - left) * (bottom - top);
      means.push(sums.map((sum) => sum / count) as unknown as Triple);
    }
  }
  return { size: [width, height], means };
}

/** CIE Lab, D65, of an sRGB colour, 0 to 255. */
export function toLab(rgb: Triple): Triple {
  const [r, g, b] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
  const [x, y, z] = [
    (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
    0.2126729 * r + 0.7151522 * g + 0.072175 * b,
    (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883,
  ].map((value) =>
    value > 216 / 24389 ? Math.cbrt(value) : ((24389 / 27) * value + 16) / 116,
  ) as unknown as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const RADIAN = Math.PI / 180;
const sin = (degrees: number): number => Math.sin(degrees * RADIAN);
const cos = (degrees: number): number => Math.cos(degrees * RADIAN);
const hue = (a: number, b: number): number =>
  a === 0 && b === 0 ? 0 : (Math.atan2(b, a) / RADIAN + 360) % 360;

/** CIEDE2000 with the usual weights. */
export function deltaE2000([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const meanChroma = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const stretch = 1.5 - 0.5 * Math.sqrt(meanChroma ** 7 / (meanChroma ** 7 + 25 ** 7));
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)];
  const [h1, h2] = [hue(a1 * stretch, b1), hue(a2 * stretch, b2)];
  const isGrey = c1 * c2 === 0;
  const apart = h2 - h1;
  const turn = isGrey ? 0 : apart > 180 ? apart - 360 : apart < -180 ? apart + 360 : apart;
  const [dl, dc, dh] = [l2 - l1, c2 - c1, 2 * Math.sqrt(c1 * c2) * sin(turn / 2)];
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const middle = (h1 + h2) / 2;
  const h = isGrey ? h1 + h2 : Math.abs(apart) <= 180 ? middle : middle < 180 ? middle + 180 : middle - 180;
  const t = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63);
  const lightWeight = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const [chromaWeight, hueWeight] = [1 + 0.045 * c, 1 + 0.015 * c * t];
  const rotation = -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * sin(60 * Math.exp(-(((h - 275) / 25) ** 2)));
  const [x, y, z] = [dl / lightWeight, dc / chromaWeight, dh / hueWeight];
  return Math.sqrt(x ** 2 + y ** 2 + z ** 2 + rotation * y * z);
}
