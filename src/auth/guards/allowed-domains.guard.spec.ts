import { matchesDomain, pageOf } from './allowed-domains.guard.js';

const allows = (pattern: string, origin: string): boolean => {
  const page = pageOf({ origin });
  if (page === undefined || page === 'opaque') throw new Error('no page');
  return matchesDomain(pattern, page);
};

describe('the page of a call', () => {
  it('is that of Origin, else of Referer', () => {
    expect(pageOf({ origin: 'https://a.example', referer: 'https://b.example/x' })).toMatchObject({
      hostname: 'a.example',
    });
    expect(pageOf({ referer: 'https://b.example:8443/x?y' })).toEqual({
      hostname: 'b.example',
      port: '8443',
      origin: 'https://b.example:8443',
    });
  });

  it('is none for a server caller, which sends neither', () => {
    expect(pageOf({})).toBeUndefined();
    expect(pageOf({ origin: '' })).toBeUndefined();
  });

  it.each([
    'null',
    'nonsense',
    'https://',
    'https://a.example https://b.example',
    'file:///tmp/x',
    'data:text/html,x',
  ])('is opaque when it hides or is malformed: %s', (origin) => {
    expect(pageOf({ origin })).toBe('opaque');
  });
});

describe('an allowed domain', () => {
  it.each([
    ['example.com', 'https://example.com'],
    ['example.com', 'http://EXAMPLE.com'],
    ['Example.COM', 'https://example.com'],
    ['example.com', 'https://example.com:8443'],
    ['example.com', 'https://example.com.'],
    ['example.com:8443', 'https://example.com:8443'],
    ['example.com:443', 'https://example.com'],
    ['*.example.com', 'https://a.example.com'],
    ['*.example.com', 'https://a.b.example.com:9000'],
    ['*.example.com:80', 'http://a.example.com'],
    ['localhost:3000', 'http://localhost:3000'],
    ['127.0.0.1', 'http://127.0.0.1:5173'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['[::1]', 'http://[::1]:3000'],
    ['münchen.example', 'https://xn--mnchen-3ya.example'],
  ])('%s lets %s call', (pattern, origin) => {
    expect(allows(pattern, origin)).toBe(true);
  });

  it.each([
    ['example.com', 'https://www.example.com'],
    ['example.com', 'https://example.com.evil.test'],
    ['example.com', 'https://evilexample.com'],
    ['example.com', 'https://example.com@evil.test'],
    ['*.example.com', 'https://example.com'],
    ['*.example.com', 'https://evilexample.com'],
    ['*.example.com', 'https://a.example.com.evil.test'],
    ['example.com:8443', 'https://example.com'],
    ['example.com:443', 'http://example.com'],
    ['*.', 'https://example.com'],
    ['*', 'https://example.com'],
    ['', 'https://example.com'],
  ])('%s does not let %s call', (pattern, origin) => {
    expect(allows(pattern, origin)).toBe(false);
  });
});
