import type { Kept } from './kept.js';
import { type Photograph, thumbnailOf } from './photographs.js';
import type { FlowService, Question } from './service.js';
import type { Message, Pending, Transcript } from './transcript.js';
import { type Trouble, troubleOf } from './trouble.js';
import { type Decision, type Ending, type Turn, TurnRunner } from './turn.js';
import { uniqueId } from './unique-id.js';

export type Phase = 'idle' | 'sending' | 'waiting' | 'answering' | 'reconnecting';

export interface ChatState {
  messages: readonly Message[];
  phase: Phase;
  /** Bytes of photographs on their way. */
  upload?: { sent: number; total: number };
  trouble?: Trouble;
  followUps: readonly string[];
  decision?: Decision;
  /** For screen readers: what has just happened, said once. */
  announcement: string;
}

/** What the person sends. */
export interface Input {
  text: string;
  photographs?: readonly Photograph[];
  form?: Record<string, unknown>;
  humanInput?: NonNullable<Question['humanInput']>;
}

const MOST_PAINTED = 9;
const STOP_PATIENCE_MS = 4_000;
const fresh: ChatState = { messages: [], phase: 'idle', followUps: [], announcement: '' };

/**
 * One chat with one flow: its messages, the turn that is under way, and what can be done about one that failed. The
 * chat's id and words outlive the page; a turn that was under way is taken up again.
 */
