import { Refused, Unreachable } from '../../common/answer.js';
import type { Kept } from '../../common/kept.js';
import { texts } from '../texts.js';
import { inWords, refusalSaid } from '../turns/trouble.js';
import { changeTo, type Recorded, type Wanted } from './recorded.js';
import type { SessionService, SessionShown } from './session-service.js';

interface RecordedState extends SessionShown {
  /** For screen readers: the correction that was just made. */
  announcement: string;
}

interface RecordedParts {
  service: SessionService;
  /** The chat's id, under which its photographs are recorded. */
  session: () => string;
  /** The ids of the photographs that stand in the chat. */
  sent: () => readonly string[];
  /** Holds what was read last. */
  kept: Kept;
  /** Tells other tabs that something was corrected. */
  tell: () => void;
}

const NONE: SessionShown = { photographs: new Map(), areas: [] };

/**
 * The photographs of the chat as the service has recorded them, by the ids that the page gave them, and their
 * corrections: shown at once, made one after another, taken back where the service refuses.
 */
export class RecordedPhotographs {
  private known: SessionShown;
  private underWay: readonly { messageId: string; wanted: Wanted }[] = [];
  /** A correction was sent and not answered: it may have been made. */
  private inDoubt = false;
  private state: RecordedState;
  private queue: Promise<unknown> = Promise.resolve();
  private waiting: Promise<void> | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly parts: RecordedParts) {
    this.known = readKept(parts.kept);
    this.state = { ...this.known, announcement: '' };
  }

  readonly snapshot = (): RecordedState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** With the corrections that are under way. */
  of(messageId: string): Recorded | undefined {
    return this.state.photographs.get(messageId);
  }

  /** As the service has told it last. */
  told(messageId: string): Recorded | undefined {
    return this.known.photographs.get(messageId);
  }

  /** Reads anew how they stand; without a connection they stay as they were known. */
  readonly refresh = (): Promise<void> => {
    this.waiting ??= this.inTurn(() => {
      this.waiting = undefined;
      return this.load();
    }).catch(() => undefined);
    return this.waiting;
  };

  /** Corrects one. Answers why it was not done, in words; undefined when it is as it was wanted. */
  async correct(messageId: string, wanted: Wanted): Promise<string | undefined> {
    const one = { messageId, wanted };
    this.underWay = [...this.underWay, one];
    this.show('');
    const failure = await this.inTurn(() => this.correctNow(messageId, wanted)).then(
      () => undefined,
      (error: unknown) => this.sentenceOf(error, messageId),
    );
    this.underWay = this.underWay.filter((other) => other !== one);
    this.show(failure === undefined ? doneInWords(wanted) : '');
    return failure;
  }

  /** Another chat begins. */
  forget(): void {
    this.take(NONE);
  }

  private async correctNow(messageId: string, wanted: Wanted): Promise<void> {
    // Turns add up: one whose answer was lost must not be made twice.
    if (this.inDoubt) await this.load();
    const { service, session, tell } = this.parts;
    const sessionId = session();
    const photograph = this.told(messageId);
    const change = photograph && changeTo(photograph, wanted);
    if (!change) return;
    try {
      const corrected = await service.correct(sessionId, photograph.id, change);
      if (sessionId !== session()) return;
      this.take({ ...this.known, photographs: new Map(this.known.photographs).set(messageId, corrected) });
    } catch (error) {
      if (error instanceof Unreachable) this.inDoubt = true;
      // A report that has it by now is told with its day.
      else await this.load().catch(() => undefined);
      throw error;
    }
    tell();
    void this.refresh();
  }

  private async load(): Promise<void> {
    const { service, session, sent } = this.parts;
    const [sessionId, messageIds] = [session(), sent()];
    if (messageIds.length === 0) return;
    const shown = await service.photographs(sessionId, messageIds);
    this.inDoubt = false;
    if (sessionId === session()) this.take(shown);
  }

  private sentenceOf(error: unknown, messageId: string): string {
    if (!(error instanceof Refused)) return navigator.onLine ? texts.correctionLost : texts.correctionOffline;
    const { problem } = error;
    if (problem.code === 'already_claimed') return claimedInWords(this.told(messageId)?.reportedAt);
    const { advice } = refusalSaid(problem);
    if (problem.code === 'rate_limited')
      return inWords({ sentence: texts.tooManyCorrections, ...(advice ? { advice } : {}) });
    return inWords(refusalSaid(problem));
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private take(shown: SessionShown): void {
    this.known = shown;
    keep(this.parts.kept, shown);
    this.show(this.state.announcement);
  }

  private show(announcement: string): void {
    const photographs = new Map(this.known.photographs);
    for (const { messageId, wanted } of this.underWay) {
      const photograph = photographs.get(messageId);
      if (photograph) photographs.set(messageId, { ...photograph, ...wanted });
    }
    this.state = { photographs, areas: this.known.areas, announcement };
    for (const listener of this.listeners) listener();
  }
}

/** Why a photograph can no longer be corrected here. */
export const claimedInWords = (reportedAt: string | undefined): string =>
  texts.claimed(reportedAt === undefined ? undefined : texts.day(new Date(reportedAt)));

function doneInWords(wanted: Wanted): string {
  if ('turn' in wanted) return texts.turned;
  if ('withdrawn' in wanted) return wanted.withdrawn ? texts.withdrew : texts.broughtBack;
  return texts.moved(wanted.area);
}

interface KeptRecorded {
  photographs: [messageId: string, photograph: Recorded][];
  areas: string[];
}

function readKept(kept: Kept): SessionShown {
  const { photographs = [], areas = [] } = kept.get<KeptRecorded>('recorded') ?? {};
  return { photographs: new Map(photographs), areas };
}

const keep = (kept: Kept, { photographs, areas }: SessionShown): void =>
  kept.set('recorded', photographs.size > 0 ? { photographs: [...photographs], areas } : undefined);
