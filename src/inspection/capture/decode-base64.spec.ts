import { decodeBase64 } from './decode-base64.js';

const bytes = Buffer.from(Array.from({ length: 200 }, (_, index) => (index * 7) % 256));
const codeOf = (data: string, limit = 1000) => {
  const decoded = decodeBase64(data, limit);
  return 'fault' in decoded ? decoded.fault.code : undefined;
};

describe('the data of a photograph', () => {
  it.each([
    ['base64', bytes.toString('base64')],
    ['without padding', bytes.toString('base64').replace(/=+$/, '')],
    ['with the URL alphabet', bytes.toString('base64url')],
    ['in lines', bytes.toString('base64').replace(/(.{76})/g, '$1\r\n')],
    ['a data URI', `data:image/jpeg;base64,${bytes.toString('base64')}`],
    ['a data URI with parameters', `DATA:image/jpeg;name=a.jpg;BASE64,${bytes.toString('base64')}`],
    ['an escaped data URI', `data:image/jpeg;base64,${encodeURIComponent(bytes.toString('base64'))}`],
  ])('is read as %s', (_, data) => expect(decodeBase64(data, 1000)).toEqual({ bytes }));

  it.each([
    '',
    '   ',
    '====',
    'data:',
    'data:image/png',
    'data:image/png,abc',
    'data:;base64,',
    'abc$',
    'ab=cd',
    'a',
    'hello world!!',
    '\u00e4\u00f6\u00fc',
    `data:${'x'.repeat(100_000)};base64,AAAA`,
  ])('of %j is refused', (data) => expect(codeOf(data)).toBe('undecodable'));

  it('larger than allowed is refused before it is decoded', () => {
    expect(codeOf(Buffer.alloc(1001).toString('base64'))).toBe('photo_too_large');
    expect(codeOf(Buffer.alloc(1000).toString('base64'))).toBeUndefined();
  });

  it('takes linear time on blanks', () => expect(codeOf(`${' '.repeat(1_000_000)}$`)).toBe('undecodable'));
});
