import type { ThingView } from '../../../src/api/things.js';
import type { InspectionPlace } from './place.js';

/** The time for which a deletion can be undone in the sheet. */
const UNDO_MS = 15 * 60_000;

interface Deletion {
  thing: ThingView;
  sessionId: string;
  /** Epoch milliseconds. */
  at: number;
}

/** The things that were deleted in this chat lately. They survive a reload of the page. */
export class Deletions {
  constructor(private readonly place: Pick<InspectionPlace, 'sessionId' | 'storage'>) {}

  /** Returns those that the session does not list again, newest first. */
  list(recorded: readonly ThingView[], now = Date.now()): ThingView[] {
    const known = new Set(recorded.map(({ id }) => id));
    const sessionId = this.place.sessionId();
    return this.read(now).flatMap((each) =>
      each.sessionId === sessionId && !known.has(each.thing.id) ? [each.thing] : [],
    );
  }

  add(thing: ThingView, now = Date.now()): void {
    this.write([{ thing, sessionId: this.place.sessionId(), at: now }, ...this.without(thing, now)]);
  }

  drop(thing: ThingView, now = Date.now()): void {
    this.write(this.without(thing, now));
  }

  private without({ id }: ThingView, now: number): Deletion[] {
    return this.read(now).filter(({ thing }) => thing.id !== id);
  }

  private read(now: number): Deletion[] {
    const stored = this.place.storage.get<Deletion[]>('deleted') ?? [];
    return stored.filter(({ at }) => Math.abs(now - at) < UNDO_MS);
  }

  private write(deletions: readonly Deletion[]): void {
    this.place.storage.set('deleted', deletions.length === 0 ? undefined : deletions);
  }
}
