import sharp, { type Sharp } from 'sharp';
import { codedIn, heic, heicFixture, rotated } from '../../../test/fixtures/heic.js';
import { decodeHeic, type HeicPicture } from '../heic/heic-pixels.js';
import { openPicture } from './open-picture.js';

const chart = codedIn(heicFixture('chart'));

/** The item with an EXIF block of nothing but an orientation. */
function orientationBlock(orientation: number): Buffer {
  const block = Buffer.alloc(4 + 26);
  block.write('II*\0', 4, 'latin1');
  block.writeUInt32LE(8, 8);
  block.writeUInt16LE(1, 12);
  block.writeUInt16LE(0x0112, 14);
  block.writeUInt16LE(3, 16);
  block.writeUInt32LE(1, 18);
  block.writeUInt16LE(orientation, 22);
  return block;
}

/** Applies steps of sharp one by one, because sharp reorders the steps of one pipeline. */
async function after({ data, width, height }: HeicPicture, ...steps: readonly ((image: Sharp) => Sharp)[]) {
  let image = sharp(data, { raw: { width, height, channels: 3 } });
  for (const step of steps) image = sharp(await step(image).png().toBuffer());
  return image.removeAlpha().raw().toBuffer();
}

describe('the EXIF orientation of a HEIC', () => {
  const plain = decodeHeic(heic(chart), 1280);

  it.each<[number, readonly ((image: Sharp) => Sharp)[]]>([
    [1, []],
    [2, [(image) => image.flop()]],
    [3, [(image) => image.rotate(180)]],
    [4, [(image) => image.flip()]],
    [5, [(image) => image.rotate(90), (image) => image.flop()]],
    [6, [(image) => image.rotate(90)]],
    [7, [(image) => image.rotate(270), (image) => image.flop()]],
    [8, [(image) => image.rotate(270)]],
  ])('is applied where the file has no other: %i', async (orientation, steps) => {
    const exif = orientationBlock(orientation);
    for (const more of [{}, { grid: { columns: 2, rows: 1, width: 240, height: 160 } }]) {
      const file = heic(chart, { exif, ...more });
      const { data, width, height } = decodeHeic(file, 1280);
      expect(data.equals(await after(plain, ...steps))).toBe(true);
      expect(await openPicture(file, 'heic', 1e6)).toMatchObject({ width, height });
    }
  });

  it('is not applied where the file has one of its own, which it repeats', async () => {
    const exif = orientationBlock(6);
    const turned = decodeHeic(heic(chart, { exif, properties: [rotated(3)] }), 1280);
    expect(turned.data.equals(await after(plain, (image) => image.rotate(90)))).toBe(true);
    const upright = decodeHeic(heic(chart, { exif, properties: [rotated(0)] }), 1280);
    expect(upright.data.equals(plain.data)).toBe(true);
  });
});
