import { computedMs } from '../../../test/support/computed.js';
import { normalForm } from './normal-form.js';

describe('a normal form', () => {
  it.each([
    ['Cafe\u0301', 'Caf\u00e9'],
    ['\u1112\u1161\u11ab', '\ud55c'],
    ['q\u0301\u0323', 'q\u0323\u0301'],
    [`a${'\u0323\u0301'.repeat(15)}`, `\u1ea1${'\u0323'.repeat(14)}${'\u0301'.repeat(15)}`],
  ])('composes and orders %j', (text, normal) => expect(normalForm(text, 'NFC')).toBe(normal));

  it('unites compatible characters where that is asked for', () =>
    expect(normalForm('Ｂｅｄ １', 'NFKC')).toBe('Bed 1'));

  it('of a text with a crowd of marks has the rest of it, and the crowd as it was', () => {
    const crowd = '\u0301\u0323'.repeat(600);
    expect(normalForm(`Cafe\u0301 a${crowd} Cafe\u0301`, 'NFC')).toBe(`Caf\u00e9 a${crowd} Caf\u00e9`);
  });

  it('takes linear time on marks without end', async () => {
    const read = () => {
      for (const marks of ['\u0301\u0323', '\u0301\u0323\u0f74', '\u{1d165}\u0323'])
        expect(normalForm(`a${marks.repeat(500_000)}`, 'NFKC').length).toBeGreaterThan(1_000_000);
    };
    expect(await computedMs(read, 3_000)).toBeLessThan(3_000);
  });
});
