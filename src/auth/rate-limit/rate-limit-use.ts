import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Flow } from '../../flows/definition/flow.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { callerOfBucket, type CountedCaller, rateOfBucket } from './flow-rate-limit.js';
import { type RateLimit, RateLimits } from './rate-limits.js';

/** One caller's use of a flow's limit. `freeAt` is the instant (epoch ms) at which the next call is free. */
export interface RateLimitUse {
  flow: Flow;
  caller: CountedCaller;
  used: number;
  limit: number;
  windowMs: number;
  freeAt: number;
}

interface Bucket {
  bucket: string;
  newest_at: number;
}

const MOST_BUCKETS = 10_000;

/** Skips from bucket to bucket by index: the cost grows with the callers, not with their calls. */
const BUCKETS = `WITH RECURSIVE names (bucket) AS (
    SELECT MIN(bucket) FROM rate_limit_hits
    UNION ALL SELECT (SELECT MIN(bucket) FROM rate_limit_hits WHERE bucket > names.bucket)
      FROM names WHERE names.bucket IS NOT NULL
  )
  SELECT bucket, (SELECT MAX(counted_at) FROM rate_limit_hits AS hits WHERE hits.bucket = names.bucket) AS newest_at
  FROM names WHERE bucket IS NOT NULL LIMIT ${MOST_BUCKETS}`;

/** Reads the current counts of the flows' rate limits, for admins. Counts nothing itself. */
@Injectable()
export class RateLimitUses {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly limits: RateLimits,
    private readonly flows: FlowStore,
    private readonly clock: Clock,
  ) {}

  /** Lists callers with a call in their window, latest call first; of all flows or of one. */
  async list(most: number, flowId?: string): Promise<RateLimitUse[]> {
    const counted = (await this.counted(flowId)).slice(0, most);
    const uses = await Promise.all(counted.map((one) => this.useOf(one)));
    return uses.filter(({ used }) => used > 0);
  }

  private async counted(flowId: string | undefined): Promise<Counted[]> {
    const rows = await this.reader.all<Bucket>(BUCKETS);
    const named = rows.flatMap((row) => {
      const caller = callerOfBucket(row.bucket);
      return caller && (flowId === undefined || caller.flowId === flowId) ? [{ ...row, caller }] : [];
    });
    const flows = await this.flowsOf(named.map(({ caller }) => caller.flowId));
    const now = this.clock.now();
    return named
      .flatMap(({ bucket, newest_at: newestAt, caller }) => {
        const flow = flows.get(caller.flowId);
        const rate = flow && rateOfBucket(flow, bucket);
        return rate && newestAt >= now - rate.windowMs ? [{ flow, rate, caller, newestAt }] : [];
      })
      .sort((one, other) => other.newestAt - one.newestAt);
  }

  private async flowsOf(ids: readonly string[]): Promise<Map<string, Flow>> {
    const found = await Promise.all([...new Set(ids)].map((id) => this.flows.find(id)));
    return new Map(found.flatMap((flow) => (flow ? [[flow.id, flow] as const] : [])));
  }

  private async useOf({ flow, rate, caller }: Counted): Promise<RateLimitUse> {
    const { limit, remaining, freeAt } = await this.limits.peek(rate);
    return { flow, caller, used: limit - remaining, limit, windowMs: rate.windowMs, freeAt };
  }
}

interface Counted {
  flow: Flow;
  rate: RateLimit;
  caller: CountedCaller;
  newestAt: number;
}
