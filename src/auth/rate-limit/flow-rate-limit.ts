import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { ServiceError } from '../../common/service-error.js';
import type { Flow } from '../../flows/definition/flow.js';
import type { FlowCall } from '../flow-call.js';
import { type RateLimit, RateLimits, type RateLimitState } from './rate-limits.js';

/** 429: the window is full. The flow's owner may have set the sentence. */
export class RateLimited extends ServiceError {
  constructor(
    resetMs: number,
    message = 'Too many calls. Wait as long as Retry-After says, then try again.',
  ) {
    super('rate_limited', message, { headers: { 'Retry-After': String(wholeSeconds(resetMs)) } });
  }
}

const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** Sets the `RateLimit-*` headers from the state of a limit, in seconds. */
export function showRateLimit(
  response: Response,
  state: Pick<RateLimitState, 'limit' | 'remaining' | 'resetMs'>,
): void {
  response.setHeader('RateLimit-Limit', String(state.limit));
  response.setHeader('RateLimit-Remaining', String(state.remaining));
  response.setHeader('RateLimit-Reset', String(wholeSeconds(state.resetMs)));
}

/**
 * The rate limit set by a flow's owner: per key on a keyed flow, per address on an open one, where an unchecked header
 * must not buy a new budget (contract section 4).
 */
@Injectable()
export class FlowRateLimit {
  constructor(private readonly limits: RateLimits) {}

  /** Counts the call; throws `RateLimited`. */
  async take(call: FlowCall): Promise<void> {
    const rate = rateOf(call);
    if (!rate) return;
    const state = await this.limits.take(rate, call.arrivedAt);
    showRateLimit(call.request.res!, state);
    if (!state.accepted) throw new RateLimited(state.resetMs, call.flow?.access.rateLimit?.message);
  }

  /** Shows the limit on a call that is refused before it is counted; without the key, an unused limit. */
  async announce(call: FlowCall): Promise<void> {
    const rate = rateOf(call);
    if (!rate || call.options.rateLimit === false) return;
    const { limit, windowMs } = rate;
    const known = call.flow?.access.apiKeyId === null || call.apiKeyId !== undefined;
    const untouched = { limit, remaining: limit, resetMs: windowMs };
    showRateLimit(call.request.res!, known ? await this.limits.peek(rate) : untouched);
  }
}

function rateOf({ flow, apiKeyId, address }: FlowCall): RateLimit | undefined {
  if (!flow) return undefined;
  const who = apiKeyId === undefined ? `address:${address}` : `key:${apiKeyId}`;
  return rateOfBucket(flow, `flow:${flow.id}:${who}`);
}

/** Returns the limit of this bucket; undefined if the flow has none. */
export function rateOfBucket({ access }: Pick<Flow, 'access'>, bucket: string): RateLimit | undefined {
  const { rateLimit } = access;
  return rateLimit === null
    ? undefined
    : { bucket, limit: rateLimit.limit, windowMs: rateLimit.windowSeconds * 1000 };
}

/** The flow and the caller whose calls a bucket counts. */
export interface CountedCaller {
  flowId: string;
  apiKeyId?: string;
  address?: string;
}

/** Parses the name of a bucket; undefined if it is not one of a flow. An id of a flow has no colon, an address may. */
export function callerOfBucket(bucket: string): CountedCaller | undefined {
  const [kind, flowId = '', by, ...rest] = bucket.split(':');
  const who = rest.join(':');
  if (kind !== 'flow' || (by !== 'key' && by !== 'address')) return undefined;
  return { flowId, ...(by === 'key' ? { apiKeyId: who } : { address: who }) };
}
