import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../common/app-config.js';
import { ServiceError } from '../../common/service-error.js';
import type { FlowCall } from '../flow-call.js';
import { FlowRateLimit } from '../rate-limit/flow-rate-limit.js';
import { allowsPage, DomainNotAllowed } from './allowed-domain.js';
import { FlowCheck } from './flow-check.js';

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
