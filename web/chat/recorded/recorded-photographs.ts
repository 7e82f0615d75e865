import { Refused, Unreachable } from '../../common/answer.js';
import type { BrowserStorage } from '../../common/browser-storage.js';
import { texts } from '../texts.js';
import { inWords, refusalNotice } from '../turns/trouble.js';
import { changeTo, type Recorded, type Wanted } from './recorded.js';
import type { SessionService, SessionShown } from './session-service.js';

interface RecordedState extends SessionShown {
  /** The current area or, once a remark has closed it, that one. */
  last?: string;
  /** The current area is that of a message whose answer the service has not confirmed yet. */
  isGuess: boolean;
  /** The last correction, for screen readers. */
  announcement: string;
}

interface RecordedParts {
  service: SessionService;
  /** The chat's id. */
  sessionId: string;
  /** Returns whether the chat may have an inspection. */
  inspects: () => boolean;
  /** Returns the ids of the photographs sent in the chat. */
  sent: () => readonly string[];
  /** Returns whether the message of this photograph has its answer. */
  answered: (messageId: string) => boolean;
  /** Stores the last state read. */
  storage: BrowserStorage;
  /** Notifies other tabs of a correction. */
  notify: () => void;
}

/**
 * The recorded photographs of the chat by message id, and their corrections. A correction is shown at once, sent after
 * those before it, and undone if the service refuses it.
 */
export class RecordedPhotographs {
  private known: SessionShown;
  private last: string | undefined;
  private isGuess = false;
  private underWay: readonly { messageId: string; wanted: Wanted }[] = [];
  /** A correction got no answer, so it may or may not have been made. */
  private inDoubt = false;
  private state: RecordedState;
  private queue: Promise<unknown> = Promise.resolve();
  private waiting: Promise<void> | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly parts: RecordedParts) {
    const { last, ...known } = readStored(parts.storage);
    this.known = known;
    this.last = last;
    this.state = { ...known, ...(last === undefined ? {} : { last }), isGuess: false, announcement: '' };
  }

  readonly snapshot = (): RecordedState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Returns the photograph including pending corrections. */
  of(messageId: string): Recorded | undefined {
    return this.state.photographs.get(messageId);
  }

  /** Returns the photograph as the service last reported it. */
  reported(messageId: string): Recorded | undefined {
    return this.known.photographs.get(messageId);
  }

  /** Returns whether the service has answered the message of this photograph without recording it. */
  isRefused(messageId: string): boolean {
    return this.state.refused?.includes(messageId) ?? false;
  }

  /** Reloads the photographs. Without a connection the last state stays. */
  readonly refresh = (): Promise<void> => {
    this.waiting ??= this.enqueue(() => {
      this.waiting = undefined;
      return this.load();
    }).catch(() => undefined);
    return this.waiting;
  };

  /** Corrects one photograph. Returns a sentence when it failed, else undefined. */
  async correct(messageId: string, wanted: Wanted): Promise<string | undefined> {
    const one = { messageId, wanted };
    this.underWay = [...this.underWay, one];
    this.show('');
    const failure = await this.enqueue(() => this.correctNow(messageId, wanted)).then(
      () => undefined,
      (error: unknown) => failedInWords(error, this.reported(messageId)?.reportedAt),
    );
    this.underWay = this.underWay.filter((other) => other !== one);
    this.show(failure === undefined ? doneInWords(wanted) : '');
    return failure;
  }

  /** Shows an area as the current one before the answer to the message that names it. */
  goTo(area: string): void {
    this.isGuess = true;
    this.take({ ...this.known, current: area });
  }

  /** Reports a correction of the session to other tabs, and reloads. */
  readonly corrected = (): void => {
    this.parts.notify();
    void this.refresh();
  };

  private async correctNow(messageId: string, wanted: Wanted): Promise<void> {
    // Rotations add up, so one whose answer was lost must not be repeated blindly.
    if (this.inDoubt) await this.load();
    const { service, sessionId } = this.parts;
    const photograph = this.reported(messageId);
    const change = photograph && changeTo(photograph, wanted);
    if (!change) return;
    try {
      const corrected = await service.correct(sessionId, photograph.id, change);
      this.take({ ...this.known, photographs: new Map(this.known.photographs).set(messageId, corrected) });
    } catch (error) {
      if (error instanceof Unreachable) this.inDoubt = true;
      // If a report has claimed it, the reload brings the report's date.
      else await this.load().catch(() => undefined);
      throw error;
    }
    this.corrected();
  }

  private async load(): Promise<void> {
    const { service, sessionId, sent, inspects } = this.parts;
    const shownIds = sent();
    // The device stores the last messages only; those before had photographs too.
    const messageIds = [...new Set([...this.known.photographs.keys(), ...shownIds])];
    if (messageIds.length === 0 && !inspects()) return;
    const answered = shownIds.filter((id) => this.parts.answered(id));
    const shown = await service.photographs(sessionId, messageIds);
    this.inDoubt = false;
    this.isGuess = false;
    // A flow that records nothing in this session refuses nothing either.
    const isRecording = inspects() && shown.areas.length > 0;
    const refused = isRecording ? answered.filter((id) => !shown.photographs.has(id)) : [];
    this.take({ ...shown, refused });
  }

  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private take(shown: SessionShown): void {
    this.known = shown;
    this.last = shown.current ?? this.last;
    keep(this.parts.storage, shown, this.last);
    this.show(this.state.announcement);
  }

  private show(announcement: string): void {
    const photographs = new Map(this.known.photographs);
    for (const { messageId, wanted } of this.underWay) {
      const photograph = photographs.get(messageId);
      if (photograph) photographs.set(messageId, { ...photograph, ...wanted });
    }
    const { last, isGuess } = this;
    this.state = {
      ...{ ...this.known, photographs, isGuess, announcement },
      ...(last === undefined ? {} : { last }),
    };
    for (const listener of this.listeners) listener();
  }
}

/** Describes a failed correction to the person. */
export function failedInWords(error: unknown, reportedAt?: string): string {
  if (!(error instanceof Refused)) return navigator.onLine ? texts.correctionLost : texts.correctionOffline;
  const { problem } = error;
  if (problem.code === 'already_claimed') return claimedInWords(reportedAt);
  const { advice } = refusalNotice(problem);
  if (problem.code === 'rate_limited')
    return inWords({ sentence: texts.tooManyCorrections, ...(advice ? { advice } : {}) });
  return inWords(refusalNotice(problem));
}

/** Says that a report has claimed the photograph, so it can no longer be corrected here. */
export const claimedInWords = (reportedAt: string | undefined): string =>
  texts.claimed(reportedAt === undefined ? undefined : texts.day(new Date(reportedAt)));

function doneInWords(wanted: Wanted): string {
  if ('turn' in wanted) return texts.turned;
  if ('withdrawn' in wanted) return wanted.withdrawn ? texts.withdrew : texts.broughtBack;
  return texts.moved(wanted.area);
}

interface StoredSession {
  refused?: readonly string[];
  photographs: [messageId: string, photograph: Recorded][];
  areas: string[];
  last?: string;
}

function readStored(storage: BrowserStorage): SessionShown & { last?: string } {
  const { photographs = [], areas = [], ...rest } = storage.get<StoredSession>('recorded') ?? {};
  return { ...rest, photographs: new Map(photographs), areas };
}

const keep = (
  storage: BrowserStorage,
  { photographs, areas, refused }: SessionShown,
  last: string | undefined,
): void =>
  void storage.set(
    'recorded',
    last === undefined && photographs.size === 0
      ? undefined
      : { photographs: [...photographs], areas, last, refused },
  );
