import { uniqueId } from '../../common/unique-id.js';
import { texts } from '../texts.js';
import { AutomaticRetry } from './automatic-retry.js';
import { type ChatState, emptyChat, withoutUnfinished, withPastTrouble, withTurn } from './chat-state.js';
import { type Input, messageOf, pendingOf } from './input.js';
import { spoken } from './late-rich.js';
import type { FlowService } from './service.js';
import type { Pending, Transcript } from './transcript.js';
import { outcomeOf } from './turn-outcome.js';
import { TurnView } from './turn-view.js';
import { type Ending, TurnRunner } from './turn.js';

/** Receives the outcome for the photographs of a message, by their ids. */
export interface PhotographKeeper {
  /** The message was answered. */
  acknowledged(ids: readonly string[]): void;
  /** The message has no answer and is not sent again. `lost` is true if the service no longer has the photographs. */
  giveBack(ids: readonly string[], lost?: boolean): Promise<void>;
}

const STOP_PATIENCE_MS = 4_000;

/**
 * One chat with one flow: its messages, the turn in progress and the retry of a failed one. The messages survive a reload,
 * after which a turn in progress is resumed.
 */
export class Conversation {
  private state: ChatState;
  private pending: Pending | undefined;
  /** Ids of other unanswered turns of earlier visits. */
  private left: string[];
  private stopped = false;
  private takenUp = false;
  private controller = new AbortController();
  keeper: PhotographKeeper | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly again = new AutomaticRetry(() => {
    if (this.state.trouble?.waits) this.retry();
  });

  constructor(
    private readonly service: FlowService,
    readonly chatId: string,
    private readonly transcript: Transcript,
    /** Called when a turn has ended. */
    private readonly settled: () => void,
    /** Returns the variables that the page gives the flow with each message. */
    private readonly vars: () => Record<string, string> | undefined,
  ) {
    const { messages, pending, trouble, decision, left } = transcript.load();
    const waiting = { ...(trouble ? { trouble } : {}), ...(decision ? { decision } : {}) };
    this.state = { ...emptyChat, messages, ...waiting };
    this.pending = pending;
    this.left = left;
  }

  /** Shows what another tab has added to the chat, unless a turn is in progress here. */
  takeOver(): void {
    if (this.state.phase !== 'idle' || this.pending) return;
    const before = withPastTrouble(this.state).messages;
    const { messages, decision } = this.transcript.merged(before);
    if (messages.length === before.length && messages.every((message, at) => message === before[at])) return;
    this.show({ ...emptyChat, messages, ...(decision ? { decision } : {}) });
  }

  /** Returns the state of the message that a photograph was sent with. */
  fateOf(photograph: string): 'pending' | 'answered' | 'unknown' {
    if (this.transcript.awaits(photograph) || this.pending?.photographs?.includes(photograph))
      return 'pending';
    const { messages } = this.state;
    const at = messages.findIndex(({ photographs }) => photographs?.some(({ id }) => id === photograph));
    const answer = messages[at + 1];
    return at >= 0 && answer?.from === 'flow' && !answer.stopped ? 'answered' : 'unknown';
  }

  readonly snapshot = (): ChatState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Resumes the unfinished turn of the last visit, once. A failed one waits for the person to retry. */
  takeUp(): void {
    if (this.takenUp) return;
    this.takenUp = true;
    if (this.pending && !this.state.trouble) void this.resume(this.pending);
    this.again.now();
  }

  /** Returns whether the message of this id has been sent. */
  has(id: string): boolean {
    return this.state.messages.some((message) => message.id === id);
  }

  /** The id of the unanswered message. */
  get pendingMessage(): string | undefined {
    return this.pending && this.state.messages.findLast(({ from }) => from === 'person')?.id;
  }

  /** Returns whether a message can be sent: no turn is in progress or waits to be retried by itself. */
  isFree(): boolean {
    return (
      this.state.phase === 'idle' &&
      (!this.pending || (this.state.trouble !== undefined && !this.state.trouble.waits))
    );
  }

  /** Sends a message. No other one may be in progress. */
  send(input: Input): void {
    // The person continues without an answer to the previous message.
    if (this.pending) this.giveBack();
    this.pending = pendingOf(input, this.chatId, this.vars());
    const before = withPastTrouble(this.state);
    this.show({ ...before, messages: [...before.messages, messageOf(input)] });
    this.keep();
    void this.run(true);
  }

