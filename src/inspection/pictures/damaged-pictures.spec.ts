import fc from 'fast-check';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { heicFixture } from '../../../test/fixtures/heic.js';
import { PictureFixture, plain } from '../../../test/fixtures/pictures.js';
import { tiff } from '../../../test/fixtures/tiff.js';
import { readJpeg } from './jpeg-structure.js';

const noise = (width: number, height: number): Sharp =>
  sharp({
    create: {
      ...{ width, height, channels: 3, background: '#fff' },
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  });

/** A part of the bytes, given by shares of their length, is replaced. */
const overwritten = (bytes: Buffer, from: number, to: number, value: (at: number) => number): Buffer =>
  Buffer.from(
    bytes.map((byte, at) => (at >= from * bytes.length && at < to * bytes.length ? value(at) : byte)),
  );
const scrambled = (at: number): number => (at * 7919 + (at >> 3) * 104729) & 0xff;

const inserted = (bytes: Buffer, at: number, ...parts: number[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(parts), bytes.subarray(at)]);

/** The byte before the quantisation tables, the first segment behind JFIF. */
const beforeTables = (jpeg: Buffer): number => jpeg.indexOf(Buffer.from([0xff, 0xdb]));

const FORMATS = ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const;

describe('a picture with faults', () => {
  let room: PictureFixture;

  beforeAll(() => {
    room = new PictureFixture();
  });
  afterAll(() => room.close());

  const flawsOf = (bytes: Buffer) => room.normalise(bytes).then(({ quality }) => quality);
  /** `recorded`, `partly_read`, or the code of its refusal. */
  const endOf = (bytes: Buffer): Promise<unknown> =>
    flawsOf(bytes).then(
      (flaws) => (flaws.includes('partly_read') ? 'partly_read' : 'recorded'),
      (error: { fault?: { code: string } }) => error.fault?.code ?? error,
    );

  describe('of a JPEG’s structure', () => {
    const FAULTS: [string, (jpeg: Buffer) => Buffer][] = [
      ['a byte between two segments', (jpeg) => inserted(jpeg, beforeTables(jpeg), 0x42)],
      ['many bytes behind its start', (jpeg) => inserted(jpeg, 2, ...Array<number>(200).fill(0x20))],
      ['fill bytes before a marker', (jpeg) => inserted(jpeg, beforeTables(jpeg), 0xff, 0xff, 0xff)],
      [
        'an Adobe segment that is cut short',
        (jpeg) => inserted(jpeg, beforeTables(jpeg), 0xff, 0xee, 0, 9, ...Buffer.from('Adobe\0d'), 0x00),
      ],
      [
        'a segment whose length does not count itself',
        (jpeg) => inserted(jpeg, beforeTables(jpeg), 0xff, 0xed, 0, 0),
      ],
      ['no end marker', (jpeg) => jpeg.subarray(0, jpeg.length - 2)],
      ['bytes behind its end', (jpeg) => Buffer.concat([jpeg, Buffer.alloc(500, 0xff)])],
    ];

    it.each(FAULTS)('does no harm: %s', async (_, fault) => {
      for (const progressive of [false, true]) {
        const sent = await noise(400, 300).jpeg({ progressive }).toBuffer();
        const { rendition, quality } = await room.normalise(fault(sent));
        expect(quality).toEqual([]);
        const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
        expect((await pixels(rendition)).equals(await pixels(sent))).toBe(true);
        const large = await noise(1700, 80).jpeg({ progressive }).toBuffer();
        expect(await endOf(fault(large))).toBe('recorded');
      }
    });

    it('does no harm: padding behind the last block of one scan', async () => {
      const sent = await noise(400, 300).jpeg().toBuffer();
      const zeros = Array<number>(99).fill(0);
      expect(await endOf(inserted(sent, sent.length - 2, ...zeros))).toBe('recorded');
    });

    it('leaves a print that begins with its segments one after another and ends with its end', async () => {
      const sent = await noise(400, 300).jpeg().toBuffer();
      for (const [, fault] of FAULTS) {
        const { rendition } = await room.normalise(fault(sent));
        const { segments } = readJpeg(rendition)!;
        expect(segments.every(({ body }, index) => body === (segments[index - 1]?.end ?? 2) + 2)).toBe(true);
        expect(rendition.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]));
      }
    });
  });

  describe('of its data', () => {
    it('is named where the decoder reports nothing: codes of a JPEG that are out of step', async () => {
      for (const [width, height] of [
        [640, 480],
        [2000, 240],
      ] as const) {
        for (const made of [
          noise(width, height),
          noise(width, height).toColourspace('b-w'),
          noise(width, height).blur(3),
        ]) {
          const sent = await made.jpeg().toBuffer();
          expect(await endOf(sent)).toBe('recorded');
          expect(await endOf(overwritten(sent, 0.4, 0.41, scrambled))).toBe('partly_read');
          expect(await endOf(overwritten(sent, 0.6, 0.7, () => 0))).toBe('partly_read');
        }
      }
    });

    it('is no fault of a whole JPEG, however it was coded', async () => {
      for (const options of [
        { quality: 5 },
        { quality: 100, chromaSubsampling: '4:4:4' },
        { optimiseCoding: false },
        { mozjpeg: true },
        { mozjpeg: true, progressive: false },
      ]) {
        for (const [width, height] of [
          [17, 9],
          [333, 217],
          [1700, 40],
        ] as const) {
          expect(await endOf(await noise(width, height).jpeg(options).toBuffer())).toBe('recorded');
        }
      }
    });

    it('prints what there is of a file that breaks off, and refuses one of which there is nothing', async () => {
      const jpeg = await noise(800, 600).jpeg().toBuffer();
      const large = await noise(2000, 200).jpeg().toBuffer();
      const progressive = await noise(800, 600).jpeg({ progressive: true }).toBuffer();
      const png = await noise(400, 300).png().toBuffer();
      const gif = await noise(400, 300).gif().toBuffer();
      for (const sent of [jpeg, large, progressive, png, gif]) {
        for (const part of [0.5, 0.8, 0.95])
          expect(await endOf(sent.subarray(0, sent.length * part))).toBe('partly_read');
        expect(await endOf(sent.subarray(0, 60))).toBe('undecodable');
      }
      const header = readJpeg(jpeg)!.segments.at(-1)!.end;
      expect(await endOf(jpeg.subarray(0, header))).toBe('undecodable');
    });

    it('is found in a PNG by its checksums, and not in its texts', async () => {
      const png = await noise(400, 300)
        .withExif({ IFD0: { Copyright: 'x' } })
        .png()
        .toBuffer();
      expect(await endOf(overwritten(png, 0.5, 0.501, scrambled))).toBe('partly_read');
      const inText = Buffer.from(png);
      inText[png.indexOf('eXIf') + 9]! ^= 1;
      expect(await endOf(inText)).toBe('recorded');
    });

    describe('of a TIFF', () => {
      const size = { width: 64, height: 48 };
      let pixels: Buffer;
      let strips: Buffer[];
      beforeAll(async () => {
        pixels = await noise(64, 48).raw().toBuffer();
        strips = [0, 1, 2, 3].map((at) => pixels.subarray(at * 2304, (at + 1) * 2304));
      });

      it('is partly read where strips are missing or corrupt', async () => {
        expect(await endOf(tiff(size, strips))).toBe('recorded');
        expect(await endOf(tiff(size, strips).subarray(0, -3000))).toBe('partly_read');
        const packed = strips.map((strip) => deflateSync(strip));
        expect(await endOf(tiff(size, packed, { 259: 8 }))).toBe('recorded');
        packed[2] = Buffer.alloc(400, 0x55);
        expect(await endOf(tiff(size, packed, { 259: 8 }))).toBe('partly_read');
      });

      it.each([34925, 34887, 50000])(
        'is refused in a compression that cannot be decoded: %i',
        async (scheme) => {
          expect(await endOf(tiff(size, [Buffer.alloc(500, 0x37)], { 259: scheme }))).toBe('undecodable');
        },
      );

      it('shows its colours and not the samples beside them', async () => {
        const plane = (at: number) => Buffer.from(pixels.filter((_, index) => index % 3 === at));
        const colours = [plane(0), plane(1), plane(2)];
        const shown = async (sent: Buffer) =>
          (await sharp((await room.normalise(sent)).rendition).stats()).channels.map(({ mean }) => mean);
        const wanted = await shown(tiff(size, strips));
        for (const more of [1, 2]) {
          const empty = Array.from({ length: more }, () => Buffer.alloc(64 * 48));
          const made = tiff({ ...size, samples: 3 + more }, [...colours, ...empty], { 284: 2 });
          (await shown(made)).forEach((mean, at) => expect(Math.abs(mean - wanted[at]!)).toBeLessThan(2));
        }
        const clear = tiff({ ...size, samples: 4 }, [...colours, Buffer.alloc(64 * 48)], { 284: 2, 338: 2 });
        expect(await shown(clear)).toEqual([255, 255, 255]);
      });
    });
  });

  it('is recorded or refused, whatever bytes follow its beginning, and costs no other of its batch', async () => {
    const sound: Buffer[] = await Promise.all(
      FORMATS.map((format) => noise(48, 40).toFormat(format).toBuffer()),
    );
    sound.push(
      await noise(48, 40).jpeg({ progressive: true }).toBuffer(),
      await noise(48, 40).png({ progressive: true }).toBuffer(),
      heicFixture('chart'),
    );
    const good = await plain(64, 48).jpeg().toBuffer();
    const edit = fc.record({
      kind: fc.constantFrom('flip', 'cut', 'insert', 'repeat', 'remove'),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      // Most that matters of a file stands at its beginning.
      near: fc.boolean(),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 24 }),
    });
    const edited = (
      bytes: Buffer,
      edits: readonly { kind: string; at: number; near: boolean; bytes: Uint8Array }[],
    ) =>
      edits.reduce((file, { kind, at, near, bytes: more }) => {
        const reach = near ? Math.min(file.length, 700) : file.length;
        const from = Math.min(file.length, 12 + Math.floor(at * reach));
        const [head, tail] = [file.subarray(0, from), file.subarray(from)];
        if (kind === 'cut') return head;
        if (kind === 'insert') return Buffer.concat([head, more, tail]);
        if (kind === 'repeat')
          return Buffer.concat([head, file.subarray(from - 12, from + more.length * 8), tail]);
        if (kind === 'remove') return Buffer.concat([head, tail.subarray(more.length)]);
        return Buffer.concat([
          head,
          tail.subarray(0, more.length).map((byte, index) => byte ^ more[index]!),
          tail.subarray(more.length),
        ]);
      }, bytes);
    const codes = ['recorded', 'partly_read', 'undecodable', 'unsupported_type', 'photo_too_large'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sound),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        async (sent, edits) => {
          const [odd, other] = await Promise.all([endOfAny(edited(sent, edits)), endOf(good)]);
          expect(codes).toContain(odd);
          expect(other).toBe('recorded');
        },
      ),
      { numRuns: 120 },
    );
  }, 120_000);

  /** One that is too large to be drawn has no print. */
  const endOfAny = (bytes: Buffer): Promise<unknown> =>
    room.normalise(bytes, { mayBeMissing: true }).then(
      () => 'recorded',
      (error: { fault?: { code: string } }) => error.fault?.code ?? error,
    );

  it('reads the header of every JPEG that the decoder can open', async () => {
    const sound = await noise(48, 40).jpeg().toBuffer();
    const edits = fc.array(fc.tuple(fc.nat(700), fc.nat(255), fc.boolean()), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const bytes = changes.reduce<Buffer>((file, [at, value, insert]) => {
          const place = 2 + (at % (file.length - 2));
          return insert
            ? inserted(file, place, value)
            : Buffer.concat([file.subarray(0, place), Buffer.of(value), file.subarray(place + 1)]);
        }, sound);
        const opened = await sharp(bytes, { failOn: 'none' })
          .metadata()
          .catch(() => undefined);
        if (opened?.format !== 'jpeg') return;
        expect(readJpeg(bytes)).toMatchObject({ width: opened.width, height: opened.height });
      }),
      { numRuns: 300 },
    );
  });

  const shared = ['photos', 'hard-inputs'].map((name) => join(__dirname, '../../../../shared', name));
  const files = shared
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => /\.(jpe?g|png|webp|avif|gif|tiff?|hei[cf])$/i.test(path));

  // Elsewhere there is nothing to run it on.
  if (files.length > 0)
    it('of real files is recorded, or refused in a sentence', async () => {
      const large = new PictureFixture({});
      try {
        for (const path of files) {
          const end = await large.normalise(readFileSync(path), { mayBeMissing: true }).then(
            ({ quality }) => ({ quality }),
            (error: { fault?: { code: string; message: string } }) => error,
          );
          if ('quality' in end) continue;
          expect(end).toMatchObject({
            fault: { code: 'undecodable', message: expect.stringMatching(/\.$/) as string },
          });
        }
      } finally {
        await large.close();
      }
    }, 120_000);
});
