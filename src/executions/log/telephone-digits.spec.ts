import { chatDigits, telephoneDigits } from './telephone-digits.js';

describe('the digits of a telephone number', () => {
  it.each([
    '447700900123',
    '+44 7700 900123',
    '+44 (0)7700 900123',
    '07700 900123',
    '07700.900.123',
    '+44-7700-900-123',
    '+44\u00a07700\u2011900123',
    ' 700900123 ',
  ])('are its last nine, however it is written: %j', (text) =>
    expect(telephoneDigits(text)).toBe('700900123'),
  );

  it.each(['', '+', '70090012', 'office 447700900123', '447700900123@c.us', 'whatsapp:+447700900123'])(
    'are not those of another text: %j',
    (text) => expect(telephoneDigits(text)).toBeUndefined(),
  );

  it('are those of a chat, with or without the word for how it is reached', () => {
    expect(chatDigits('whatsapp:+44 7700 900123')).toBe('700900123');
    expect(chatDigits('447700900123')).toBe('700900123');
    expect(chatDigits('whatsapp:sms:447700900123')).toBeNull();
    expect(chatDigits('0190a8d2-7b5e-7c31-8f64-3b1f2c9d4e5a')).toBeNull();
    expect(chatDigits(undefined)).toBeNull();
  });
});
