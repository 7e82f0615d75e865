import { Injectable } from '@nestjs/common';
import type { FlowCall } from '../flow-call.js';
import { FlowRateLimit } from '../rate-limit/flow-rate-limit.js';
import { FlowCheck } from './flow-check.js';

/** 429 `rate_limited` (description section 8): the last check before the body is read, so that only calls count that could run. */
@Injectable()
export class RateLimitGuard extends FlowCheck {
  constructor(private readonly rateLimit: FlowRateLimit) {
    super();
  }

  async check(call: FlowCall): Promise<void> {
    if (call.flow && call.options.rateLimit !== false) await this.rateLimit.take(call);
  }
}
