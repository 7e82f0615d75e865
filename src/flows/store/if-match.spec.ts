import { wantedRevision } from './if-match.js';

describe('If-Match', () => {
  it.each([undefined, '*', ' * '])('names any revision: %j', (header) => {
    expect(wantedRevision(header)).toBe('any');
  });

  it.each([
    ['"a"', ['a']],
    ['""', ['']],
    ['"a", "b"', ['a', 'b']],
    ['"a,b" ,\t"c"', ['a,b', 'c']],
    [', "a",, "b",', ['a', 'b']],
    ['W/"a"', []],
    ['W/"a", "b"', ['b']],
  ])('lists tags, of which the weak ones never match: %s', (header, tags) => {
    expect(wantedRevision(header)).toEqual(new Set(tags));
  });

  it.each(['', ' ', ',', 'a', '"a', 'a"', '"a" "b"', '"a"b', 'w/"a"', 'W/a', '"a", *', '"a b"', '"a", b'])(
    'refuses what is no list of tags: %j',
    (header) => {
      expect(() => wantedRevision(header)).toThrow(
        expect.objectContaining({
          status: 400,
          code: 'invalid_request',
          errors: [expect.objectContaining({ path: 'If-Match' })],
        }),
      );
    },
  );

  it('is read at once, however many tags it lists', () => {
    const tags = Array.from({ length: 3_000 }, (_, index) => `${index}`);
    expect(wantedRevision(tags.map((tag) => `"${tag}"`).join(','))).toEqual(new Set(tags));
    expect(() => wantedRevision(`"a"${' ,'.repeat(8_000)}x`)).toThrow();
  });
});
