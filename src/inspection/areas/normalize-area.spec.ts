import { normalizeArea } from './normalize-area.js';

describe('area name matching', () => {
  it.each([
    ['Bedroom 1', 'bedroom-1'],
    ['Bedroom 1', '  BEDROOM \t 1 '],
    ['Bedroom 1', 'bedroom/1'],
    ['Bedroom 1', 'bedroom - 1'],
    ['Bedroom 1', 'Bedroom\u20131'],
    ['Bedroom 1', 'Bedroom\u2014 1'],
    ['Bedroom 1', 'Bedroom\u00a01'],
    ['Bedroom 1', 'Ｂｅｄｒｏｏｍ １'],
    ['Bedroom 1', 'Bed\u00adroom\u200b 1'],
    ['Café', 'CAFE\u0301'],
  ])('takes %j and %j for one', (one, other) => expect(normalizeArea(one)).toBe(normalizeArea(other)));

  it('keeps different names apart', () =>
    expect(normalizeArea('Bedroom 1')).not.toBe(normalizeArea('Bedroom 11')));
  it('leaves nothing of a name of separators', () => expect(normalizeArea(' -/\u2014 ')).toBe(''));
  it('takes linear time on a long run of blanks', () => {
    expect(normalizeArea(`a${' '.repeat(500_000)}b`)).toBe('a b');
  });
});
