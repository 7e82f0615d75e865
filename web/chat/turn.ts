import { type Answer, jsonOf, type Problem, problemOf, Unreachable } from './answer.js';
import { EventReader, type StreamEvent } from './event-stream.js';
import type { FlowService, Question } from './service.js';

/** What the flow asks a human to decide before it goes on. */
export interface Decision {
  startNodeId?: string;
  choices: { type: 'proceed' | 'reject'; label: string }[];
}

/** How a turn ended. */
export type Ending =
  | { type: 'answered'; text: string; followUps: string[]; decision?: Decision }
  /** The run failed or was stopped: what came of its text until then, and why. */
  | { type: 'failed'; text: string; sentence: string }
  /** Nothing ran. */
  | { type: 'refused'; problem: Problem }
  /** No answer came. `began`: the service had the whole message by then. */
  | { type: 'lost'; text: string; began: boolean };

export interface TurnListener {
  sent(bytes: number, total: number): void;
  /** The answer so far. */
  text(text: string): void;
  /** The stream can be resumed with this. */
  seen(eventId: string): void;
  reconnecting(yes: boolean): void;
}

export interface Turn {
  question: Question;
  photographs: readonly File[];
  idempotencyKey: string;
  /** An event of a stream that was under way when the page went away. */
  resumeFrom?: string;
}

/** Waits between attempts to come back, in milliseconds: together longer than the service keeps a run without a client. */
const RETRIES = [250, 750, 1_500, 3_000, 4_000, 5_000, 5_000, 8_000];
const AGAIN_MS = 2_000;

/**
 * One message and its answer, whatever the network does meanwhile: a stream that breaks off is resumed where it broke;
 * when it is gone, the same call is made again under its idempotency key, which gives the same answer and runs nothing
 * twice.
 */
export class TurnRunner {
  private text = '';
  private lastEventId: string | undefined;
  private followUps: string[] = [];
  private decision: Decision | undefined;
  private failure: string | undefined;

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
      const ending = await this.take(await this.send());
      return isUnderWay(ending) ? await this.askAgain() : ending;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (this.lastEventId === undefined) return { type: 'lost', text: '', began: false };
      return this.comeBack();
    } finally {
      this.listener.reconnecting(false);
    }
  }

  private send(): Promise<Answer> {
    const { question, photographs, idempotencyKey } = this.turn;
    const sent = (bytes: number, total: number) => this.listener.sent(bytes, total);
    return this.service.predict(question, photographs, idempotencyKey, this.signal, sent);
  }

  /** Reads an answer to its end. Throws `Unreachable` when it breaks off. */
  private async take(answer: Answer): Promise<Ending> {
    if (answer.status !== 200) return { type: 'refused', problem: await problemOf(answer) };
    this.listener.reconnecting(false);
    if (!(answer.header('Content-Type') ?? '').startsWith('text/event-stream')) {
      return this.whole(await jsonOf(answer));
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

  /** An answer in one piece: the flow does not stream. */
  private whole({ text, followUpPrompts, action }: Record<string, unknown>): Ending {
    this.text = typeof text === 'string' ? text : '';
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
    } else if (event === 'error') this.failure = typeof data === 'string' ? data : 'The flow failed.';
    else if (event === 'action') this.decision = decisionIn(data);
    else if (event === 'metadata') {
      const { followUpPrompts, action } = data as Record<string, unknown>;
      this.followUps = followUpsIn(followUpPrompts);
      this.decision ??= decisionIn(action);
    } else if (event === 'end') return this.ending();
    return undefined;
  }

  private ending(): Ending {
    const { text, failure, followUps, decision } = this;
    if (failure !== undefined) return { type: 'failed', text, sentence: failure };
    return { type: 'answered', text, followUps, ...(decision ? { decision } : {}) };
  }

  private async comeBack(): Promise<Ending> {
    for (const wait of RETRIES) {
      this.listener.reconnecting(true);
      await this.pause(wait);
      if (this.signal.aborted) break;
      try {
        const ending = await this.take(await this.service.resume(this.lastEventId!, this.signal));
        if (ending.type !== 'refused') return ending;
        if (ending.problem.status !== 410 && ending.problem.status !== 503) return ending;
        if (ending.problem.status === 410) return await this.askAgain();
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
      }
    }
    return { type: 'lost', text: this.text, began: true };
  }

  /**
   * The same call under the same key. Not with photographs: their answer is known by the caller's address, which a
   * telephone may have changed, and photographs must not be recorded twice.
   */
  private async askAgain(): Promise<Ending> {
    const lost: Ending = { type: 'lost', text: this.text, began: true };
    if (this.turn.photographs.length > 0) return lost;
    for (let attempt = 0; attempt < 30 && !this.signal.aborted; attempt++) {
      this.text = '';
      const ending = await this.take(await this.send());
      if (!isUnderWay(ending)) return ending;
      await this.pause(AGAIN_MS);
    }
    return lost;
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      const now = () => (clearTimeout(timer), resolve());
      this.signal.addEventListener('abort', now, { once: true });
      globalThis.addEventListener('online', now, { once: true });
    });
  }
}

const isUnderWay = (ending: Ending): boolean =>
  ending.type === 'refused' && ending.problem.code === 'idempotency_key_in_use';

function followUpsIn(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  try {
    const prompts: unknown = JSON.parse(value);
    return Array.isArray(prompts) ? prompts.filter((prompt) => typeof prompt === 'string').slice(0, 6) : [];
  } catch {
    return [];
  }
}

const answers: Readonly<Record<string, 'proceed' | 'reject'>> = {
  'agentflowv2-approve-button': 'proceed',
  'agentflowv2-reject-button': 'reject',
};

function decisionIn(action: unknown): Decision | undefined {
  if (typeof action !== 'object' || action === null) return undefined;
  const { elements, data } = action as { elements?: unknown; data?: { nodeId?: unknown } | null };
  if (!Array.isArray(elements)) return undefined;
  const choices = elements.flatMap((element: { type?: unknown; label?: unknown } | null) => {
    const type = answers[String(element?.type)];
    const fallback = type === 'proceed' ? 'Proceed' : 'Reject';
    return type ? [{ type, label: typeof element?.label === 'string' ? element.label : fallback }] : [];
  });
  const nodeId = data?.nodeId;
  return { choices, ...(typeof nodeId === 'string' ? { startNodeId: nodeId } : {}) };
}
