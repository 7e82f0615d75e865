import { computedMs } from '../../../test/support/computed.js';
import { isDataUri, mediaTypeOf, readBase64 } from './base64.js';

const bytes = Buffer.from(Array.from({ length: 200 }, (_, index) => (index * 7) % 256));
const text = bytes.toString('base64');
const inLines = text.replace(/(.{76})/g, '$1\r\n');

describe('base64 from outside', () => {
  it.each([
    ['as it is', text],
    ['without padding', text.replace(/=+$/, '')],
    ['with half of its padding', text.replace(/=$/, '')],
    ['with the URL alphabet', bytes.toString('base64url')],
    ['in lines', inLines],
    ['among blanks', ` \n\t${text} \n`],
    ['as a data URI', `data:image/jpeg;base64,${text}`],
    ['as a data URI with parameters', `DATA:image/jpeg;name=a.jpg;charset=x; BASE64 ,${text}`],
    ['as a data URI without a media type', `data:;base64,${text}`],
    ['as a data URI behind blanks and in lines', `\n data:image/jpeg;base64,\n${inLines}`],
    ['as an escaped data URI', `data:image/jpeg;base64,${encodeURIComponent(inLines)}`],
    ['as a data URI with the URL alphabet', `data:image/jpeg;base64,${bytes.toString('base64url')}`],
  ])('is read %s', (_, spelling) => expect(readBase64(spelling, 1000)).toMatchObject({ bytes }));

  it('tells the media type of a data URI', () => {
    expect(readBase64('data: Image/PNG ;name=x;base64,AAAA')).toHaveProperty('mime', 'image/png');
    expect(readBase64('AAAA')).toHaveProperty('mime', '');
    expect(mediaTypeOf('data: Image/PNG ;name=x;base64,$')).toBe('image/png');
    expect(mediaTypeOf('data:;base64,AAAA')).toBe('');
    expect(['AAAA', 'data:image/png,x', 'data:'].map(mediaTypeOf)).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ['', 'is empty'],
    ['   ', 'is empty'],
    ['==', 'is empty'],
    ['====', 'is not base64'],
    ['data:', 'is a data URI without base64'],
    ['data:image/png', 'is a data URI without base64'],
    ['data:image/png,abc', 'is a data URI without base64'],
    ['data:base64,AAAA', 'is a data URI without base64'],
    ['data:image/png;base64;q=1,AAAA', 'is a data URI without base64'],
    ['data:;base64,', 'is empty'],
    ['data:;base64,%%', 'is not base64'],
    ['abc$', 'is not base64'],
    ['data:;base64,AAA%4', 'is not base64'],
    ['AAA%41', 'is not base64'],
    ['AAA\u0141 ', 'is not base64'],
    ['ab=cd', 'is not base64'],
    ['a', 'is not base64'],
    ['AAAA=', undefined],
    ['hello world!!', 'is not base64'],
    ['\u00e4\u00f6\u00fc', 'is not base64'],
    [`data:${'x'.repeat(100_000)};base64,AAAA`, 'is a data URI without base64'],
  ])('in %j: %s', (spelling, why) => {
    const read = readBase64(spelling);
    expect('why' in read ? read.why : undefined).toBe(why);
  });

  it('larger than allowed is refused before it is decoded', () => {
    const limited = (size: number) => readBase64(Buffer.alloc(size).toString('base64'), 1000);
    expect(limited(1001)).toEqual({ fault: 'too_large', why: 'is larger than 1000 bytes' });
    expect(limited(1000)).toHaveProperty('bytes');
  });

  it.each([
    ['blanks', ' '.repeat(5_000_000)],
    ['blanks between digits', 'A '.repeat(2_500_000)],
    ['percent signs', `data:;base64,${'%'.repeat(5_000_000)}`],
    ['percent-encoded blanks', `data:;base64,${'%20'.repeat(1_600_000)}`],
    ['letters outside of ASCII', `${'ä '.repeat(2_500_000)}`],
    ['padding', '='.repeat(5_000_000)],
    ['semicolons', `data:${';'.repeat(5_000_000)}`],
  ])('takes linear time on %s', async (_, start) => {
    const read = () => expect(readBase64(`${start}$`)).toHaveProperty('fault', 'broken');
    expect(await computedMs(read, 1_500)).toBeLessThan(1_500);
  });

  it('knows a data URI by its start alone', () => {
    expect(['data:x', ' DATA:', 'data', 'AAAA', ''].map(isDataUri)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
