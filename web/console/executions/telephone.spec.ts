import { digitsOfTelephone } from './telephone.js';

describe('what was typed for a chat', () => {
  it.each([
    '+44 7700 900123',
    '447700 900123',
    ' 447700900123',
    '+44-7700-900-123',
    '+44 (7700) 900123',
    '+44 (0)7700 900123',
    '+44 7700\u2011900123',
  ])('has the digits of a telephone number: %j', (text) =>
    expect(digitsOfTelephone(text)).toBe('447700900123'),
  );

  it.each(['', '447700900123', 'office 12', '12-7', '+44 77', '447700900123@c.us', '1'.repeat(16) + ' 2'])(
    'is left as it is: %j',
    (text) => expect(digitsOfTelephone(text)).toBeUndefined(),
  );
});
