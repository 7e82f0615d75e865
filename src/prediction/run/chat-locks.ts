import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../common/app-config.js';
import { declareBudget } from '../../common/budgets/budget.js';
import { defaults } from '../../common/environment.js';
import { ServiceError } from '../../common/service-error.js';

declareBudget({
  name: 'calls that wait for the lock of a chat',
  unit: 'calls',
  owner: 'session',
  share: defaults.MAX_WAITING_PER_CHAT,
  variable: 'MAX_WAITING_PER_CHAT',
  beyond: '409 session_busy',
  reason:
    'A burst of a hundred photographs, one call each, into one chat; no chat is answered faster for more.',
});

/** A call's place in the queue of its chat. Every place must be left. */
export interface Place {
  /** Resolves when every earlier call has left; undefined for the first. */
  readonly atFront: Promise<void> | undefined;
  leave(): void;
}

interface Waiting {
  place: Place;
  /** True if it counts in `MAX_WAITING_PER_CHAT`: the first of the queue and async runs do not. */
  counts: boolean;
  advance(): void;
}

/**
 * Serialises the runs of a chat (contract section 3). Within this process they queue first come, first served; the
 * first in the queue then takes the chat's lock in the database, over all processes.
 */
@Injectable()
export class ChatLocks {
  /** Time that a call may wait for the lock of its chat before it is 409 `session_busy`. */
  patienceMs = 60_000;
  /** Interval of polling for a lock held by another process. */
  pollMs = 50;
  private readonly lines = new Map<string, Waiting[]>();

  constructor(private readonly config: AppConfig) {}

  /** Joins the queue. Throws 409 `session_busy` if it is full. */
  join(flowId: string, chatId: string, { callerWaits }: { callerWaits: boolean }): Place {
    const name = `${flowId}\n${chatId}`;
    const line = this.lines.get(name);
    if (line === undefined) {
      const place: Place = { atFront: undefined, leave: () => this.leave(name, place) };
      this.lines.set(name, [{ place, counts: false, advance: () => undefined }]);
      return place;
    }
    const waiting = line.reduce((count, { counts }) => count + (counts ? 1 : 0), 0);
    if (callerWaits && waiting >= this.config.maxWaitingPerChat)
      throw sessionBusy('Too many calls wait for this chat. Wait for their answers');
    let advance = (): void => undefined;
    const atFront = new Promise<void>((resolve) => (advance = resolve));
    const place: Place = { atFront, leave: () => this.leave(name, place) };
    line.push({ place, counts: callerWaits, advance });
    return place;
  }

  private leave(name: string, place: Place): void {
    const line = this.lines.get(name);
    const index = line?.findIndex((waiting) => waiting.place === place) ?? -1;
    if (!line || index === -1) return;
    line.splice(index, 1);
    if (line.length === 0) this.lines.delete(name);
    else if (index === 0) {
      line[0]!.counts = false;
      line[0]!.advance();
    }
  }
}

/** 409: the chat is busy for too long. */
export const sessionBusy = (reason: string): ServiceError =>
  new ServiceError('session_busy', `${reason}, then send the message again.`, {
    headers: { 'Retry-After': '5' },
  });
