import { Injectable } from '@nestjs/common';
import type { FlowCall } from '../flow-call.js';
import { FlowRateLimit } from '../rate-limit/flow-rate-limit.js';
import { FlowCheck } from './flow-check.js';

/**
 * Answers 429 `rate_limited` (description section 8). The last check before the body is read: only calls that could run
 * are counted.
 */
@Injectable()
export class RateLimitGuard extends FlowCheck {
  constructor(private readonly rateLimit: FlowRateLimit) {
    super();
  }

  async check(call: FlowCall): Promise<void> {
    if (call.flow && call.options.rateLimit !== false) await this.rateLimit.take(call);
  }
}
