import { AppConfig, type ConfigError } from './app-config.js';

const faultsOf = (variables: Record<string, string>): readonly string[] => {
  try {
    AppConfig.from(variables);
    return [];
  } catch (error) {
    return (error as ConfigError).faults.map((fault) => fault.split(':', 1)[0]!);
  }
};

describe('the configuration', () => {
  it('names every wrong variable at once', () => {
    expect(
      faultsOf({ PORT: 'x', MAX_PHOTOS: '0', SAMPLES: 'maybe', SMTP_URL: 'http://mail', FETCH_HEADERS: '{' }),
    ).toEqual(expect.arrayContaining(['PORT', 'MAX_PHOTOS', 'SAMPLES', 'SMTP_URL', 'FETCH_HEADERS']));
  });

  it('takes an empty value for unset', () => {
    expect(AppConfig.from({ PORT: '', MAX_PHOTOS: '', OUTBOUND_ALLOW: '', SMTP_URL: '' })).toMatchObject({
      port: 3000,
      maxPhotos: 50,
      outboundAllow: [],
      smtpUrl: undefined,
    });
  });

  it.each(['10.0.0.5:8080', 'files.internal:443', 'files.internal', '[::1]:9000', '[fd00::1]', 'a:1, b:2'])(
    'takes %s as OUTBOUND_ALLOW',
    (text) => expect(faultsOf({ OUTBOUND_ALLOW: text })).toEqual([]),
  );

  it.each([
    'http://10.0.0.5:8080',
    '10.0.0.5:0',
    '10.0.0.5:99999',
    'two words:80',
    ':80',
    '::1:80',
    'host:80/path',
  ])('refuses %s as OUTBOUND_ALLOW', (text) =>
    expect(faultsOf({ OUTBOUND_ALLOW: `ok.internal:80,${text}` })).toEqual(['OUTBOUND_ALLOW.1']),
  );

  it.each([
    'smtp://',
    'smtp://user:pa#ss@mail.example:587',
    'smtps://user:pa/ss@mail.example',
    'smtp:mail.example',
  ])('refuses %s as SMTP_URL, and does not repeat its password', (text) => {
    const refused = () => AppConfig.from({ SMTP_URL: text });
    expect(refused).toThrow(/SMTP_URL: must be an address such as/);
    expect(refused).not.toThrow('user:pa');
  });

  it.each([
    [undefined, false],
    ['0', false],
    ['1', true],
    ['10.0.0.0/8', true],
  ])('stands behind a proxy or not with TRUST_PROXY=%s: %s', (given, isBehind) =>
    expect(AppConfig.from({ TRUST_PROXY: given }).isBehindProxy).toBe(isBehind),
  );

  it('takes a password with escapes in SMTP_URL, and a server without one', () => {
    for (const text of [
      'smtp://user:pa%23ss@mail.example:587',
      'smtps://mail.example',
      'smtp://127.0.0.1:25',
    ])
      expect(faultsOf({ SMTP_URL: text })).toEqual([]);
  });

  it('refuses what is neither a recipient nor a host as MAIL_ALLOW', () => {
    expect(faultsOf({ MAIL_ALLOW: 'a@b.example, @b.example, *@b.example, b.example' })).toEqual([]);
    expect(faultsOf({ MAIL_ALLOW: 'two words' })).toEqual(['MAIL_ALLOW.0']);
    expect(faultsOf({ MAIL_ALLOW: 'a@b@c' })).toEqual(['MAIL_ALLOW.0']);
  });
});
