import { join } from 'node:path';
import { PictureFixture, plain } from '../../../test/fixtures/pictures.js';

describe('a picture that cannot be recorded', () => {
  let pictures: PictureFixture;

  beforeAll(() => {
    pictures = new PictureFixture();
  });
  afterAll(() => pictures.close());

  it('refuses a 900-megapixel PNG before it is decoded', async () => {
    const bomb = Buffer.from(await plain(4, 4).png().toBuffer());
    bomb.writeUInt32BE(30_000, 16);
    bomb.writeUInt32BE(30_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    expect(await pictures.fault(bomb)).toBe('photo_too_large');
  });

  it('lets a baseline JPEG be larger than other pictures, because it shrinks as it is decoded', async () => {
    expect(await pictures.fault(await plain(2400, 1600).jpeg().toBuffer())).toBe('recorded');
    expect(await pictures.fault(await plain(2400, 1600).jpeg({ progressive: true }).toBuffer())).toBe(
      'photo_too_large',
    );
    expect(await pictures.fault(await plain(2400, 1600).webp().toBuffer())).toBe('photo_too_large');
    expect(await pictures.fault(await plain(4800, 4000).jpeg().toBuffer())).toBe('photo_too_large');
  });

  it('names the limit of pixels that a picture exceeds', async () => {
    await expect(pictures.normalise(await plain(2400, 1600).webp().toBuffer())).rejects.toMatchObject({
      fault: { message: expect.stringMatching(/2400 × 1600 pixels, more than the 3 megapixels/) },
    });
  });

  it('refuses what is no picture, whatever its name', async () => {
    expect(await pictures.fault(Buffer.from('this is a text named kitchen.jpg'))).toBe('unsupported_type');
    expect(await pictures.fault(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe(
      'unsupported_type',
    );
    expect(await pictures.fault(Buffer.from('%PDF-1.7'))).toBe('unsupported_type');
    expect(await pictures.fault(Buffer.alloc(0))).toBe('undecodable');
  });

  it('survives pictures of random bytes behind every signature', async () => {
    const heads = [
      '\xff\xd8\xff\xe0',
      '\x89PNG\r\n\x1a\n',
      'RIFFxxxxWEBP',
      'GIF89a',
      'II*\0',
      '\0\0\0\x18ftypheic\0\0\0\0mif1heic',
      '\0\0\0\x18ftypavif\0\0\0\0mif1avif',
    ];
    for (const head of heads) {
      const bytes = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(500, 0x37)]);
      expect(await pictures.fault(bytes)).toBe('undecodable');
    }
  });

  it('does not blame the picture for a disk that fails', async () => {
    const task = pictures.workers.normalise(
      join(pictures.folder, 'missing'),
      join(pictures.folder, 'print'),
      { who: 'somebody', chat: 'one' },
    );
    await expect(task).rejects.toThrow(/^ENOENT/);
    await expect(task).rejects.not.toHaveProperty('fault');
  });
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
