import { Controller, Get, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { rateLimitUse, type RateLimitUseView } from '../../api/access.js';
import { answered } from '../../api/route-note.js';
import { type PageOf, pageSchema } from '../../api/shapes.js';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { Documented } from '../../common/http/route-table.js';
import { isoTime } from '../../common/iso-time.js';
import { ApiKeys } from '../api-keys/api-keys.js';
import { RateLimitUses } from './rate-limit-use.js';

const page = z.object({
  flowId: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** Shows admins the use of the flows' limits (contract section 4). The limits are set on the flows. */
@Controller('api/v1/rate-limits')
@UseGuards(AdminGuard)
export class RateLimitsController {
  constructor(
    private readonly uses: RateLimitUses,
    private readonly apiKeys: ApiKeys,
  ) {}

  @Documented({
    summary: 'Read the use of rate limits',
    description:
      'Callers with a call in the window of a flow that has a limit now: by key on a flow with a key, else by address. Reading them does not count as a call. There is no second page: if 500 callers are not enough, name a flow.',
    answers: answered('The callers, most recent first.', pageSchema(rateLimitUse)),
  })
  @Get()
  async list(@ValidQuery(page) { limit, flowId }: z.infer<typeof page>): Promise<PageOf<RateLimitUseView>> {
    const uses = await this.uses.list(limit, flowId);
    const keys = new Map((await this.apiKeys.list()).map(({ id, name }) => [id, name]));
    return {
      data: uses.map(({ flow, caller: { apiKeyId, address }, freeAt, ...use }) => ({
        flowId: flow.id,
        flowName: flow.name,
        caller:
          apiKeyId === undefined
            ? { address: address! }
            : { apiKeyId, apiKeyName: keys.get(apiKeyId) ?? null },
        used: use.used,
        limit: use.limit,
        windowSeconds: use.windowMs / 1000,
        freeAt: isoTime(freeAt),
      })),
      nextCursor: null,
    };
  }
}
