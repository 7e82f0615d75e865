import ipaddr from 'ipaddr.js';

const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Returns whether an address is on the public internet. Loopback, private, link-local, shared (CGNAT), multicast, reserved
 * and unique-local ones are not, nor is any IPv6 form that carries an IPv4 address (mapped, compatible, NAT64, 6to4,
 * Teredo).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast);
}

/** Returns whether a connected peer is public; IPv4 over an IPv6 socket counts as IPv4. */
export const isPublicPeer = (address: string | undefined): boolean =>
  address !== undefined && ipaddr.isValid(address) && isPublicAddress(ipaddr.process(address).toString());

/** Returns the host of a URL for comparison: lower case, without brackets and without a trailing dot. */
export const bareHost = (hostname: string): string =>
  (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname).toLowerCase().replace(/\.$/, '');

/** Returns whether the host of a URL is an IP address. */
export const isAddressLiteral = (host: string): boolean => ipaddr.isValid(host);

/** Returns `host:port` of a URL, by default with the port of its scheme. */
export const hostAndPort = (url: URL): string =>
  `${bareHost(url.hostname)}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;

/** Returns the targets of `OUTBOUND_ALLOW`, normalised like URLs; an entry without a port means 80 and 443. */
export function allowedTargets(entries: readonly string[]): ReadonlySet<string> {
  const targets = new Set<string>();
  for (const entry of entries) {
    if (!URL.canParse(`http://${entry}`)) continue;
    const host = bareHost(new URL(`http://${entry}`).hostname);
    const port = /:(\d{1,5})$/.exec(entry)?.[1];
    for (const allowed of port === undefined || entry.endsWith(']') ? ['80', '443'] : [port])
      targets.add(`${host}:${allowed}`);
  }
  return targets;
}

/** Returns the header that sends the name and password in a URL, if it has them. */
export function loginHeader({ username, password }: URL): { authorization?: string } {
  if (username === '' && password === '') return {};
  const login = Buffer.from(`${decoded(username)}:${decoded(password)}`);
  return { authorization: `Basic ${login.toString('base64')}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
