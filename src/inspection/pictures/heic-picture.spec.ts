import sharp, { type Sharp } from 'sharp';
import {
  codedIn,
  type Container,
  cropped,
  heic,
  heicFixture,
  heicSequence,
  mirrored,
  nclx,
  rotated,
} from '../../../test/fixtures/heic.js';
import { meanDifference } from '../../../test/support/colour-difference.js';
import { gamutConverter } from '../heic/heic-gamut.js';
import { decodeHeic, type HeicPicture } from '../heic/heic-pixels.js';
import { taggedRaster } from '../heic/tagged-raster.js';
import { openHeicPixels } from './heic-picture.js';
import { openPicture } from './open-picture.js';
import { sniffPicture } from './picture-format.js';
import { FaultyPicture } from './picture.js';

const chart = codedIn(heicFixture('chart'));
const GRID = { columns: 3, rows: 2, width: 700, height: 310 };

const imageOf = ({ data, width, height }: HeicPicture): Sharp =>
  sharp(data, { raw: { width, height, channels: 3 } });

/** Applies steps of sharp one by one, because sharp reorders the steps of one pipeline. */
async function after(picture: HeicPicture, ...steps: readonly ((image: Sharp) => Sharp)[]): Promise<Buffer> {
  let image = imageOf(picture);
  for (const step of steps) image = sharp(await step(image).png().toBuffer());
  return image.removeAlpha().raw().toBuffer();
}

function messageOf(bytes: Buffer): string {
  try {
    openHeicPixels(bytes);
    return 'decoded';
  } catch (error) {
    if (error instanceof FaultyPicture) return error.fault.message;
    throw error;
  }
}

