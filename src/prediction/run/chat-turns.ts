import { Injectable } from '@nestjs/common';

/** A call's place in the queue of its chat. Every place must `leave`, whatever happens. */
export interface Place {
  /** Resolves when every earlier call has left; undefined for the first. */
  readonly atFront: Promise<void> | undefined;
  leave(): void;
}

interface Waiting {
  place: Place;
  advance(): void;
}

/**
 * Runs of one (flow, chatId) go one after another (contract section 3). Within this process they queue here, first
 * come, first served, each chat apart; the first in the queue then takes the turn in the database, a lock over all
 * processes.
 */
@Injectable()
export class ChatTurns {
  /** How long a call may wait for its turn before it is 409 `session_busy`. */
  patienceMs = 60_000;
  /** Interval of polling for a turn that another process holds. */
  pollMs = 50;
  private readonly lines = new Map<string, Waiting[]>();

  join(flowId: string, chatId: string): Place {
    const name = `${flowId}\n${chatId}`;
    const line = this.lines.get(name);
    if (line === undefined) {
      const place: Place = { atFront: undefined, leave: () => this.leave(name, place) };
      this.lines.set(name, [{ place, advance: () => undefined }]);
      return place;
    }
    let advance = (): void => undefined;
    const atFront = new Promise<void>((resolve) => (advance = resolve));
    const place: Place = { atFront, leave: () => this.leave(name, place) };
    line.push({ place, advance });
    return place;
  }

  private leave(name: string, place: Place): void {
    const line = this.lines.get(name);
    const index = line?.findIndex((waiting) => waiting.place === place) ?? -1;
    if (!line || index === -1) return;
    line.splice(index, 1);
    if (line.length === 0) this.lines.delete(name);
    else if (index === 0) line[0]!.advance();
  }
}
