import { RE2JS } from 're2js';
import { patternSize } from './pattern-size.js';
import { matchPattern as matchOf } from './pattern.js';

const matchPattern = (pattern: string, text: string, flowId = 'flow') => matchOf(pattern, text, flowId);

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

  it('is compiled apart where that would hold up the others', async () => {
    let longest = 0;
    let last = performance.now();
    const ticking = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const heavy = Array.from({ length: 4 }, (_, index) => '\\p{L}{1,1000}'.repeat(70).concat(String(index)));
    await Promise.all(heavy.map((pattern) => matchPattern(pattern, 'aaa').catch(() => undefined)));
    clearInterval(ticking);
    expect(longest).toBeLessThan(1_000);
  });

  it.each([
    ['a command', '(?i)^skip (\\w+)( meter)?$', 60],
    ['a long word', '\\p{L}{1,1000}[0-9]', 2_100],
    ['seventy long words', '[a-z\\]]{1,1000}'.repeat(70), 140_000],
    ['quoted text, then long words', '\\Q[\\E' + 'a{1,1000}'.repeat(70), Infinity],
    ['letters by their numbers', '[\\x{2018}\\x{2019}]s|\\x{2019}', 60],
    ['groups in groups', '(((a{1,10}){1,10}){1,10})'.repeat(38), 90_000],
  ])('is estimated by its repetitions, written out: %s', (_, pattern, most) => {
    const size = RE2JS.compile(pattern).programSize();
    expect(patternSize(pattern)).toBeGreaterThan(size / 3);
    expect(patternSize(pattern)).toBeLessThanOrEqual(most);
  });

  it('leaves the event loop free while it runs a heavy pattern, and fails what takes too long', async () => {
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 20);
    const found = matchPattern('\\p{L}{1,1000}[0-9]', 'a'.repeat(100_000));
    await expect(found).rejects.toThrow('The pattern took longer than 2 seconds');
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(20);
    expect(await matchPattern('(\\w{1,50}\\s){3}', `${'a b c '.repeat(10_000)}`)).toEqual(['a b c ', 'c ']);
  });

  it('waits behind one of each other flow at most, and is refused where its own flow has too many', async () => {
    const slow = () => matchPattern('\\p{L}{1,1000}[0-9]', 'a'.repeat(4_000), 'busy').catch(() => undefined);
    let ended = 0;
    const busy = Array.from({ length: 32 }, () => slow().finally(() => ended++));
    await expect(matchPattern('a{1,1000}b{1,1000}c{1,1000}', 'x', 'busy')).rejects.toThrow(
      /share of patterns/,
    );
    expect(await matchPattern('(\\w{1,50}\\s){3}', `${'a b c '.repeat(10_000)}`, 'other')).toEqual([
      'a b c ',
      'c ',
    ]);
    expect(ended).toBeLessThanOrEqual(2);
    await Promise.all(busy);
  });
});
