import { matchPattern } from './pattern.js';

describe('a pattern of a condition', () => {
  it('gives the whole match and its groups, empty where one took no part', async () => {
    expect(await matchPattern('(?i)^skip (\\w+)( meter)?$', 'Skip gas')).toEqual(['Skip gas', 'gas', '']);
  });

  it('finds nothing where it does not match, cannot be read or is too long', async () => {
    expect(await matchPattern('^a$', 'b')).toBeUndefined();
    expect(await matchPattern('(', '(')).toBeUndefined();
    expect(await matchPattern('a'.repeat(1_001), 'a'.repeat(2_000))).toBeUndefined();
  });

  it('takes linear time where a backtracking engine would never end', async () => {
    expect(await matchPattern('^(a+)+$', `${'a'.repeat(50_000)}b`)).toBeUndefined();
  });
});
