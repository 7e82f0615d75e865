import type { IncomingHttpHeaders } from 'node:http';
import { domainToASCII } from 'node:url';

/** Origin of a calling page. Lower case, international names in ASCII form. */
export interface CallingPage {
  origin: string;
  hostname: string;
  /** Never empty: the default port of the scheme if none is given. */
  port: string;
}

const schemePorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Returns the page that made a call, from `Origin` or else `Referer`. `undefined` for a server caller, which sends
 * neither; `opaque` for a page that hides its origin (`Origin: null`, a sandboxed frame) or sends an invalid one.
 */
export function pageOf(headers: IncomingHttpHeaders): CallingPage | 'opaque' | undefined {
  const address = headers.origin || headers.referer;
  if (!address) return undefined;
  if (!URL.canParse(address)) return 'opaque';
  const { origin, protocol, hostname, port } = new URL(address);
  if (hostname === '') return 'opaque';
  const name = (hostname.endsWith('.') ? hostname.slice(0, -1) : hostname).toLowerCase();
  return { origin, hostname: name, port: port || (schemePorts[protocol] ?? '') };
}

/**
 * Returns true if the page matches the pattern: `example.com` is that host alone, `*.example.com` every host below it
 * but not the domain itself; any port unless the pattern names one (description section 7, contract section 4).
 */
export function matchesDomain(pattern: string, page: CallingPage): boolean {
  const { hostname, port } = readPattern(pattern);
  if (port !== undefined && port !== page.port) return false;
  if (!hostname.startsWith('*.')) return hostname !== '' && hostname === page.hostname;
  const parent = hostname.slice(1);
  return parent.length > 1 && page.hostname.length > parent.length && page.hostname.endsWith(parent);
}

function readPattern(pattern: string): { hostname: string; port: string | undefined } {
  const text = pattern.trim().toLowerCase();
  const colon = text.lastIndexOf(':');
  const hasPort = colon > text.lastIndexOf(']');
  const name = hasPort ? text.slice(0, colon) : text;
  return { hostname: asciiName(name), port: hasPort ? text.slice(colon + 1) : undefined };
}

function asciiName(name: string): string {
  if (name.startsWith('[')) return name;
  return name.startsWith('*.') ? `*.${domainToASCII(name.slice(2))}` : domainToASCII(name);
}
