import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../../common/app-config.js';
import { ServiceError } from '../../common/service-error.js';
import type { FlowCall } from '../flow-access.js';
import { FlowRateLimit } from '../rate-limit/flow-rate-limit.js';
import { pageOf, type Page, matchesDomain } from './allowed-domain.js';
import { FlowCheck } from './flow-check.js';

const domainNotAllowed = () =>
  new ServiceError(
    403,
    'domain_not_allowed',
    'This flow may not be called from this site. Ask its owner to add the site to the allowed domains.',
  );

const shareLinkNotPublic = () =>
  new ServiceError(
    403,
    'share_link_not_public',
    'The share link of this flow is not public. Ask its owner to publish it.',
  );

/** 403 for pages that the flow does not list and for share links that are not public (description section 7). */
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

  private refusalOf(call: FlowCall): ServiceError | undefined {
    const access = call.flow?.access;
    if (!access) return undefined;
    const listed = access.allowedDomains;
    if (call.options.domain !== false && listed.length > 0 && !this.mayCall(call.request, listed)) {
      return domainNotAllowed();
    }
    return call.viaShareLink && !access.public ? shareLinkNotPublic() : undefined;
  }

  private mayCall(request: Request, listed: readonly string[]): boolean {
    const page = pageOf(request.headers);
    if (page === undefined) return true;
    if (page === 'opaque') return false;
    return this.isOurs(page, request) || listed.some((pattern) => matchesDomain(pattern, page));
  }

  /** The hosted chat page and the console are served from here. */
  private isOurs(page: Page, request: Request): boolean {
    const ours = [request.host, this.config.publicUrl && new URL(this.config.publicUrl).host];
    return ours.some((host) => host !== undefined && host !== '' && sameHost(host, page));
  }
}

const sameHost = (host: string, page: Page): boolean => {
  const written = host.toLowerCase();
  return written === page.host || written === `${page.hostname}:${page.port}`;
};
