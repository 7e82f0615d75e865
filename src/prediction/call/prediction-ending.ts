import type { ServiceError } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import type { Json } from '../../flows/engine/json.js';
import type { StreamMetadata } from '../stream/wire-events.js';

/** The JSON form of an answer (contract section 3). */
export interface PredictionAnswer extends StreamMetadata {
  text: string;
  json?: Json;
  usage: { credits: number; inputTokens?: number; outputTokens?: number };
  warnings?: Warning[];
  agentFlowExecutedData?: unknown;
}

/** How a run ended for its caller: the JSON form of its answer, or the error. */
export type PredictionEnding = { answer: PredictionAnswer } | { error: ServiceError };
