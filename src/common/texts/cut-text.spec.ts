import { cutText } from './cut-text.js';

describe('the beginning of a text', () => {
  it.each([
    ['abc', 2, 'ab'],
    ['abc', 3, 'abc'],
    ['ab', 9, 'ab'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['😀', 1, ''],
    ['', 5, ''],
  ])('of %j within %d is %j', (text, most, beginning) => {
    expect(cutText(text, most)).toBe(beginning);
  });
});
