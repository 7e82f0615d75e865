import type { PredictionAnswer, PredictionEvent } from '../../api/predictions.js';
import type { ServiceError } from '../../common/service-error.js';

/** The protocol of an answer; the run behind it is the same (contract sections 3 and 12). */
export interface AnswerForm {
  /** Name of the route in the scope of an `Idempotency-Key` (contract section 1). */
  readonly route: string;
  /** True if `Prefer: respond-async` is supported. */
  readonly async: boolean;
  /** True if every flow is streamed on request, not only one that ends in a streamable node. */
  readonly streamsAlways: boolean;
  /** Returns the body of an answer that is not streamed. */
  body(answer: PredictionAnswer): unknown;
  /** Returns the stream of the run that began with this execution. */
  stream(executionId: string): StreamForm;
}

/** The events of one run in a protocol. Each stream has its own object, since some protocols number or count. */
export interface StreamForm {
  /** True if each frame has an `id:` line, so that a client can resume the stream. */
  readonly resumes: boolean;
  /** Returns the frame of an event; undefined if the protocol has none for it. */
  frame(event: PredictionEvent): string | undefined;
  /** Returns the frames that end the stream; they are stored like all others. */
  closing(ending: PredictionEnding): readonly string[];
  /**
   * Returns frames after the closing ones, for a protocol that repeats its answer: made one by one as fast as the
   * reader takes them, and not stored.
   */
  rest?(ending: PredictionEnding): Iterable<string>;
}

/** The end of a run for its caller. */
export type PredictionEnding = { answer: PredictionAnswer } | { error: ServiceError };
