import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * Returns the address that limits count: IPv4 as it is, IPv4-mapped IPv6 as IPv4, IPv6 by its /64 (contract section 4).
 * `X-Forwarded-For` counts only through the `trust proxy` setting.
 */
export function clientAddress(request: Request): string {
  let address = addresses.get(request);
  if (address === undefined) {
    address = countedAddress(request.ip ?? request.socket.remoteAddress ?? '');
    addresses.set(request, address);
  }
  return address;
}

const addresses = new WeakMap<Request, string>();

/** Matches an address with the port that some proxies add, or in brackets. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d[\d.]*))(?::\d{1,5})?$/;

/** Returns the counted form of an address, with or without a port; `unknown` for a text that is not an address. */
export function countedAddress(text: string): string {
  const [, inBrackets, dotted] = WITH_PORT.exec(text) ?? [];
  const bare = inBrackets ?? dotted ?? text;
  if (!ipaddr.isValid(bare)) return 'unknown';
  const address = ipaddr.process(bare);
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
