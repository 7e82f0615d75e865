import { computedMs } from '../../../test/support/computed.js';
import { MaskedTokens } from './masked-tokens.js';
import { SecretMask } from './secret-mask.js';

const SECRET = 'S3cr€t/"pass" <word>&%41+x\\y';
const PLAIN = 'correct-horse-battery-staple-4711';

const percent = (text: string, which: (index: number) => boolean) =>
  [...Buffer.from(text, 'utf8')]
    .map((byte, index) =>
      which(index) || byte > 0x7f || byte === 0x25
        ? `%${byte.toString(16).padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');
const unicode = (text: string, which: (index: number) => boolean) =>
  [...text]
    .map((letter, index) =>
      which(index)
        ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
        : JSON.stringify(letter).slice(1, -1),
    )
    .join('');
const html = (text: string, form: (letter: string) => string) => [...text].map(form).join('');
const entity = (letter: string) =>
  ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter] ?? letter;

/** Every spelling that a target may answer a secret in. */
const spellings = (secret: string): [name: string, text: string][] => [
  ['verbatim', secret],
  ['lower case', secret.toLowerCase()],
  ['upper case', secret.toUpperCase()],
  ...[0, 1, 2, 3].flatMap((shift): [string, string][] => {
    const inside = Buffer.from(`${'u'.repeat(shift)}${secret}`, 'utf8');
    const around = Buffer.from(`${'user:'.slice(shift)}${secret}:rest`, 'utf8');
    return [
      [`base64 behind ${shift}`, inside.toString('base64')],
      [`base64 without padding behind ${shift}`, inside.toString('base64').replaceAll('=', '')],
      [`base64url behind ${shift}`, inside.toString('base64url')],
      [`base64 of a pair ${shift}`, around.toString('base64')],
      [`base64 in an address ${shift}`, encodeURIComponent(around.toString('base64'))],
    ];
  }),
  ['broken base64', Buffer.from(secret).toString('base64').replace(/.{10}/g, '$&\r\n')],
  ['hexadecimal', Buffer.from(secret).toString('hex')],
  ['HEXADECIMAL', Buffer.from(secret).toString('hex').toUpperCase()],
  ['encodeURIComponent', encodeURIComponent(secret)],
  ['a form', new URLSearchParams({ a: secret }).toString().slice(2)],
  ['percent, every byte', percent(secret, () => true)],
  ['percent, every third', percent(secret, (index) => index % 3 === 0)],
  ['percent in lower case', percent(secret, (index) => index % 2 === 0).toLowerCase()],
  ['JSON', JSON.stringify(secret).slice(1, -1)],
  ['JSON, every character', unicode(secret, () => true)],
  ['JSON, every other', unicode(secret, (index) => index % 2 === 1)],
  ['JSON with slashes', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
  ['HTML', html(secret, entity)],
  ['HTML, decimal', html(secret, (letter) => `&#${letter.codePointAt(0)};`)],
  ['HTML, hexadecimal', html(secret, (letter) => `&#x${letter.codePointAt(0)!.toString(16)};`)],
];

/** The text that may be left: of base64, the characters that stood around the secret in it. */
const restOf = (name: string): RegExp =>
  name.includes('base64')
    ? /^before [\w%+/=-]{0,16}\[masked\][\w%+/=\s-]{0,16} behind$/
    : /^before \[masked\] behind$/;

describe.each([SECRET, PLAIN, 'short6', 'pässwörd'])('the secret %s', (secret) => {
  const mask = new SecretMask().add([secret]);

  it.each(spellings(secret))('is masked: %s', (name, text) => {
    const masked = mask.text(`before ${text} behind`);
    expect(masked).toMatch(restOf(name));
    expect(mask.value({ list: [{ [text]: text }] })).not.toEqual({ list: [{ [text]: text }] });
  });

  it.each(spellings(secret))('is masked where it comes in pieces: %s', (name, text) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const told: string[] = [];
      const tokens = new MaskedTokens(mask, (__, piece) => told.push(piece));
      const whole = `before ${text} behind`;
      for (let at = 0; at < whole.length; at += size) tokens.push('a', whole.slice(at, at + size));
      tokens.flush();
      expect(told.join('')).toMatch(restOf(name));
    }
  });
});

describe('what holds no secret', () => {
  const mask = new SecretMask().add([PLAIN, 'abcd', 'abc', 'x'.repeat(40)]);

  it('is the very same', () => {
    const value = { list: ['nothing', 1, null, true], text: 'correct-horse-battery 100% \\u0041 & more' };
    expect(mask.value(value)).toBe(value);
    expect(mask.text(value.text)).toBe(value.text);
    expect(new SecretMask().value(value)).toBe(value);
  });

  it('is told as it comes, but for an end that may yet be one', () => {
    const told: string[] = [];
    const tokens = new MaskedTokens(mask, (_, piece) => told.push(piece));
    let whole = '';
    for (const piece of [
      'Hello',
      ' there',
      ' in',
      ' the',
      ' correct-',
      'ed',
      ' corri',
      'dor',
      ' 100%',
      '!',
    ]) {
      tokens.push('a', piece);
      whole += piece;
      const rest = whole.slice(told.join('').length);
      expect(whole.startsWith(told.join(''))).toBe(true);
      expect(rest.length).toBeLessThanOrEqual(piece === ' correct-' ? 8 : 5);
    }
    expect(told.join('')).toBe(whole);
  });

  it('keeps a short secret that stands among words, and loses one that stands alone', () => {
    expect(mask.text('the abcd of it')).toBe('the abcd of it');
    expect(mask.value(['abcd', ' ABCD ', 'abcde', 'abc'])).toEqual(['[masked]', '[masked]', 'abcde', 'abc']);
  });

  it('takes __proto__ for an ordinary name', () => {
    const given = JSON.parse(`{"__proto__": {"a": "${PLAIN}"}}`) as object;
    expect(JSON.stringify(mask.value(given))).toBe('{"__proto__":{"a":"[masked]"}}');
  });
});

describe('masking', () => {
  it('finds the parts of a very long secret', () => {
    const long = Array.from({ length: 400 }, (_, index) => `part-${index}-`).join('');
    const mask = new SecretMask().add([long]);
    expect(mask.text(`<${long}>`)).toBe('<[masked]>');
    expect(mask.text(long.slice(0, 1_000))).toMatch(/^\[masked\].{0,64}$/);
  });

  it('takes time in proportion to the text, whatever it says, with twenty secrets', async () => {
    const secrets = Array.from({ length: 20 }, (_, index) => `sk-proj-${index}-${'abcdefghij'.repeat(4)}`);
    const mask = new SecretMask().add(secrets);
    const texts = (size: number) =>
      [
        'sk-proj-1-abcdefghijabcdefghij',
        '%73%6b-proj',
        '\\u0073k-',
        '&#115;k',
        'a',
        '%',
        '&',
        '\\',
        'żółw ',
      ].map((piece) => piece.repeat(Math.ceil(size / piece.length)));
    const [small, large] = [texts(100_000), texts(1_000_000)];
    const run = (list: string[]) => () => list.forEach((text) => mask.text(text));
    run(small)();
    const times = [await computedMs(run(small)), await computedMs(run(large))];
    expect(times[1]! / times[0]!).toBeLessThan(30);
    expect(times[1]! / large.length).toBeLessThan(300);
  });
});
