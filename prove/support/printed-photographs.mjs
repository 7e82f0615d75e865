/** Photographs distinguishable by colour, and the ones that a report shows. */
import sharp from 'sharp';
import { look } from '../../scripts/verify/pictures.mjs';

const STEP = 12;
const LEVELS = 20;
/** The blue part of a colour that JPEG has rounded. */
const BLUE = 90;

/** Makes the photograph of a number below 8,000: all of one colour, twelve levels from that of any other. */
export async function photographOf(number) {
  const [low, middle, high] = digitsOf(number);
  const background = { r: 6 + STEP * low, g: 6 + STEP * middle, b: (BLUE + STEP * high) % 240 };
  const bytes = await sharp({ create: { width: 640, height: 480, channels: 3, background } })
    .jpeg({ quality: 95 })
    .toBuffer();
  return { data: `data:image/jpeg;base64,${bytes.toString('base64')}`, name: `photograph-${number}.jpg` };
}

/** Returns the numbers of the photographs that the pages of a report draw, in order; -1 for any other picture. */
export async function photographsIn(pdf) {
  const pictures = new Map();
  const { pages } = await look(pdf, (hash, bytes) => pictures.set(hash, bytes));
  const numbers = new Map();
  for (const [hash, bytes] of pictures) numbers.set(hash, await numberOf(bytes));
  return pages.flat().map((hash) => numbers.get(hash));
}

async function numberOf(bytes) {
  const { channels } = await sharp(bytes).stats();
  const [red, green, blue] = channels.map(({ mean }) => mean);
  const digits = [red - 6, green - 6, (blue - BLUE + 240) % 240].map((level) => level / STEP);
  const whole = digits.map(Math.round);
  const isOurs = digits.every((digit, place) => Math.abs(digit - whole[place]) < 0.4);
  return isOurs ? whole[0] + LEVELS * ((whole[1] % LEVELS) + LEVELS * (whole[2] % LEVELS)) : -1;
}

const digitsOf = (number) => [
  number % LEVELS,
  Math.floor(number / LEVELS) % LEVELS,
  Math.floor(number / LEVELS ** 2),
];
