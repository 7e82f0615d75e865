import { Controller, Get, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { isoTime } from '../../common/clock.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { ApiKeys } from '../api-keys/api-keys.js';
import { RateLimitUses } from './rate-limit-use.js';

const page = z.object({
  flowId: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** Admins see who has used how much of which flow's limit (contract section 4). The limit itself is the flow's. */
@Controller('api/v1/rate-limits')
@UseGuards(AdminGuard)
export class RateLimitsController {
  constructor(
    private readonly uses: RateLimitUses,
    private readonly apiKeys: ApiKeys,
  ) {}

  /** Who called last first. `apiKeyName` is null where the key was revoked. */
  @Get()
  async list(@ValidQuery(page) { limit, flowId }: z.infer<typeof page>) {
    const uses = await this.uses.list(limit, flowId);
    const keys = new Map((await this.apiKeys.list()).map(({ id, name }) => [id, name]));
    return {
      data: uses.map(({ flow, caller: { apiKeyId, address }, freeAt, ...use }) => ({
        flowId: flow.id,
        flowName: flow.name,
        caller: apiKeyId === undefined ? { address } : { apiKeyId, apiKeyName: keys.get(apiKeyId) ?? null },
        used: use.used,
        limit: use.limit,
        windowSeconds: use.windowMs / 1000,
        freeAt: isoTime(freeAt),
      })),
      nextCursor: null,
    };
  }
}
