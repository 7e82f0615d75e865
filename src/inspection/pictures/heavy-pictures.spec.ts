import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { PictureFixture, plain } from '../../../test/fixtures/pictures.js';

const fixture = (name: string): Buffer => readFileSync(join(__dirname, '../../../test/fixtures', name));

/** Processes that decode pictures for this test. */
const decoders = (): number[] =>
  readdirSync(`/proc/${process.pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').split(' '))
    .filter(Boolean)
    .map(Number);

const onLinux = existsSync('/proc/self/stat') ? it : it.skip;

describe('pictures that are small as files and large once decoded', () => {
  let pictures: PictureFixture;
  let bomb: Buffer;

  beforeAll(async () => {
    pictures = new PictureFixture({ MAX_MEGAPIXELS: '50' });
    // Interlaced in seven passes, so that the whole picture stays in memory until the last.
    bomb = await plain(5000, 5000)
      .png({ progressive: true, palette: true, colours: 2, effort: 1 })
      .toBuffer();
  });
  afterAll(() => pictures.close());

  it('are kept, and not decoded, when one alone takes more than all may', async () => {
    const bytes = fixture('flat-49-megapixels.avif');
    const picture = await pictures.normalise(bytes, { mayBeMissing: true });
    expect(picture).toMatchObject({ format: 'avif', width: 7000, height: 7000, drawable: false });
    expect([picture.renditionWidth, picture.quality]).toEqual([1280, ['too_large_to_draw']]);
    expect(picture.rendition).toBeUndefined();
  });

  it('are drawn where their format can be shrunk as it is decoded', async () => {
    const picture = await pictures.normalise(fixture('flat-49-megapixels.heic'));
    expect(picture).toMatchObject({ width: 7000, height: 7000, renditionWidth: 1280, drawable: true });
    const { data } = await sharp(picture.rendition).raw().toBuffer({ resolveWithObject: true });
    for (const [at, wanted] of [90, 140, 60].entries()) expect(Math.abs(data[at]! - wanted)).toBeLessThan(4);
  });

  it('do not keep a photograph of somebody else waiting, nor one as heavy as they are', async () => {
    let done = 0;
    const many = Array.from({ length: 12 }, async (_, index) => {
      await pictures.normalise(bomb, { caller: { who: 'first', chat: `${index}` } });
      done += 1;
    });
    const doneWhen = async (bytes: Buffer, who: string): Promise<number> => {
      await pictures.normalise(bytes, { caller: { who, chat: 'one' } });
      return done;
    };
    const small = await plain(640, 480).jpeg().toBuffer();
    const before = await Promise.all([doneWhen(small, 'second'), doneWhen(bomb, 'third')]);
    expect(before[0]).toBeLessThanOrEqual(2);
    expect(before[1]).toBeLessThanOrEqual(4);
    await Promise.all(many);
  });

  onLinux('are kept when the system ends the process that decodes them', async () => {
    const path = join(pictures.folder, 'ended');
    await writeFile(path, bomb);
    let over = false;
    const decoded = pictures.workers.normalise(path, `${path}-print`, { who: 'first', chat: 'one' });
    void decoded.finally(() => (over = true));
    while (!over) {
      for (const pid of decoders()) if (isDecoding(pid)) process.kill(pid, 'SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await decoded).toMatchObject({ drawable: false, quality: ['too_large_to_draw'] });
    expect((await pictures.normalise(await plain(640, 480).jpeg().toBuffer())).drawable).toBe(true);
  });
});

/** Returns true if the process has grown well beyond its size at the start. */
function isDecoding(pid: number): boolean {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096 > 110e6;
  } catch {
    return false;
  }
}
