import { shownName } from './file-name.js';

describe('the name of an attached file', () => {
  it.each([
    ['invoice\u202egpj.exe', 'invoicegpj.exe'],
    ['\u2066a\u2069\u200e\u200f\u061c.txt', 'a.txt'],
    ['a\r\nb\t\u0085\u2028\u2029.txt', 'ab.txt'],
    ['\ufeff a\u200b.txt ', 'a.txt'],
    ['Küche "1" 厨房 😀.jpg', 'Küche "1" 厨房 😀.jpg'],
    ['\u202e\u0001 ', 'file'],
    ['', 'file'],
  ])('shows nothing that cannot be seen: %j', (given, shown) => {
    expect(shownName(given, 'file')).toBe(shown);
  });

  it('is cut between characters', () => {
    expect(shownName(`${'a'.repeat(199)}😀.jpg`, 'file')).toBe('a'.repeat(199));
  });
});
