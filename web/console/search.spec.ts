import { parseSearch, readCreditSearch, readExecutionsSearch, stringifySearch } from './search.js';

describe('the filters in the address', () => {
  it('are read as written, including phone numbers', () => {
    const search = readExecutionsSearch(
      parseSearch('?chatId=447700900123&status=failed&httpStatus=502&q=a+b%26c'),
    );
    expect(search).toEqual({ chatId: '447700900123', status: 'failed', httpStatus: 502, q: 'a b&c' });
    expect(stringifySearch({ ...search })).toBe(
      '?chatId=447700900123&status=failed&httpStatus=502&q=a+b%26c',
    );
    expect(stringifySearch({})).toBe('');
  });

  it.each([
    '?status=broken&kind=&httpStatus=99',
    '?httpStatus=1e2&from=yesterday&to=2026-99-01',
    `?q=${'x'.repeat(201)}&chatId=%20%20`,
    '?__proto__=1&constructor=2&%E0%A4%A',
    '',
  ])('drops invalid filters: %s', (address) => {
    expect(readExecutionsSearch(parseSearch(address))).toEqual({});
  });

  it('survives anything', () => {
    for (const value of [null, {}, [], 12, NaN, true, Symbol('x')])
      expect(() => readExecutionsSearch({ chatId: value, from: value, httpStatus: value })).not.toThrow();
    expect(readCreditSearch({ account: 'default', more: '1' })).toEqual({ account: 'default' });
  });

  it('are the code, the caller, the duration and the order too', () => {
    const address = '?code=flow_failed&address=203.0.113.9&minDurationMs=1000&sort=duration';
    const search = readExecutionsSearch(parseSearch(address));
    expect(search).toEqual({
      code: 'flow_failed',
      address: '203.0.113.9',
      minDurationMs: 1_000,
      sort: 'duration',
    });
    expect(readExecutionsSearch(parseSearch('?minDurationMs=-1&sort=size'))).toEqual({});
  });

  it('keeps times', () => {
    const search = readExecutionsSearch(parseSearch('?from=2026-11-20&to=2026-11-21T09:30:00Z'));
    expect(search).toEqual({ from: '2026-11-20', to: '2026-11-21T09:30:00Z' });
  });
});
