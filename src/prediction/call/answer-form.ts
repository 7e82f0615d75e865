import type { ServiceError } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import type { Json } from '../../flows/engine/json.js';

/** The protocol that a call is answered in; the run behind it is the same (contract sections 3 and 12). */
export interface AnswerForm {
  /** Names the route in the scope of an `Idempotency-Key`: no other route's answer is replayed here (contract section 1). */
  readonly route: string;
  /** Whether `Prefer: respond-async` is heard. */
  readonly async: boolean;
  /** Whether a caller who asks for a stream gets one of every flow, and not only where it ends in a streamable node. */
  readonly streamsAlways: boolean;
  /** The body of an answer that goes out as a whole. */
  body(answer: PredictionAnswer): unknown;
  /** A stream of the run that began with this execution. */
  stream(executionId: string): StreamForm;
}

/** The events of one run as a protocol writes them; an object a stream, since some protocols number or count. */
export interface StreamForm {
  /** An `id:` line goes before each frame: a client that lost the stream can come back to it. */
  readonly resumes: boolean;
  /** Undefined for an event that this protocol does not tell. */
  frame(event: WireEvent): string | undefined;
  /** The events that end the stream; they are kept like all others. */
  closing(ending: PredictionEnding): readonly WireEvent[];
  /**
   * Frames after those, for a protocol that says its answer more than once: made one by one, as fast as the reader takes
   * them, and kept for nobody.
   */
  rest?(ending: PredictionEnding): Iterable<string>;
}

/** One event as clients read it, with Flowise's names. */
export interface WireEvent {
  event: string;
  data: unknown;
}

/** The `metadata` event at the end of a stream. */
export interface StreamMetadata {
  chatId: string;
  chatMessageId: string;
  question: string;
  sessionId: string;
  executionId: string;
  usage: object;
  followUpPrompts?: string;
  action?: Json;
}

/** The JSON form of an answer (contract section 3). */
export interface PredictionAnswer extends StreamMetadata {
  text: string;
  json?: Json;
  usage: { credits: number; inputTokens?: number; outputTokens?: number };
  warnings?: Warning[];
  agentFlowExecutedData?: unknown;
}

/** The end of a run for its caller: the JSON form of its answer, or the error. */
export type PredictionEnding = { answer: PredictionAnswer } | { error: ServiceError };
