import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { normalizeArea } from './normalize-area.js';

const SAMPLE = join(__dirname, '../../../samples/inspection-assistant/area-names.js');

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
    ['Bedroom 1', 'bedroom_1'],
    ['Bedroom 1', '__Bedroom__1'],
    ['Bedroom 1', 'bedroom\uff3f1'],
    ['Café', 'CAFE\u0301'],
    ["Kid's room", 'kid\u2019s_room'],
    ["Kid's room", 'KID\u2018S-ROOM'],
    ["Kid's room", 'kid\u02bcs room'],
    ["Kid's room", 'kid\u00b4s/room'],
    ["Kid's room", 'Kid\uff07s room'],
  ])('takes %j and %j for one', (one, other) => expect(normalizeArea(one)).toBe(normalizeArea(other)));

  it('is that of the sample assistant too', () => {
    const slug = compileFunction(`${readFileSync(SAMPLE, 'utf8')} return slug(words);`, ['words']) as (
      words: string,
    ) => string;
    for (const name of [
      'KID\u2019S_Room',
      'kid\u00b4s/room',
      'Bed\u00adroom \u2014\uff11',
      '_ -/',
      'CAFE\u0301',
      'ẞ',
    ])
      expect([name, slug(name)]).toEqual([name, normalizeArea(name)]);
  });

  it('keeps different names apart', () =>
    expect(normalizeArea('Bedroom 1')).not.toBe(normalizeArea('Bedroom 11')));
  it('leaves nothing of a name of separators', () => expect(normalizeArea(' -/_\u2014 ')).toBe(''));
  it('takes linear time on a long run of blanks', () => {
    expect(normalizeArea(`a${' '.repeat(500_000)}b`)).toBe('a b');
  });
});
