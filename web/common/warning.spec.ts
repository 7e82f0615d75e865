import { warningSentences } from './warning.js';

describe('the warnings of an answer', () => {
  it('are sentences with a count and a suggestion', () => {
    expect(
      warningSentences([
        { code: 'tiny', message: 'The photograph is small.', path: 'photographs[0]', count: 50 },
        { code: 'unknown_skipped_area', message: '"gas metre" is none.', suggestion: 'gas-meter' },
        { code: 'blurred', message: 'It is blurred.' },
      ]),
    ).toEqual([
      'The photograph is small. (50 times)',
      '"gas metre" is none. Did you mean “gas-meter”?',
      'It is blurred.',
    ]);
  });

  it.each([undefined, null, 'x', {}, [7, null, {}]])('are none in %j', (warnings) =>
    expect(warningSentences(warnings)).toEqual([]),
  );
});