describe('HEIC', () => {
  it.each(['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'mif2', 'msf1'])(
    'is decoded under the brand %s',
    async (brand) => {
      for (const brands of [[brand], [brand, 'mif1', 'heic']]) {
        const file = heic(chart, { brand, brands });
        expect(sniffPicture(file.subarray(0, 128))).toBe('heic');
        expect(await openPicture(file, 'heic', 1e6)).toMatchObject({ width: 240, height: 160 });
        expect(decodeHeic(file, 1280)).toMatchObject({ width: 240, height: 160, isPartial: false });
      }
    },
  );

  it('is decoded beside a collage that shows a picture twice', async () => {
    for (const grid of [undefined, GRID]) {
      const plain = heic(chart, grid === undefined ? {} : { grid });
      const file = heic(chart, { ...(grid === undefined ? {} : { grid }), collage: true });
      const { width, height } = grid ?? chart;
      expect(await openPicture(file, 'heic', 1e6)).toMatchObject({ width, height });
      expect(decodeHeic(file, 1280).data.equals(decodeHeic(plain, 1280).data)).toBe(true);
    }
  });

  it('is the first image of a sequence', async () => {
    const file = heicSequence(chart);
    expect(await openPicture(file, 'heic', 1e6)).toMatchObject({ width: 240, height: 160 });
    expect(decodeHeic(file, 1280).data.equals(decodeHeic(heicFixture('chart'), 1280).data)).toBe(true);
  });

  it.each<[string, Container['properties'], readonly ((image: Sharp) => Sharp)[]]>([
    ['rotated', [rotated(1)], [(image) => image.rotate(270)]],
    ['mirrored', [mirrored(0)], [(image) => image.flip()]],
    [
      'rotated and mirrored',
      [rotated(3), mirrored(1)],
      [(image) => image.rotate(90), (image) => image.flop()],
    ],
    [
      'cropped to a part and rotated',
      [cropped(101, 75, -3, 5), rotated(2)],
      [(image) => image.extract({ left: 68, top: 45, width: 101, height: 75 }), (image) => image.rotate(180)],
    ],
  ])('is decoded %s, whole and in tiles', async (_, properties = [], steps) => {
    const plain = decodeHeic(heic(chart), 1280);
    const file = heic(chart, { properties });
    const { data, width, height } = decodeHeic(file, 1280);
    expect(data.equals(await after(plain, ...steps))).toBe(true);
    expect(await openPicture(file, 'heic', 1e6)).toMatchObject({ width, height });
    // One tile of a grid is the same picture.
    const grid = { columns: 2, rows: 1, width: 240, height: 160 };
    expect(decodeHeic(heic(chart, { properties, grid }), 1280).data.equals(data)).toBe(true);
  });

  it('is put together from tiles, whatever the squares that shrink it', async () => {
    const whole = decodeHeic(heic(chart, { grid: GRID }), 1280);
    expect(whole).toMatchObject({ width: 700, height: 310, isPartial: false });
    const tile = imageOf(decodeHeic(heic(chart), 1280));
    const tiles = [0, 1, 2, 3, 4, 5].map(async (number) => ({
      input: await tile.clone().png().toBuffer(),
      ...{ left: (number % 3) * 240, top: Math.floor(number / 3) * 160 },
    }));
    const canvas = sharp({ create: { width: 720, height: 320, channels: 3, background: '#fff' } });
    const joined = await canvas
      .composite(await Promise.all(tiles))
      .png()
      .toBuffer();
    const wanted = sharp(joined).removeAlpha().extract({ left: 0, top: 0, width: 700, height: 310 });
    expect(whole.data.equals(await wanted.clone().raw().toBuffer())).toBe(true);
    const third = decodeHeic(heic(chart, { grid: GRID }), 233);
    expect([third.width, third.height]).toEqual([233, 103]);
    const shrunk = await wanted.clone().resize(233, 103, { fit: 'fill' }).png().toBuffer();
    expect(await meanDifference(await imageOf(third).png().toBuffer(), shrunk)).toBeLessThan(1.5);
  });

  it('is decoded in part where tiles are damaged', () => {
    const whole = decodeHeic(heic(chart, { grid: GRID }), 1280);
    const part = decodeHeic(heic(chart, { grid: GRID, damaged: [0, 4] }), 1280);
    expect(part.isPartial).toBe(true);
    const at = (x: number, y: number): number => 3 * (y * 700 + x);
    expect([...part.data.subarray(at(20, 20), at(20, 20) + 3)]).toEqual([128, 128, 128]);
    expect(
      part.data.subarray(at(240, 0), at(480, 0)).equals(whole.data.subarray(at(240, 0), at(480, 0))),
    ).toBe(true);
  });

  it('is refused as damaged where it is, and only there', () => {
    const damaged = 'The picture is damaged and cannot be decoded. Send it again.';
    const file = heic(chart);
    expect(messageOf(file.subarray(0, 900))).toBe(damaged);
    expect(messageOf(heic(chart, { grid: GRID, damaged: [0, 1, 2, 3, 4, 5] }))).toBe(damaged);
    for (const type of ['jpeg', 'unci', 'lhv1']) {
      expect(messageOf(heic(chart, { type }))).toBe(
        'The picture is coded in a way that cannot be decoded here. Send it as a JPEG.',
      );
    }
  });

  it('may be larger in tiles than otherwise', async () => {
    const flat = codedIn(heicFixture('flat-512'));
    const large = heic(flat, { grid: { columns: 32, rows: 24, width: 16_320, height: 12_288 } });
    const { header, ...opened } = await openPicture(large, 'heic', 50e6);
    expect(opened).toMatchObject({ width: 16_320, height: 12_288 });
    expect(header.buffered).toBe(32 * 512 * 512 * 1.5);
    const larger = heic(flat, { grid: { columns: 40, rows: 30, width: 20_480, height: 15_360 } });
    await expect(openPicture(larger, 'heic', 50e6)).rejects.toMatchObject({
      fault: { code: 'photo_too_large' },
    });
    await expect(openPicture(heic(flat), 'heic', 512 * 511)).rejects.toMatchObject({
      fault: { code: 'photo_too_large' },
    });
  });
});

/** Patches of 60 × 56 pixels, row after row: what `chart*.heic` show, `chart-p3` by Display P3. */
const PATCHES = [
  ...[
    [230, 30, 30],
    [30, 200, 40],
    [40, 60, 220],
    [240, 220, 40],
  ],
  ...[
    [200, 60, 200],
    [60, 200, 210],
    [128, 128, 128],
    [20, 20, 20],
  ],
  ...[
    [250, 250, 250],
    [180, 120, 90],
    [90, 60, 40],
    [120, 160, 70],
  ],
];

function drawnChart(): Sharp {
  const data = Buffer.alloc(240 * 160 * 3);
  for (let pixel = 0; pixel < 240 * 160; pixel++) {
    const [x, y] = [pixel % 240, Math.floor(pixel / 240)];
    data.set(PATCHES[Math.floor(y / 56) * 4 + Math.floor(x / 60)]!, pixel * 3);
  }
  return sharp(data, { raw: { width: 240, height: 160, channels: 3 } });
}

/** Converts a picture to sRGB, like a print. */
function inSrgb(picture: HeicPicture): Promise<Buffer> {
  const tagged = picture.profile && taggedRaster(picture, picture.profile);
  return (tagged ? sharp(tagged) : imageOf(picture)).toColourspace('srgb').png().toBuffer();
}

describe('colours of HEIC', () => {
  const differenceFrom = async (wanted: Sharp, file: Buffer): Promise<number> =>
    meanDifference(await inSrgb(decodeHeic(file, 1280)), await wanted.png().toBuffer());

  it.each(['chart', 'chart-p3', 'chart-10-bit', 'chart-rgb'])(
    'of %s are those that were coded',
    async (name) => {
      expect(await differenceFrom(drawnChart(), heicFixture(name))).toBeLessThan(1.5);
    },
  );

  it('are converted from a gamut that is given by number', async () => {
    const p3 = codedIn(heicFixture('chart-p3'));
    const file = heic(p3, { properties: [nclx(12, 13, 6)] });
    expect(await differenceFrom(drawnChart(), file)).toBeLessThan(1.5);
    expect(await differenceFrom(drawnChart(), heic(p3))).toBeGreaterThan(2);
  });

  it('are grey in a grey picture, and on white in a transparent one', async () => {
    const grey = drawnChart().greyscale().toColourspace('srgb');
    expect(await differenceFrom(grey, heicFixture('chart-grey'))).toBeLessThan(1.5);
    const pale = await drawnChart().ensureAlpha(0.5).png().toBuffer();
    expect(
      await differenceFrom(sharp(pale).flatten({ background: '#fff' }), heicFixture('chart-alpha')),
    ).toBeLessThan(1.5);
  });

  it('of BT.2020 and of high dynamic range keep their white', () => {
    const bt2020 = [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127, 0.329];
    const white = (transfer: number, signal: number): number[] => {
      const colours = { matrix: 9, fullRange: true, primaries: 9, transfer, chromaticities: bt2020 };
      const rgb = new Float32Array(3).fill(255 * signal);
      gamutConverter(colours)!(rgb);
      return [...rgb].map(Math.round);
    };
    expect(white(13, 1)).toEqual([255, 255, 255]);
    // The signals of white paper: 203 nits (ITU-R BT.2408).
    for (const [transfer, signal] of [
      [16, 0.58],
      [18, 0.75],
    ] as const) {
      for (const value of white(transfer, signal)) expect(value).toBeGreaterThanOrEqual(253);
      for (const value of white(transfer, signal * 0.7)) expect(value).toBeLessThan(200);
    }
  });
});
