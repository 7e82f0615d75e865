import { computedMs } from '../../../test/support/computed.js';
import { recordedValue, recordText } from './recorded-value.js';

describe('what the log keeps of a value', () => {
  it('masks members by their name, whatever their case and separators', () => {
    const given = {
      headers: { Authorization: 'abc', 'X-Api-Key': 'abc', 'set-cookie': 'abc', accept: 'text/html' },
      api_key: 'abc',
      apiKey: 12,
      password: 'abc',
      client_secret: { inner: 'abc' },
      token: 'abc',
      access_token: 'abc',
      tokens: { inputTokens: 5 },
      maxTokens: 20,
    };
    expect(recordedValue(given)).toEqual({
      headers: {
        Authorization: '[masked]',
        'X-Api-Key': '[masked]',
        'set-cookie': '[masked]',
        accept: 'text/html',
      },
      api_key: '[masked]',
      apiKey: '[masked]',
      password: '[masked]',
      client_secret: '[masked]',
      token: '[masked]',
      access_token: '[masked]',
      tokens: { inputTokens: 5 },
      maxTokens: 20,
    });
  });

  it.each([
    ['my key is sk-abcdefgh12345678 ok', 'my key is sk-[masked] ok'],
    ['fk_AAAABBBBCCCCDDDD', 'fk_[masked]'],
    ['Authorization: Bearer eyJhbGciOi.abc', 'Authorization: Bearer [masked]'],
    ['authorization: bearer eyJhbGciOi.abc', 'authorization: Bearer [masked]'],
    ['ask-me about task_list', 'ask-me about task_list'],
  ])('masks secrets by their form: %s', (given, kept) => {
    expect(recordText(given)).toBe(kept);
    expect(recordedValue([given])).toEqual([kept]);
  });

  it('shortens data URIs and says how long they were', () => {
    const uri = `data:image/jpeg;base64,${'A'.repeat(5000)}`;
    expect(recordText(`look: ${uri}.`)).toBe(
      `look: data:image/jpeg;base64,${'A'.repeat(16)}… [5023 characters].`,
    );
  });

  it('cuts a long text and says how long it was', () => {
    const kept = recordText('x'.repeat(100_000))!;
    expect(kept).toHaveLength(32_768 + '… [truncated, 100000 characters]'.length);
    expect(kept).toContain('[truncated, 100000 characters]');
  });

  it('masks a secret that the cut falls into', () => {
    for (const before of [32_758, 32_750, 32_735]) {
      const text = `${'x '.repeat(before / 2)} Bearer abcdefghij0123456789 ${'y'.repeat(90_000)}`;
      expect(recordText(text)).not.toContain('abc');
    }
    expect(
      JSON.stringify(recordedValue([`${'x '.repeat(1_995)} sk-abcdefghij0123${'y'.repeat(9_000)}`])),
    ).not.toContain('abc');
  });

  it('never cuts a character in half', () => {
    expect(recordText(`${'x'.repeat(32_767)}😀 and more`)!.isWellFormed()).toBe(true);
  });

  it('replaces what PostgreSQL cannot store', () => {
    expect(recordText('a\0b\ud800c')).toBe('a\ufffdb\ufffdc');
    expect(recordedValue(['a\0b'])).toEqual(['a\ufffdb']);
  });

  it('keeps of a large value a preview and its size', () => {
    const large = { rows: Array.from({ length: 3000 }, (_, index) => `row number ${index}`) };
    const kept = recordedValue(large) as { truncated: boolean; size: number; preview: string };
    expect(kept.truncated).toBe(true);
    expect(kept.size).toBeGreaterThan(40_000);
    expect(kept.preview.length).toBeLessThanOrEqual(16_384);
    expect(kept.preview).toContain('row number 1');
  });

  it('stays small and quick for hostile values', async () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 10_000; level++) deep = [deep];
    const wide = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, index]));
    const bearers = 'Bearer '.repeat(100_000);
    const uris = 'data:a;'.repeat(100_000);
    const record = () => {
      for (const value of [deep, wide, bearers, uris, { text: `data:${'a'.repeat(1_000_000)}` }]) {
        expect(JSON.stringify(recordedValue(value)).length).toBeLessThan(40_000);
        if (typeof value === 'string') recordText(value);
      }
    };
    expect(await computedMs(record, 1_000)).toBeLessThan(1_000);
  });

  it('takes __proto__ for an ordinary name', () => {
    const given = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}') as object;
    expect(JSON.stringify(recordedValue(given))).toBe('{"__proto__":{"admin":true},"constructor":1}');
  });

  it('leaves what is small as it is', () => {
    const given = { a: [1, true, null, 'text'], b: { c: 'd' } };
    expect(recordedValue(given)).toEqual(given);
    expect(recordedValue(undefined)).toBeUndefined();
    expect(recordText(undefined)).toBeNull();
  });
});
