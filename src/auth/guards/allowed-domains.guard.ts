import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { domainToASCII } from 'node:url';
import { AppConfig } from '../../common/app-config.js';
import { isOwnOrigin } from '../../common/http/own-origin.js';
import { ServiceError } from '../../common/service-error.js';
import type { Flow } from '../../flows/definition/flow.js';
import { type FlowCall, FlowCheck } from '../flow-call.js';
import { FlowRateLimit } from '../rate-limit/flow-rate-limit.js';

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

/** 403: the calling page is not on the flow's list of sites (description section 7). */
export class DomainNotAllowed extends ServiceError {
  constructor() {
    super(
      'domain_not_allowed',
      'This flow may not be called from this site. Ask its owner to add the site to the allowed domains.',
    );
  }
}

/**
 * Returns true if the flow's list allows the calling page to use the flow and read its results (contract section 4). An
 * empty list allows any page; server callers and the service's own pages always pass.
 */
export function allowsPage({ access }: Pick<Flow, 'access'>, request: Request, config: AppConfig): boolean {
  const listed = access.allowedDomains;
  const page = listed.length === 0 ? undefined : pageOf(request.headers);
  if (page === undefined) return true;
  if (page === 'opaque') return false;
  return isOwnOrigin(page.origin, request, config) || listed.some((pattern) => matchesDomain(pattern, page));
}

/** 403: the share link is not public, or the id is unknown and the caller may not know (contract section 4). */
export class ShareLinkNotPublic extends ServiceError {
  constructor() {
    super('share_link_not_public', 'The share link of this flow is not public. Ask its owner to publish it.');
  }
}

/** Answers 403 to pages not on the flow's list and for share links that are not public (description section 7). */
@Injectable()
export class AllowedDomainsGuard extends FlowCheck {
  constructor(
    private readonly config: AppConfig,
    private readonly rateLimit: FlowRateLimit,
  ) {
    super();
  }

  async check(call: FlowCall): Promise<void> {
    const refusal = this.refusalOf(call);
    if (!refusal) return;
    await this.rateLimit.announce(call);
    throw refusal;
  }

  private refusalOf({ flow, options, request, viaShareLink }: FlowCall): ServiceError | undefined {
    if (!flow) return undefined;
    if (options.domain !== false && !allowsPage(flow, request, this.config)) return new DomainNotAllowed();
    return viaShareLink && !flow.access.public ? new ShareLinkNotPublic() : undefined;
  }
}
