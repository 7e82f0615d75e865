import type { Request } from 'express';
import { isIP } from 'node:net';
import type { AppConfig } from '../app-config.js';

/**
 * Returns `scheme://host` for links in an answer: `PUBLIC_URL`, else the address by which this caller reached the service.
 * The caller controls the latter, so links for anybody else must not be made from it.
 */
export function linkOrigin(request: Request, config: AppConfig): string {
  if (config.publicUrl !== undefined) return config.publicUrl;
  const url = `${request.protocol}://${request.host || 'localhost'}`;
  if (url !== latest.url)
    latest = { url, origin: URL.canParse(url) ? new URL(url).origin : 'http://localhost' };
  return latest.origin;
}

/** The latest address, which is that of most callers. */
let latest = { url: '', origin: '' };

/**
 * Returns whether `origin` (as `URL.origin` writes it) is the service's own (contract section 2): that of `PUBLIC_URL`, or
 * without it the request's `Host` if that is an IP address or `localhost`. The owner of any other name could point it at
 * this service. `X-Forwarded-Host` is not read, because a page can send it.
 */
export function isOwnOrigin(origin: string, request: Request, config: AppConfig): boolean {
  if (config.publicUrl !== undefined) return origin === new URL(config.publicUrl).origin;
  const host = literalHost(request.headers.host ?? '');
  // Behind a proxy that ends TLS the scheme is unknown: either one matches, with the same host and port.
  return host !== undefined && ['http', 'https'].some((scheme) => originOf(scheme, host) === origin);
}

const originOf = (scheme: string, host: string): string => new URL(`${scheme}://${host}`).origin;

const HOST = /^(\[[0-9a-f:.]+\]|[0-9.]+|localhost)(:[0-9]{1,5})?$/i;

/** Returns a `Host` that is an IP address or `localhost`, with its port; undefined for any other. */
function literalHost(header: string): string | undefined {
  const [, host = ''] = HOST.exec(header) ?? [];
  const literal = host.toLowerCase() === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0;
  return literal && URL.canParse(`http://${header}`) ? header : undefined;
}
