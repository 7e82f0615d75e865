import { brandOf, chatBrand, logoData } from './chat-brand.js';

const uri = (bytes: number, mime = 'image/png') =>
  `data:${mime};base64,${Buffer.alloc(bytes, 7).toString('base64')}`;

describe('the logo of a chat page', () => {
  it('may have 64 KB in the definition itself, and not a byte more', () => {
    expect(logoData(uri(64 * 1024))?.bytes).toHaveLength(64 * 1024);
    expect(logoData(uri(1))).toEqual({ mime: 'image/png', bytes: Buffer.from([7]) });
    for (const size of [0, 64 * 1024 + 1, 64 * 1024 + 2, 200_000]) {
      expect(logoData(uri(size))).toBeUndefined();
      expect(chatBrand.safeParse({ logo: uri(size) }).error?.issues[0]?.message).toContain('64 KB');
    }
  });

  it('is a picture in base64 or the id of an asset, never an address', () => {
    const asset = '0191e0c4-7c3e-7b1a-9d55-3f1c2b7a9e40';
    expect(brandOf({ brand: { logo: asset } })).toEqual({ logo: asset });
    expect(logoData(asset)).toBeUndefined();
    for (const logo of [
      'https://example.com/logo.png',
      '/etc/passwd',
      uri(10, 'text/html'),
      'data:image/png,x',
      'data:image/png;base64,a$b',
      asset.toUpperCase(),
      '',
    ])
      expect([logo, chatBrand.safeParse({ logo }).success]).toEqual([logo, false]);
  });

  it('is none where what is stored is none of this', () => {
    expect(brandOf(undefined)).toEqual({});
    expect(brandOf({ brand: { colour: 'red' } })).toEqual({});
  });
});
