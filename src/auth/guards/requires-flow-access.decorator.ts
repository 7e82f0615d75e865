import { applyDecorators, Injectable, SetMetadata, UseGuards } from '@nestjs/common';
import { FLOW_ACCESS_OPTIONS, type FlowAccessOptions, type FlowCall } from '../flow-call.js';
import { FlowRateLimit } from '../rate-limit/flow-rate-limit.js';
import { AddressBlockGuard } from './address-block.guard.js';
import { AllowedDomainsGuard } from './allowed-domains.guard.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { FlowCheck } from './flow-check.js';
import { FlowExistsGuard } from './flow-exists.guard.js';

/** Answers 429 `rate_limited` (description section 8). Runs last, to count only calls that could run. */
@Injectable()
class RateLimitGuard extends FlowCheck {
  constructor(private readonly rateLimit: FlowRateLimit) {
    super();
  }

  async check(call: FlowCall): Promise<void> {
    if (call.flow && call.options.rateLimit !== false) await this.rateLimit.take(call);
  }
}

/**
 * The ordered checks in front of a flow (description sections 5, 7 and 8; contract section 2), all before the body is
 * read: 429 address_blocked → 404 flow_not_found → 401 invalid_api_key → 403 domain_not_allowed or
 * share_link_not_public → 429 rate_limited.
 */
export const FLOW_CHECKS = [
  AddressBlockGuard,
  FlowExistsGuard,
  ApiKeyGuard,
  AllowedDomainsGuard,
  RateLimitGuard,
] as const;

/** Admits only calls that may use the flow named by the route. `flowAccessOf(request)` then returns their access. */
export const RequiresFlowAccess = (options: FlowAccessOptions = {}): MethodDecorator =>
  applyDecorators(SetMetadata(FLOW_ACCESS_OPTIONS, options), UseGuards(...FLOW_CHECKS));
