import type { PredictionEnding } from '../call/prediction-ending.js';
import type { WireEvent } from './wire-events.js';

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