export class Conversation {
  private state: ChatState;
  private chatId: string;
  private pending: Pending | undefined;
  private files: readonly File[] = [];
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
    this.chatId = kept.get<string>('chatId') ?? uniqueId();
    const { messages, pending, trouble } = transcript.load();
    this.state = { ...fresh, messages, ...(trouble ? { trouble } : {}) };
    this.pending = pending;
    globalThis.addEventListener('online', () => {
      if (this.state.trouble?.offline) this.retry();
    });
  }

  readonly snapshot = (): ChatState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Takes up the turn that the page's last visit left behind, once. */
  takeUp(): void {
    if (this.takenUp) return;
    this.takenUp = true;
    if (!this.pending) return;
    const { resumeFrom, photographs } = this.pending;
    if (this.state.trouble) {
      // It had failed before the page went away: made again when the person says so, if its photographs are still there.
      if (photographs === 0) return;
      const { retry: _, offline: __, ...trouble } = this.state.trouble;
      this.settle({ trouble });
    } else if (photographs > 0 && resumeFrom === undefined) {
      const sentence =
        'The page was closed while photographs were being sent. Ask for the status, and send again what is missing.';
      this.settle({ trouble: { sentence } });
    } else void this.run();
  }

  send({ text, photographs = [], form, humanInput }: Input): void {
    if (this.state.phase !== 'idle') return;
    const question: Question = { question: text, chatId: this.chatId };
    if (form) question.form = form;
    if (humanInput) question.humanInput = humanInput;
    this.files = photographs.map(({ file }) => file);
    this.pending = { question, photographs: photographs.length, idempotencyKey: uniqueId() };
    const message: Message = { id: uniqueId(), from: 'person', text };
    if (photographs.length > 0) {
      message.photographs = photographs.length;
      message.thumbnails = photographs.map(({ thumbnail }) => thumbnail);
    }
    this.change({ messages: [...this.state.messages, message], followUps: [] });
    this.kept.set('chatId', this.chatId);
    this.keep();
    void this.run();
    void this.paint(message.id, photographs);
  }

  /** Makes the call that failed once more. */
  retry(): void {
    const { trouble, phase } = this.state;
    if (phase !== 'idle' || !this.pending || !trouble?.retry) return;
    if (trouble.retry === 'fresh') {
      this.pending = { ...this.pending, idempotencyKey: uniqueId() };
      delete this.pending.resumeFrom;
      this.dropUnfinished();
    }
    void this.run();
  }

  /** Stops the answer; a message that is still being sent is taken back. */
  stop(): void {
    const { phase } = this.state;
    if (phase === 'idle') return;
    this.stopped = true;
    if (phase === 'sending' && this.files.length > 0) return this.controller.abort();
    const { controller } = this;
    this.service.stop(this.chatId).catch(() => undefined);
    setTimeout(() => controller.abort(), STOP_PATIENCE_MS);
  }

  /** Forgets this chat and begins another. */
  restart(): void {
    if (this.state.phase !== 'idle') this.service.stop(this.chatId).catch(() => undefined);
    this.controller.abort();
    this.chatId = uniqueId();
    this.pending = undefined;
    for (const { thumbnails = [] } of this.state.messages)
      for (const url of thumbnails) if (url !== undefined) URL.revokeObjectURL(url);
    this.kept.set('chatId', undefined);
    this.state = { ...fresh, announcement: 'New chat.' };
    this.keep();
    this.tell();
  }

  /** Makes the thumbnails that were not there yet when the photographs were sent, one after another. */
  private async paint(messageId: string, photographs: readonly Photograph[]): Promise<void> {
    for (const [index, { file, thumbnail }] of photographs.slice(0, MOST_PAINTED).entries()) {
      const made = thumbnail === undefined ? await thumbnailOf(file) : undefined;
      if (made === undefined) continue;
      const messages = this.state.messages.map((message) =>
        message.id === messageId
          ? {
              ...message,
              thumbnails: message.thumbnails?.map((url, at) => (at === index ? made : url)) ?? [],
            }
          : message,
      );
      this.change({ messages });
    }
  }

  private async run(): Promise<void> {
    const pending = this.pending!;
    const controller = new AbortController();
    this.controller = controller;
    this.stopped = false;
    const { trouble: _trouble, decision: _decision, upload: _upload, ...rest } = this.state;
    this.state = { ...rest, phase: 'sending', announcement: 'Sending.' };
    this.tell();
    const turn: Turn = { ...pending, photographs: this.files };
    // Read from its beginning: what was shown of it stands in a message that is written anew.
    if (turn.resumeFrom !== undefined) turn.resumeFrom = `${turn.resumeFrom.split(':')[0]}:0`;
    const ending = await new TurnRunner(this.service, turn, this.listener(controller), controller.signal)
      .run()
      .catch(unexpected);
    if (this.controller === controller && this.pending) this.end(ending);
  }

  private listener(controller: AbortController) {
    const ours = (change: () => void) => this.controller === controller && change();
    return {
      sent: (sent: number, total: number) =>
        ours(() => {
          if (sent < total) return this.change({ phase: 'sending', upload: { sent, total } });
          const { upload: _, ...rest } = this.state;
          this.state = { ...rest, phase: 'waiting', announcement: 'Sent.' };
          this.tell();
        }),
      text: (text: string) => ours(() => this.showAnswer(text)),
      seen: (eventId: string) =>
        ours(() => {
          const first = this.pending!.resumeFrom === undefined;
          this.pending!.resumeFrom = eventId;
          if (first) this.keep();
          if (this.state.phase === 'sending') this.change({ phase: 'waiting' });
        }),
      reconnecting: (yes: boolean) =>
        ours(() => {
          if (yes === (this.state.phase === 'reconnecting')) return;
          const announcement = yes ? 'Connection lost. Reconnecting.' : '';
          this.change({ phase: yes ? 'reconnecting' : 'waiting', announcement });
        }),
    };
  }

  /** The answer stands below the question as the last message, and grows. */
  private showAnswer(text: string): void {
    const { messages } = this.state;
    const last = messages.at(-1);
    const shown = last?.from === 'flow' ? messages.slice(0, -1) : messages;
    const answer: Message = { id: last?.from === 'flow' ? last.id : uniqueId(), from: 'flow', text };
    this.change({ messages: [...shown, answer], phase: 'answering' });
  }

  private dropUnfinished(): void {
    const { messages } = this.state;
    if (messages.at(-1)?.from === 'flow') this.change({ messages: messages.slice(0, -1) });
  }

  private end(ending: Ending): void {
    const { photographs } = this.pending!;
    if (ending.type === 'answered') {
      if (ending.text !== '') this.showAnswer(ending.text);
      const { followUps, decision } = ending;
      return this.settle({ followUps, announcement: ending.text, ...(decision ? { decision } : {}) });
    }
    if (this.stopped) return this.endStopped(ending);
    const trouble = troubleOf(ending, photographs)!;
    this.settle({ trouble, announcement: trouble.sentence }, trouble.retry !== undefined);
  }

  private endStopped(ending: Ending): void {
    if (ending.type === 'lost' && !ending.began) {
      const sentence = 'Not sent: you stopped it.';
      return this.settle({ trouble: { sentence, retry: 'same' }, announcement: sentence }, true);
    }
    const { messages } = this.state;
    const last = messages.at(-1)!;
    const cut: Message =
      last.from === 'flow'
        ? { ...last, stopped: true }
        : { id: uniqueId(), from: 'flow', text: '', stopped: true };
    const before = last.from === 'flow' ? messages.slice(0, -1) : messages;
    this.settle({ messages: [...before, cut], announcement: 'Stopped.' });
  }

  /** The turn is over; its call is kept only where it may be made again. */
  private settle(change: Partial<ChatState>, again = false): void {
    if (!again) {
      this.pending = undefined;
      this.files = [];
    }
    const { upload: _, ...rest } = this.state;
    this.state = { ...rest, ...change, phase: 'idle' };
    this.keep();
    this.tell();
  }

  private keep(): void {
    this.transcript.save({ ...this.state, pending: this.pending });
  }

  private change(change: Partial<ChatState>): void {
    this.state = { ...this.state, ...change };
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

const unexpected = (): Ending => ({
  type: 'failed',
  text: '',
  sentence: 'The answer could not be read. Try again.',
});
