import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { lateBody } from '../../common/bodies/late-body.js';
import { declareBudget } from '../../common/budgets/budget.js';
import { Clock } from '../../common/clock.js';
import { type RequestTexts, readRequestTexts } from '../api-call.js';

const LIMITS = { bytes: 64 * 1024, patienceMs: 1_000 };

const HOUR_MS = 3_600_000;
const BUDGET = declareBudget({
  name: 'texts of refused calls that are recorded in an hour',
  unit: 'rows',
  owner: 'address',
  share: 100,
  beyond: 'the record has no text',
  reason: 'Enough to see what a client does wrong; at most 256 bodies of 64 kB are read at a time.',
});
const MOST_AT_ONCE = 256;
const MOST_ADDRESSES = 10_000;

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/**
 * Reads chat and question of refused calls for their records. It reads after the answer, so that a caller without a key
 * costs little and never waits: only small bodies, a hundred an hour per address and process, none of a blocked
 * address.
 */
@Injectable()
export class RefusedTexts {
  private readonly hours = new Map<string, { since: number; texts: number }>();
  private reading = 0;

  constructor(private readonly clock: Clock) {}

  /** Reads the texts of a body; call it before the refusal is sent. Resolves to undefined if the body is not read. */
  async read(
    request: Request,
    address: string,
    refusal: { status: number; code: string },
  ): Promise<RequestTexts | undefined> {
    if (!REFUSALS.has(refusal.status) || refusal.code === 'address_blocked') return undefined;
    const read = lateBody(request, LIMITS);
    if (!read || this.reading >= MOST_AT_ONCE || !this.take(address)) return undefined;
    this.reading++;
    try {
      const body = await read();
      return body === undefined ? undefined : readRequestTexts(body);
    } finally {
      this.reading--;
    }
  }

  private take(address: string): boolean {
    const now = this.clock.now();
    let hour = this.hours.get(address);
    if (!hour || now - hour.since >= HOUR_MS) {
      if (!hour && !this.canCount(now)) return false;
      this.hours.set(address, (hour = { since: now, texts: 0 }));
    }
    hour.texts++;
    return hour.texts <= BUDGET.share;
  }

  private canCount(now: number): boolean {
    if (this.hours.size < MOST_ADDRESSES) return true;
    for (const [address, { since }] of this.hours) if (now - since >= HOUR_MS) this.hours.delete(address);
    return this.hours.size < MOST_ADDRESSES;
  }
}