  /** Continues without an answer to a message that failed. */
  giveUp(): void {
    if (this.state.phase !== 'idle' || !this.state.trouble) return;
    if (this.pending) this.giveBack();
    this.pending = undefined;
    const { trouble: _, ...rest } = withPastTrouble(this.state);
    this.show(rest);
    this.keep();
  }

  /** Repeats the call that failed. */
  retry(): void {
    const { trouble, phase } = this.state;
    if (phase !== 'idle' || !this.pending || !trouble?.retry) return;
    if (trouble.retry === 'resume') this.fromItsBeginning();
    if (trouble.retry === 'fresh') this.fromItsBeginning(uniqueId());
    void this.run(true, trouble.retry === 'resume');
    // Without its trouble, a reloaded page resumes this call instead of starting another.
    this.keep();
  }

  /** Cancels the answer. A message that the service has not received is not resent automatically. */
  stop(): void {
    if (this.state.phase === 'idle') return;
    this.stopped = true;
    const { controller } = this;
    this.service.stop(this.chatId).catch(() => undefined);
    setTimeout(() => controller.abort(), STOP_PATIENCE_MS);
  }

  /** Follows a turn of an earlier visit. If nothing of it was received, sends it again under its key, so that it runs once. */
  private resume({ resumeFrom }: Pending): Promise<void> {
    return this.run(resumeFrom === undefined);
  }

  /** Repeats the call instead of resuming its stream. */
  private fromItsBeginning(idempotencyKey = this.pending!.idempotencyKey): void {
    this.pending = { ...this.pending!, idempotencyKey };
    delete this.pending.resumeFrom;
    this.show(withoutUnfinished(this.state));
  }

  /** Runs the pending turn. `rerunFailed`: if the stored answer is a failure, run the flow again under a new key. */
  private async run(maySend: boolean, rerunFailed = false): Promise<void> {
    const turn = { ...this.pending!, maySend };
    const controller = new AbortController();
    this.controller = controller;
    this.stopped = false;
    this.show(withTurn(this.state, turn.question.humanInput?.startNodeId));
    // Resume from the start of the stream, since the answer is rebuilt from its first event.
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
    if (this.controller !== controller || !this.pending) return;
    if (rerunFailed && !this.stopped && hasFailedBefore(ending)) {
      this.fromItsBeginning(uniqueId());
      const ended = this.run(true);
      this.keep();
      return ended;
    }
    this.end(ending);
  }

  private noteEvent(eventId: string): void {
    const first = this.pending!.resumeFrom === undefined;
    this.pending!.resumeFrom = eventId;
    if (first) this.keep();
  }

  private end(ending: Ending): void {
    const turn = { chatId: this.chatId, stopped: this.stopped, mayWait: this.again.isPatient };
    const { state, again, photographs } = outcomeOf(ending, this.state, turn, spoken);
    if (photographs === 'answered') this.keeper?.acknowledged(this.pending?.photographs ?? []);
    else if (photographs !== 'pending') this.giveBack(photographs === 'lost');
    this.settle(state, again);
  }

  private giveBack(lost = false): void {
    const { photographs = [] } = this.pending ?? {};
    if (photographs.length > 0) void this.keeper?.giveBack(photographs, lost);
  }

  private settle(state: ChatState, again: boolean): void {
    if (!again) this.pending = undefined;
    this.again.settle(state.trouble);
    this.show({ ...state, phase: 'idle' });
    this.keep();
    this.settled();
    if (!this.pending && !state.trouble) this.resumeNext();
  }

  /** Resumes the next unanswered turn of an earlier visit; if there is none, shows what other tabs have added. */
  private resumeNext(): void {
    for (let id = this.left.pop(); id !== undefined; id = this.left.pop()) {
      const { messages, pending, trouble, turn } = this.transcript.load(id);
      if (turn !== id) continue;
      this.pending = pending;
      this.show({ ...this.state, messages, ...(trouble ? { trouble } : {}) });
      if (pending && !trouble) void this.resume(pending);
      return;
    }
    this.show({ ...this.state, messages: this.transcript.merged(this.state.messages).messages });
  }

  private keep(): void {
    this.transcript.save({ ...this.state, pending: this.pending });
  }

  private show(state: ChatState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

const hasFailedBefore = (ending: Ending): boolean =>
  (ending.type === 'failed' || ending.type === 'refused') && ending.replayed === true;

const unexpected = (): Ending => ({
  type: 'failed',
  text: '',
  sentence: texts.answerUnreadable,
});
