import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * The address that a caller counts under: IPv4 as it is, IPv4-mapped IPv6 as IPv4, IPv6 by its /64
 * (contract section 4). `X-Forwarded-For` is believed only through the `trust proxy` setting.
 */
export function clientAddress(request: Request): string {
  return countedAddress(request.ip ?? request.socket.remoteAddress ?? '');
}

/** An address as text, as it is counted; `unknown` for what is none. */
export function countedAddress(text: string): string {
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
