import ipaddr from 'ipaddr.js';

const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Whether an address is on the public internet. Everything else is refused: loopback, private, link-local, shared
 * (CGNAT), multicast, reserved, unique-local, and every IPv6 form that carries an IPv4 address (mapped, compatible,
 * NAT64, 6to4, Teredo), whatever that address is.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast);
}

/** The address of a connected peer; IPv4 over an IPv6 socket counts as IPv4. */
export const isPublicPeer = (address: string | undefined): boolean =>
  address !== undefined && ipaddr.isValid(address) && isPublicAddress(ipaddr.process(address).toString());

/** The host of a URL as it is compared: lower case, without brackets and without the root's trailing dot. */
export const bareHost = (hostname: string): string =>
  (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname).toLowerCase().replace(/\.$/, '');

/** An address written in the host of a URL; names are `false`. */
export const isAddressLiteral = (host: string): boolean => ipaddr.isValid(host);

/** `host:port` of a URL, with the port of its scheme where it names none. */
export const hostAndPort = (url: URL): string =>
  `${bareHost(url.hostname)}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;

/** The targets of `OUTBOUND_ALLOW`, normalised like URLs are; an entry without a port means 80 and 443. */
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
