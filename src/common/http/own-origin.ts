import type { Request } from 'express';
import { isIP } from 'node:net';
import type { AppConfig } from '../app-config.js';

/**
 * `scheme://host` for links in an answer: `PUBLIC_URL`, else as this caller says that it reached the service. For the
 * answer to this caller alone: links that anybody else receives must not be made from it.
 */
export function linkOrigin(request: Request, config: AppConfig): string {
  if (config.publicUrl !== undefined) return config.publicUrl;
  const url = `${request.protocol}://${request.host || 'localhost'}`;
  return URL.canParse(url) ? new URL(url).origin : 'http://localhost';
}

/**
 * Whether `origin` (as `URL.origin` writes it) is the service's own (contract section 2): that of `PUBLIC_URL`; without
 * it, the request's `Host` where that is an IP address or `localhost`. Any other name could be pointed at this service by
 * whoever owns it. `X-Forwarded-Host` is not read: a page can send it.
 */
export function isOwnOrigin(origin: string, request: Request, config: AppConfig): boolean {
  if (config.publicUrl !== undefined) return origin === new URL(config.publicUrl).origin;
  const host = literalHost(request.headers.host ?? '');
  // A proxy that ends TLS in front of the service does not tell the scheme: either one matches, with the same host and
  // port.
  return host !== undefined && ['http', 'https'].some((scheme) => originOf(scheme, host) === origin);
}

const originOf = (scheme: string, host: string): string => new URL(`${scheme}://${host}`).origin;

const HOST = /^(\[[0-9a-f:.]+\]|[0-9.]+|localhost)(:[0-9]{1,5})?$/i;

/** A `Host` that is an address or `localhost`, with its port; no other spelling of either. */
function literalHost(header: string): string | undefined {
  const [, host = ''] = HOST.exec(header) ?? [];
  const literal = host.toLowerCase() === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0;
  return literal && URL.canParse(`http://${header}`) ? header : undefined;
}
