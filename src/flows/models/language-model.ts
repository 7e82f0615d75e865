import type { Json } from '../engine/json.js';
import type { TokenUsage } from '../engine/run-event.js';

export type ModelProvider =
  'openai' | 'openai-compatible' | 'anthropic' | 'google' | 'mistral' | 'groq' | 'ollama';

/** Which model, and how it is reached. */
export interface ModelSettings {
  provider: ModelProvider;
  name: string;
  /** The provider's own address when absent. */
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
}

/** A picture beside a message: its bytes, or an address that the provider fetches. */
export interface ModelImage {
  mime: string;
  content: Uint8Array | URL;
}

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
  images?: readonly ModelImage[];
}

export interface ModelRequest {
  messages: readonly ModelMessage[];
  /** JSON Schema of the object that the model must answer. */
  schema?: Json;
}

export type ModelEvent =
  { type: 'text'; text: string } | { type: 'thinking'; text: string } | { type: 'usage'; usage: TokenUsage };

/**
 * One model. `stream` tells each piece as soon as it arrives. It rejects with a sentence for the flow's owner, in which
 * no secret stands, or with the signal's reason.
 */
export interface LanguageModel {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
