import {
  type Answer,
  isUnavailable,
  jsonOf,
  objectIn,
  type Problem,
  problemOf,
  textIn,
  Unreachable,
} from '../../common/answer.js';
import { comeBack } from '../../common/come-back.js';
import { EventReader, type StreamEvent } from '../../common/event-stream.js';
import { pause } from '../../common/pause.js';
import { type Decision, decisionIn, followUpsIn } from './decision.js';
import type { FlowService, Question } from './service.js';

/** The result of a turn. */
export type Ending =
  | { type: 'answered'; text: string; followUps: string[]; decision?: Decision }
  /** The run failed or was stopped. `text` is the answer until then; `replayed`: this is the stored answer to an earlier call. */
  | { type: 'failed'; text: string; sentence: string; executionId?: string | undefined; replayed?: boolean }
  /** The call was refused or, for a flow that does not stream, its run failed. `replayed` as above. */
  | { type: 'refused'; problem: Problem; replayed?: boolean }
  /** The connection was lost. `began`: the service has the whole message. */
  | { type: 'lost'; text: string; began: boolean }
  /** The answer has expired at the service: it was restarted, or the page was away too long. */
  | { type: 'expired'; text: string };

export interface TurnListener {
  /** The service has the message. */
  arrived(): void;
  /** Receives the answer so far. */
  text(text: string): void;
  /** Receives the event id from which the stream can be resumed. */
  seen(eventId: string): void;
  reconnecting(yes: boolean): void;
}

export interface Turn {
  question: Question;
  idempotencyKey: string;
  /** False when the service may already have the message: then only a stored answer is requested and nothing runs. */
  maySend: boolean;
  /** The last event received before the page was closed. */
  resumeFrom?: string;
}

const AGAIN_MS = 2_000;
/** Polls for the answer of a run whose stream is lost: two minutes in all. */
const MOST_POLLS = 60;

/**
 * Sends one message and follows its answer. A broken stream is resumed at its last event; if the stream is gone, the
 * stored answer is requested. A run that has started is never repeated automatically.
 */
export class TurnRunner {
  private text = '';
  private lastEventId: string | undefined;
  private followUps: string[] = [];
  private decision: Decision | undefined;
  private failure: string | undefined;
  private executionId: string | undefined;
  private replayed = false;

  constructor(
    private readonly service: FlowService,
    private readonly turn: Turn,
    private readonly listener: TurnListener,
    private readonly signal: AbortSignal,
  ) {
    this.lastEventId = turn.resumeFrom;
  }

  async run(): Promise<Ending> {
    try {
      if (this.lastEventId !== undefined) return await this.comeBack();
      if (!this.turn.maySend) return await this.pollStored();
      const answer = await this.send(false);
      this.replayed = answer.header('Idempotent-Replay') === 'true';
      const ending = await this.take(answer);
      return isUnderWay(ending) ? await this.pollStored() : ending;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (this.lastEventId === undefined) return { type: 'lost', text: '', began: !this.turn.maySend };
      return this.comeBack();
    } finally {
      this.listener.reconnecting(false);
    }
  }

  private send(storedOnly: boolean): Promise<Answer> {
    const { question, idempotencyKey } = this.turn;
    return this.service.predict(question, idempotencyKey, this.signal, storedOnly);
  }

  /** Reads an answer to its end. Throws `Unreachable` when it breaks off. */
  private async take(answer: Answer): Promise<Ending> {
    this.executionId = answer.header('X-Execution-Id') ?? this.executionId;
    if (answer.status !== 200)
      return { type: 'refused', problem: await problemOf(answer), replayed: this.replayed };
    this.listener.reconnecting(false);
    this.listener.arrived();
    if (!(answer.header('Content-Type') ?? '').startsWith('text/event-stream')) {
      return this.whole(objectIn(await jsonOf(answer)));
    }
    const reader = new EventReader();
    for await (const piece of answer.pieces) {
      for (const event of reader.read(piece)) {
        const ending = this.follow(event);
        if (ending) return ending;
      }
    }
    throw new Unreachable('The stream broke off.');
  }

  /** Reads an answer that is not streamed. */
  private whole({ text, followUpPrompts, action }: Record<string, unknown>): Ending {
    this.text = textIn(text);
    this.followUps = followUpsIn(followUpPrompts);
    this.decision = decisionIn(action);
    return this.ending();
  }

  private follow({ id, event, data }: StreamEvent): Ending | undefined {
    if (id !== '') {
      this.lastEventId = id;
      this.listener.seen(id);
    }
    if (event === 'token' && typeof data === 'string') {
      this.text += data;
      this.listener.text(this.text);
    } else if (event === 'error') this.failure = textIn(data) || 'The flow failed.';
    else if (event === 'action') this.decision = decisionIn(data);
    else if (event === 'metadata') {
      const { text, followUpPrompts, action } = objectIn(data);
      // When the stream has expired, the record supplies the whole answer, part of which may have been shown.
      if (typeof text === 'string') this.text = text;
      this.followUps = followUpsIn(followUpPrompts);
      this.decision ??= decisionIn(action);
    } else if (event === 'end') return this.ending();
    return undefined;
  }

  private ending(): Ending {
    const { text, failure, executionId, followUps, decision, replayed } = this;
    if (failure !== undefined) return { type: 'failed', text, sentence: failure, executionId, replayed };
    return { type: 'answered', text, followUps, ...(decision ? { decision } : {}) };
  }

  private async comeBack(): Promise<Ending> {
    const ending = await comeBack({
      attempt: () => this.resume(),
      place: () => this.lastEventId,
      lost: () => this.listener.reconnecting(true),
      signal: this.signal,
    });
    return ending ?? { type: 'lost', text: this.text, began: true };
  }

  private async resume(): Promise<Ending | undefined> {
    const ending = await this.take(await this.service.resume(this.lastEventId!, this.signal));
    if (ending.type !== 'refused') return ending;
    if (ending.problem.status === 410) return this.pollStored();
    return isUnavailable(ending.problem) ? undefined : ending;
  }

  /** Polls for the stored answer of a run whose stream is lost. Runs nothing. */
  private async pollStored(): Promise<Ending> {
    const before = this.text;
    for (let polls = 0; polls < MOST_POLLS && !this.signal.aborted; polls++) {
      this.text = '';
      const ending = await this.take(await this.send(true));
      if (ending.type === 'refused' && ending.problem.status === 410)
        return { type: 'expired', text: before };
      if (!isUnderWay(ending)) return ending;
      await pause(AGAIN_MS, this.signal);
    }
    return { type: 'lost', text: before, began: true };
  }
}

const isUnderWay = (ending: Ending): boolean =>
  ending.type === 'refused' && ending.problem.code === 'idempotency_key_in_use';
