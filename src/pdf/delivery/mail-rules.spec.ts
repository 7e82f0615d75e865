import { allAllowed, attachableBytes, isMailAddress, mailBytes, waitAfter } from './mail-rules.js';

describe('recipients', () => {
  it.each(['agent@lettings.example', 'o.brien+reports@a-b.co.uk', "o'hara@bücher.example", 'root@localhost'])(
    'takes %s',
    (address) => expect(isMailAddress(address)).toBe(true),
  );

  it.each([
    '',
    'agent',
    '@host',
    'agent@',
    'a@b@c.example',
    'a b@host.example',
    'Agent <agent@host.example>',
    'agent@host.example, other@host.example',
    'agent@host.example\r\nBcc: other@host.example',
    'agent@host..example',
    '"agent"@host.example',
    `${'a'.repeat(65)}@host.example`,
    `agent@${'a.'.repeat(200)}example`,
  ])('refuses %j', (address) => expect(isMailAddress(address)).toBe(false));

  it('match MAIL_ALLOW by the whole address or the whole host, whatever the case', () => {
    const allow = ['office@agency.example', '@landlord.example'];
    expect(allAllowed(['Office@Agency.example', 'any@LANDLORD.example'], allow)).toBe(true);
    expect(allAllowed(['other@agency.example'], allow)).toBe(false);
    expect(allAllowed(['any@evil.landlord.example'], allow)).toBe(false);
    expect(allAllowed(['any@evillandlord.example'], allow)).toBe(false);
    expect(allAllowed(['office@agency.example', 'any@elsewhere.example'], allow)).toBe(false);
    expect(allAllowed(['any@landlord.example'], [])).toBe(false);
  });

  it('match a host of MAIL_ALLOW also where it is written bare or with a star', () => {
    for (const entry of ['landlord.example', '*@landlord.example', '@Landlord.example']) {
      expect(allAllowed(['any@landlord.example'], [entry])).toBe(true);
      expect(allAllowed(['any@evil.landlord.example'], [entry])).toBe(false);
      expect(allAllowed(['landlord.example@evil.example'], [entry])).toBe(false);
    }
  });
});

describe('a mail', () => {
  it('is never smaller on the wire than its attachment in base64', () => {
    for (const bytes of [0, 1, 57, 58, 10_000_000]) {
      const encoded = Buffer.alloc(bytes).toString('base64');
      const lines = Math.ceil(encoded.length / 76);
      expect(mailBytes(bytes, '')).toBeGreaterThanOrEqual(encoded.length + 2 * lines);
    }
  });

  it('has room for the largest attachment that fits, and for no more', () => {
    for (const most of [20_000, 500_001, 14_680_064]) {
      const bytes = attachableBytes(most, 'The report is attached.');
      expect(mailBytes(bytes, 'The report is attached.')).toBeLessThanOrEqual(most);
      expect(mailBytes(bytes + 58, 'The report is attached.')).toBeGreaterThan(most);
    }
    expect(attachableBytes(1000, '')).toBeLessThan(0);
  });

  it('is tried again after seconds first, and given up after days', () => {
    expect(waitAfter(1)).toBe(2000);
    expect(waitAfter(10)).toBe(3_600_000);
    expect(waitAfter(52)).toBe(3_600_000);
    expect(waitAfter(53)).toBeUndefined();
  });
});
