import type { Request } from 'express';
import { AppConfig } from '../app-config.js';
import { isOwnOrigin, linkOrigin } from './own-origin.js';

const open = AppConfig.from({});
const named = AppConfig.from({ PUBLIC_URL: 'https://reports.agency.example/' });

const reached = (host: string | undefined, forwardedHost?: string): Request =>
  ({
    protocol: 'http',
    host: forwardedHost ?? host,
    headers: { host, 'x-forwarded-host': forwardedHost },
  }) as unknown as Request;

describe('the service’s own origin', () => {
  it.each([
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['192.168.1.5', 'http://192.168.1.5'],
    ['192.168.1.5', 'https://192.168.1.5'],
    ['192.168.1.5:443', 'https://192.168.1.5'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['[0:0:0:0:0:0:0:1]:3000', 'http://[::1]:3000'],
    ['[FD00::1]', 'http://[fd00::1]'],
    ['localhost:3000', 'http://localhost:3000'],
    ['LOCALHOST:3000', 'http://localhost:3000'],
  ])('is the address %s that a call was made to, for %s', (host, origin) => {
    expect(isOwnOrigin(origin, reached(host), open)).toBe(true);
  });

  it.each([
    'evil.example:3000',
    'localhost.:3000',
    'foo.localhost:3000',
    'localhost.evil.example:3000',
    '127.0.0.1.nip.io:3000',
    '127.0.0.1.:3000',
    '127.1:3000',
    '2130706433:3000',
    '0x7f000001:3000',
    '127.0.0.1@evil.example:3000',
    'evil.example#@127.0.0.1:3000',
    '127.0.0.1:3000,evil.example',
    '[::1%25eth0]:3000',
    '[::1]evil.example:3000',
    '①②⑦.⓪.⓪.①:3000',
    '',
    ' ',
    ':3000',
    '[]',
  ])('is not that of a call for the name "%s", which anybody could point here', (host) => {
    const url = `http://${host.trim()}`;
    const origins = ['http://evil.example:3000', 'http://127.0.0.1:3000', 'http://localhost:3000', 'null'];
    if (URL.canParse(url)) origins.push(new URL(url).origin);
    for (const origin of origins)
      expect([origin, isOwnOrigin(origin, reached(host), open)]).toEqual([origin, false]);
  });

  it.each([
    ['127.0.0.1:3000', 'http://127.0.0.1:8080'],
    ['127.0.0.1:3000', 'http://127.0.0.2:3000'],
    ['127.0.0.1:3000', 'http://localhost:3000'],
    ['[::1]:3000', 'http://[::2]:3000'],
    ['127.0.0.1:99999', 'http://127.0.0.1'],
  ])('of a call to %s is not %s', (host, origin) => {
    expect(isOwnOrigin(origin, reached(host), open)).toBe(false);
  });

  it('is never what X-Forwarded-Host says: a page can send that', () => {
    expect(isOwnOrigin('http://6.6.6.6', reached('10.0.0.1', '6.6.6.6'), open)).toBe(false);
    expect(isOwnOrigin('http://10.0.0.1', reached('10.0.0.1', '6.6.6.6'), open)).toBe(true);
  });

  it('is that of PUBLIC_URL alone where it is set', () => {
    expect(isOwnOrigin('https://reports.agency.example', reached('evil.example'), named)).toBe(true);
    expect(isOwnOrigin('https://evil.example', reached('evil.example'), named)).toBe(false);
    expect(isOwnOrigin('http://127.0.0.1:3000', reached('127.0.0.1:3000'), named)).toBe(false);
    expect(isOwnOrigin('http://reports.agency.example', reached('reports.agency.example'), named)).toBe(
      false,
    );
  });

  it('is not needed without a Host', () => {
    expect(isOwnOrigin('http://localhost', reached(undefined), open)).toBe(false);
    expect(linkOrigin(reached(undefined), open)).toBe('http://localhost');
  });
});

describe('links in answers', () => {
  it('begin with PUBLIC_URL, else as the caller reached the service', () => {
    expect(linkOrigin(reached('desk.lan:3000'), named)).toBe('https://reports.agency.example');
    expect(linkOrigin(reached('desk.lan:3000'), open)).toBe('http://desk.lan:3000');
    expect(linkOrigin(reached('a"><script>'), open)).toBe('http://localhost');
  });
});
