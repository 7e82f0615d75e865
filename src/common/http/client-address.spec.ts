import { countedAddress } from './client-address.js';

describe('the address that counts', () => {
  it('is IPv4 for mapped IPv6, and the /64 for IPv6', () => {
    expect(countedAddress('::ffff:198.51.100.7')).toBe('198.51.100.7');
    expect(countedAddress('2001:db8:1:2:3:4:5:6')).toBe(countedAddress('2001:db8:1:2::1'));
    expect(countedAddress('2001:db8:1:2::1')).not.toBe(countedAddress('2001:db8:1:3::1'));
  });

  it.each([
    ['198.51.100.7:40312', '198.51.100.7'],
    ['[2001:db8:1:2::1]:40312', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['[::ffff:198.51.100.7]:443', '198.51.100.7'],
    ['198.51.100.7:', 'unknown'],
    ['not-an-address:80', 'unknown'],
  ])('has no port, which some proxies add to X-Forwarded-For: %s', (sent, counted) => {
    expect(countedAddress(sent)).toBe(counted);
  });
});
