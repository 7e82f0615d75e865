import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import {
  GREY_PROFILE,
  SWAPPED_PROFILE,
  WIDE_PROFILE,
  withProfile,
} from '../../../../test/fixtures/colour-profiles.js';
import { PictureFixture } from '../../../../test/fixtures/pictures.js';
import { meanDifference } from '../../../../test/support/colour-difference.js';
import { installed } from '../../../../test/support/services.js';
import { FileSink } from './file-sink.js';
import { PdfDocument } from './pdf-document.js';

const SIZE = { width: 320, height: 240 };

/** Soft colours of all hues, which any profile moves. */
function colourful(): Buffer {
  const { width, height } = SIZE;
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      pixels[at] = 40 + Math.round((180 * x) / width);
      pixels[at + 1] = 40 + Math.round((180 * y) / height);
      pixels[at + 2] = 128 + Math.round(80 * Math.sin((x + y) / 60));
    }
  }
  return pixels;
}

const picture = () => sharp(colourful(), { raw: { ...SIZE, channels: 3 } });
const jpeg = () => picture().jpeg({ quality: 92 });

/** The pixels that a decoder with colour management shows. */
const managed = (bytes: Buffer): Promise<Buffer> =>
  sharp(bytes)
    .resize({ ...SIZE, fit: 'fill' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .png()
    .toBuffer();

const withPoppler = installed('pdftoppm') ? it : it.skip;

describe('the colours of a picture in the PDF', () => {
  let room: PictureFixture;

  beforeAll(() => {
    room = new PictureFixture();
  });
  afterAll(() => room.close());

  /** A document of one page that the picture fills. */
  async function pdfOf(sent: Buffer): Promise<{ path: string; rendition: Buffer }> {
    const { rendition } = await room.normalise(sent);
    const [file, path] = [join(room.folder, 'print.jpg'), join(room.folder, 'print.pdf')];
    writeFileSync(file, rendition);
    const sink = new FileSink(path);
    const info = { title: 'Colours', keywords: '', language: 'en-GB' as const, createdAt: 0 };
    const document = PdfDocument.create(sink, new Map([['one', file]]), info);
    document.addPage({ size: [SIZE.width, SIZE.height] });
    const embedded = document.picture('one')!;
    document.page.xobjects[embedded.label] = embedded.obj;
    // The page is upside down, as pdfkit sets it up.
    document.addContent(`q ${SIZE.width} 0 0 ${-SIZE.height} 0 ${SIZE.height} cm /${embedded.label} Do Q`);
    document.end();
    sink.finish();
    return { path, rendition };
  }

  async function shown(sent: Buffer): Promise<Buffer> {
    const { path } = await pdfOf(sent);
    spawnSync('pdftoppm', ['-r', '72', '-png', '-singlefile', path, path]);
    return readFileSync(`${path}.png`);
  }

  withPoppler.each([
    ['a JPEG without a profile', () => jpeg().toBuffer()],
    ['a JPEG in Display P3', () => jpeg().withIccProfile('p3').toBuffer()],
    ['a JPEG in a wide space', async () => withProfile(await jpeg().toBuffer(), WIDE_PROFILE)],
    [
      'a JPEG whose profile has look-up tables',
      async () => withProfile(await jpeg().toBuffer(), SWAPPED_PROFILE),
    ],
    [
      'a grey JPEG with a curve of its own',
      async () => withProfile(await jpeg().toColourspace('b-w').toBuffer(), GREY_PROFILE),
    ],
    [
      'a JPEG whose profile is for another number of channels',
      async () => withProfile(await jpeg().toBuffer(), GREY_PROFILE),
    ],
    [
      'a JPEG whose profile is broken',
      async () => withProfile(await jpeg().toBuffer(), WIDE_PROFILE.subarray(0, 200)),
    ],
    ['a CMYK JPEG', () => picture().toColourspace('cmyk').jpeg({ quality: 92 }).toBuffer()],
    ['a progressive JPEG in P3', () => jpeg().withIccProfile('p3').jpeg({ progressive: true }).toBuffer()],
    ['a PNG in P3', () => picture().png().withIccProfile('p3').toBuffer()],
    ['a PNG of 16 bits in P3', () => picture().toColourspace('rgb16').png().withIccProfile('p3').toBuffer()],
    ['a grey PNG', () => picture().toColourspace('b-w').png().toBuffer()],
    ['a WebP in P3', () => picture().webp({ quality: 95 }).withIccProfile('p3').toBuffer()],
    ['an AVIF in P3', () => picture().avif({ quality: 90 }).withIccProfile('p3').toBuffer()],
    ['a TIFF in P3', () => picture().tiff({ compression: 'lzw' }).withIccProfile('p3').toBuffer()],
  ])('are those of %s', async (_, made) => {
    const sent = await made();
    expect(await meanDifference(await shown(sent), await managed(sent))).toBeLessThan(1.5);
  });

  it('need no other pixels: a small JPEG keeps its own, and its profile is the colour space of its image', async () => {
    const sent = await jpeg().withIccProfile('p3').toBuffer();
    const { path, rendition } = await pdfOf(sent);
    const raw = (bytes: Buffer) => sharp(bytes).toColourspace('srgb').raw().toBuffer();
    expect((await raw(rendition)).equals(await raw(sent))).toBe(true);
    expect(readFileSync(path, 'latin1')).toMatch(/\/ColorSpace \[\/ICCBased \d+ 0 R\]/);
  });
});
