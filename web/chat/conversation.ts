import {
  announcementOf,
  type ChatState,
  emptyChat,
  withAnswer,
  withoutUnfinished,
  withStopped,
  withTroubleKept,
  withTurn,
} from './chat-state.js';
import type { Kept } from '../common/kept.js';
import type { Photograph } from './photographs/photograph.js';
import type { FlowService, Question } from './service.js';
import type { Message, Pending, Transcript } from './transcript.js';
import { inWords, type Trouble, troubleOf } from './trouble.js';
import { type Ending, TurnRunner } from './turn.js';
import { TurnView } from './turn-view.js';
import { uniqueId } from '../common/unique-id.js';

/** What the person sends. */
export interface Input {
  text: string;
  /** All of them are with the service. */
  photographs?: readonly Photograph[];
  form?: Record<string, unknown>;
  humanInput?: NonNullable<Question['humanInput']>;
}

const STOP_PATIENCE_MS = 4_000;

/**
 * One chat with one flow: its messages, the turn that is under way, and what can be done about one that failed. The
 * chat's id and words outlive the page; a turn that was under way is taken up again.
 */
export class Conversation {
  private state: ChatState;
  private id: string;
  private pending: Pending | undefined;
  private stopped = false;
  private takenUp = false;
  private controller = new AbortController();
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly service: FlowService,
    /** Holds the chat's id. */
    private readonly kept: Kept,
    private readonly transcript: Transcript,
  ) {
    this.id = kept.get<string>('chatId') ?? uniqueId();
    const { messages, pending, trouble } = transcript.load();
    this.state = { ...emptyChat, messages, ...(trouble ? { trouble } : {}) };
    this.pending = pending;
    globalThis.addEventListener?.('online', () => {
      if (this.state.trouble?.offline) this.retry();
    });
  }

  /** The chat's id, which from now on outlives the page: something of the chat is with the service. */
  keptId(): string {
    this.kept.set('chatId', this.id);
    return this.id;
  }

  readonly snapshot = (): ChatState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Takes up the turn that the page's last visit left behind, once; one that had failed waits for the person. */
  takeUp(): void {
    if (this.takenUp) return;
    this.takenUp = true;
    if (this.pending && !this.state.trouble) void this.run(false);
  }

  send({ text, photographs = [], form, humanInput }: Input): void {
    if (this.state.phase !== 'idle') return;
    const question: Question = { question: text, chatId: this.keptId() };
    if (form) question.form = form;
    if (humanInput) question.humanInput = humanInput;
    if (photographs.length > 0) question.uploads = photographs.flatMap(uploadOf);
    this.pending = { question, idempotencyKey: uniqueId() };
    const message: Message = { id: uniqueId(), from: 'person', text };
    if (photographs.length > 0) message.photographs = photographs.map(({ id, name }) => ({ id, name }));
    const before = withTroubleKept(this.state);
    this.show({ ...before, messages: [...before.messages, message] });
    this.keep();
    void this.run(true);
  }

  /** Makes the call that failed once more. */
  retry(): void {
    const { trouble, phase } = this.state;
    if (phase !== 'idle' || !this.pending || !trouble?.retry) return;
    if (trouble.retry === 'fresh') {
      this.pending = { ...this.pending, idempotencyKey: uniqueId() };
      delete this.pending.resumeFrom;
      this.show(withoutUnfinished(this.state));
    }
    void this.run(true);
  }

  /** Stops the answer; a message that did not get through is taken back. */
  stop(): void {
    if (this.state.phase === 'idle') return;
    this.stopped = true;
    const { controller } = this;
    this.service.stop(this.id).catch(() => undefined);
    setTimeout(() => controller.abort(), STOP_PATIENCE_MS);
  }

  /** Forgets this chat and begins another. */
  restart(): void {
    if (this.state.phase !== 'idle') this.service.stop(this.id).catch(() => undefined);
    this.controller.abort();
    this.id = uniqueId();
    this.pending = undefined;
    this.kept.set('chatId', undefined);
    this.show({ ...emptyChat, announcement: 'New chat.' });
    this.keep();
  }

  private async run(maySend: boolean): Promise<void> {
    const turn = { ...this.pending!, maySend };
    const controller = new AbortController();
    this.controller = controller;
    this.stopped = false;
    this.show(withTurn(this.state));
    // Read from its beginning: what was shown of it stands in a message that is written anew.
    if (turn.resumeFrom !== undefined) turn.resumeFrom = `${turn.resumeFrom.split(':')[0]}:0`;
    const listener = new TurnView(
      () => this.state,
      (state) => this.controller === controller && this.show(state),
      (eventId) => this.controller === controller && this.noteEvent(eventId),
    );
    const ending = await new TurnRunner(this.service, turn, listener, controller.signal)
      .run()
      .catch(unexpected);
    listener.end();
    if (this.controller === controller && this.pending) this.end(ending);
  }

  private noteEvent(eventId: string): void {
    const first = this.pending!.resumeFrom === undefined;
    this.pending!.resumeFrom = eventId;
    if (first) this.keep();
  }

  private end(ending: Ending): void {
    if (ending.type === 'answered') {
      const { text, followUps, decision } = ending;
      const state = text === '' ? this.state : withAnswer(this.state, text);
      return this.settle({
        ...state,
        followUps,
        announcement: announcementOf(text),
        ...(decision ? { decision } : {}),
      });
    }
    if (this.stopped) return this.endStopped(ending);
    this.endInTrouble(troubleOf(ending)!);
  }

  private endStopped(ending: Ending): void {
    if (ending.type === 'lost' && !ending.began)
      return this.endInTrouble({ sentence: 'Not sent: you stopped it.', retry: 'same' });
    this.settle({ ...withStopped(this.state), announcement: 'Stopped.' });
  }

  /** The call is kept where it may be made again. */
  private endInTrouble(trouble: Trouble): void {
    this.settle({ ...this.state, trouble, announcement: inWords(trouble) }, trouble.retry !== undefined);
  }

  private settle(state: ChatState, again = false): void {
    if (!again) this.pending = undefined;
    this.show({ ...state, phase: 'idle' });
    this.keep();
  }

  private keep(): void {
    this.transcript.save({ ...this.state, pending: this.pending });
  }

  private show(state: ChatState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

const uploadOf = ({ journey }: Photograph) =>
  journey.at === 'there' ? [{ type: 'stored-file' as const, name: journey.issued }] : [];

const unexpected = (): Ending => ({
  type: 'failed',
  text: '',
  sentence: 'The answer could not be read. Try again.',
});
