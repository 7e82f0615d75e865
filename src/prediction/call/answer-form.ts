import type { StreamForm } from '../stream/stream-form.js';
import type { PredictionAnswer } from './prediction-ending.js';

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
