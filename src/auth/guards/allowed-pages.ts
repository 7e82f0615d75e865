import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../../common/app-config.js';
import { isOwnOrigin } from '../../common/http/own-origin.js';
import { ServiceError } from '../../common/service-error.js';
import type { Flow } from '../../flows/definition/flow.js';
import { matchesDomain, pageOf } from './allowed-domain.js';

/** 403: the calling page is not on the flow's list of sites (description section 7). */
export class DomainNotAllowed extends ServiceError {
  constructor() {
    super(
      'domain_not_allowed',
      'This flow may not be called from this site. Ask its owner to add the site to the allowed domains.',
    );
  }
}

/** Decides which pages may use a flow and read its results (contract section 4). */
@Injectable()
export class AllowedPages {
  constructor(private readonly config: AppConfig) {}

  /**
   * Returns true if the flow's list allows the calling page. An empty list allows any page; server callers and the
   * service's own pages always pass.
   */
  admit(request: Request, { access }: Pick<Flow, 'access'>): boolean {
    const listed = access.allowedDomains;
    if (listed.length === 0) return true;
    const page = pageOf(request.headers);
    if (page === undefined) return true;
    if (page === 'opaque') return false;
    return (
      isOwnOrigin(page.origin, request, this.config) || listed.some((pattern) => matchesDomain(pattern, page))
    );
  }
}
