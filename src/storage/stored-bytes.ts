import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { declareBudget, QuotaExceeded } from '../common/budgets/budget.js';
import { Clock } from '../common/clock.js';

const GIBIBYTE = 1024 ** 3;

const OF_CALLER = declareBudget({
  name: 'photographs and attachments stored in an hour',
  unit: 'bytes',
  owner: 'caller',
  share: 100 * GIBIBYTE,
  beyond: '429 quota_exceeded',
  reason:
    'Thirty clerks behind one address who each send 600 photographs of 5 MB in an hour take 90 GB. The disk itself refuses before it is full.',
});
const OF_FLOW = declareBudget({
  name: 'photographs and attachments of a flow stored in an hour',
  unit: 'bytes',
  owner: 'flow',
  share: 200 * GIBIBYTE,
  beyond: '429 quota_exceeded',
  reason: 'Twice the share of a caller: no single one takes all that a flow may store.',
});

/** The owners to whom stored bytes are charged; `caller` is the checked key, else the address. */
export interface BytesOwner {
  readonly flowId: string;
  readonly caller: string;
}

const HOUR_MS = 3_600_000;
const SLOTS = 12;
const SLOT_MS = HOUR_MS / SLOTS;
const MOST_OWNERS = 10_000;

/** Bytes by slot of five minutes since the process started. */
type Spent = Map<number, number>;

/**
 * Counts the bytes that callers and flows have stored in this process in the last hour, in slots of five minutes. Once a
 * share is used up, further calls are refused. A call that has begun is not, so the last one may exceed the share.
 */
@Injectable()
export class StoredBytes {
  private readonly spent = new LRUCache<string, Spent>({ max: MOST_OWNERS });

  constructor(private readonly clock: Clock) {}

  /** Returns the refusal of a caller or flow whose share is used up. */
  refusal({ flowId, caller }: BytesOwner): QuotaExceeded | undefined {
    return this.refusalOf(caller, OF_CALLER) ?? this.refusalOf(flowName(flowId), OF_FLOW);
  }

  charge({ flowId, caller }: BytesOwner, bytes: number): void {
    for (const owner of [caller, flowName(flowId)]) {
      const slots = this.latest(owner);
      slots.set(this.slot, (slots.get(this.slot) ?? 0) + bytes);
      this.spent.set(owner, slots);
    }
  }

  private refusalOf(owner: string, budget: typeof OF_CALLER | typeof OF_FLOW): QuotaExceeded | undefined {
    const slots = this.latest(owner);
    const used = [...slots.values()].reduce((sum, bytes) => sum + bytes, 0);
    if (used < budget.share) return undefined;
    const oldest = Math.min(...slots.keys());
    const freeAt = (oldest + SLOTS) * SLOT_MS;
    return new QuotaExceeded(budget, Math.max(1, Math.ceil((freeAt - this.clock.elapsed()) / 1000)));
  }

  /** The slots of an owner that are less than an hour old. */
  private latest(owner: string): Spent {
    const slots = this.spent.get(owner) ?? new Map<number, number>();
    for (const slot of slots.keys()) if (slot <= this.slot - SLOTS) slots.delete(slot);
    return slots;
  }

  private get slot(): number {
    return Math.floor(this.clock.elapsed() / SLOT_MS);
  }
}

const flowName = (flowId: string): string => `flow:${flowId}`;
