import { civilTime } from './civil-time.js';

describe('an ISO date or time in print', () => {
  it.each([
    ['2025-11-03', '3 Nov 2025'],
    [' 2024-02-29 ', '29 Feb 2024'],
    ['09:30', '09:30'],
    ['2025-11-03T09:30', '3 Nov 2025, 09:30'],
    ['2025-11-03 09:30:15', '3 Nov 2025, 09:30'],
    ['2025-07-03T09:30:00Z', '3 Jul 2025, 10:30 BST'],
    ['2025-11-03T00:30:00.000+01:00', '2 Nov 2025, 23:30 GMT'],
  ])('%j is %j', (text, printed) => expect(civilTime(text)).toBe(printed));

  it.each([
    '',
    'soon',
    '3 Nov 2025',
    '03/11/2025',
    '2025-02-29',
    '2025-13-01',
    '2025-11-03T25:00',
    '2025-11-03T',
    '25:00',
    '2025-11-03T09:30Q',
    '2025-11-03T09:30 +01:00',
  ])('is none: %j', (text) => expect(civilTime(text)).toBeUndefined());
});
