import { bytesInWords, counted, durationInWords, instantInWords } from './words.js';

describe('words for figures', () => {
  it.each([
    [0, '0 ms'],
    [12.4, '12 ms'],
    [1_240, '1.24 s'],
    [9_994, '9.99 s'],
    [12_400, '12.4 s'],
    [59_940, '59.9 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [3_599_900, '1 h'],
    [7_500_000, '2 h 5 min'],
    [7_199_000, '2 h'],
  ])('says %d ms as %s', (ms, words) => expect(durationInWords(ms)).toBe(words));

  it.each([
    [812, '812 B'],
    [1_500, '1.5 KB'],
    [999_700, '1.0 MB'],
    [5_240_000, '5.2 MB'],
    [52_000_000, '52 MB'],
  ])('says %d bytes as %s', (bytes, words) => expect(bytesInWords(bytes)).toBe(words));

  it('counts in the singular and the plural', () => {
    expect([counted(1, 'photograph'), counted(1_200, 'photograph'), counted(2, 'entry', 'entries')]).toEqual([
      '1 photograph',
      '1,200 photographs',
      '2 entries',
    ]);
  });

  it('says a time as shortly as it is clear', () => {
    const now = new Date(2026, 10, 21, 12);
    const at = (...parts: [number, number, number, number, number, number]) =>
      new Date(...parts).toISOString();
    expect(instantInWords(at(2026, 10, 21, 9, 3, 2), 'short', now)).toBe('09:03:02');
    expect(instantInWords(at(2026, 10, 20, 9, 3, 2), 'short', now)).toMatch(/^20 Nov,? 09:03:02$/);
    expect(instantInWords(at(2025, 10, 20, 9, 3, 2), 'short', now)).toMatch(/^20 Nov 2025,? 09:03:02$/);
    expect(instantInWords('no time', 'short', now)).toBeUndefined();
  });
});
