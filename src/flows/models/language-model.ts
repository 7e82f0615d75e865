import type { ModelProvider } from '../../api/model-provider-terms.js';
import type { Json } from '../engine/json.js';
import type { TokenUsage } from '../engine/run-event.js';
import type { ToolCall, ToolDefinition } from './tool-call.js';

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

/** A picture, its bytes or an address that the provider fetches, or a recording, beside a user's words. */
export type ModelAttachment =
  | { type: 'image'; mime: string; content: Uint8Array | URL }
  | { type: 'audio'; mime: string; content: Uint8Array };

/**
 * One message of a conversation. An assistant's that called tools is followed by one `tool` message for each call, in
 * the same order; `answerMessage` and `resultMessage` make both.
 */
export type ModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; attachments?: readonly ModelAttachment[] }
  | {
      role: 'assistant';
      content: string;
      toolCalls?: readonly ToolCall[];
      /** Data that the provider wants back with its message, as it came; nobody else reads it. */
      echo?: Json;
    }
  | { role: 'tool'; callId: string; toolName: string; content: string; failed?: boolean };

export interface ModelRequest {
  messages: readonly ModelMessage[];
  /** The tools it may call; names of at most 64 letters, digits, `_` and `-`, each once. */
  tools?: readonly ToolDefinition[];
  /** Whether it has to call one, or must not; as it likes when absent. */
  toolChoice?: 'auto' | 'none' | 'required';
  /** JSON Schema of the object that the model must answer. The answer is not checked against it here. */
  schema?: Json;
  /** In place of those of the model's settings. */
  temperature?: number;
  maxTokens?: number;
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other';

/** The events of a model's answer, in order; the last is `finish`. Thinking is no part of its text. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  /** Complete; one that cannot be carried out says so itself (`malformed`). */
  | { type: 'tool-call'; call: ToolCall }
  /** It declines to answer, in its own words. */
  | { type: 'refusal'; text: string }
  | { type: 'usage'; usage: TokenUsage }
  | { type: 'echo'; echo: Json }
  | { type: 'finish'; reason: FinishReason };

/** Is told each event of an answer. An error that it throws ends the call, which rejects with it. */
export type Emit = (event: ModelEvent) => void;

/**
 * One model. `ask` tells each piece as soon as it arrives, and resolves after the last. It rejects with a `ModelError`,
 * whose sentence is for the flow's owner and holds no secret, or with the signal's reason. Faults that may pass (429,
 * 5xx, broken connections) are retried as long as nothing has been told.
 */
export interface LanguageModel {
  ask(request: ModelRequest, signal: AbortSignal, emit: Emit): Promise<void>;
}
