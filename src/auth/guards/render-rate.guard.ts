import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { AppConfig } from '../../common/app-config.js';
import { declareBudget } from '../../common/budgets/budget.js';
import { defaults } from '../../common/environment.js';
import { clientAddress } from '../../common/http/client-address.js';
import { RateLimited, showRateLimit } from '../rate-limit/flow-rate-limit.js';
import { RateLimits } from '../rate-limit/rate-limits.js';

const MINUTE_MS = 60_000;

declareBudget({
  name: 'renders in a minute',
  unit: 'calls',
  owner: 'address',
  share: defaults.RENDERS_PER_MINUTE,
  variable: 'RENDERS_PER_MINUTE',
  beyond: '429 rate_limited',
  reason: 'Thirty clerks behind one address ask for a preview and a report each.',
});

/** Answers 429 beyond `RENDERS_PER_MINUTE` renders of an address in any minute (contract section 6). */
@Injectable()
export class RenderRateGuard extends ThrottlerGuard {
  protected override headerPrefix = 'RateLimit';

  // Injected by name, because the throttler's constructor declares its own parameters.
  constructor(
    @Inject(RateLimits) limits: RateLimits,
    @Inject(Reflector) reflector: Reflector,
    @Inject(AppConfig) config: AppConfig,
  ) {
    super([{ name: 'default', limit: config.rendersPerMinute, ttl: MINUTE_MS }], limits, reflector);
  }

  protected override async getTracker(request: Record<string, unknown>): Promise<string> {
    return clientAddress(request as unknown as Request);
  }

  protected override generateKey(_context: ExecutionContext, address: string): string {
    return `render:address:${address}`;
  }

  protected override async throwThrottlingException(
    context: ExecutionContext,
    { limit, timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    const resetMs = timeToBlockExpire * 1000;
    const response = context.switchToHttp().getResponse<Response>();
    showRateLimit(response, { limit, remaining: 0, resetMs });
    throw new RateLimited(resetMs);
  }
}
