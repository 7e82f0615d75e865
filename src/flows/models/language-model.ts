import type { Tokens } from '../../api/executions.js';
import type { ModelProvider } from '../../api/model-provider-terms.js';
import type { Json } from '../engine/json.js';
import type { ToolCall, ToolDefinition } from './tool-call.js';

/** A model and its address. */
export interface ModelSettings {
  provider: ModelProvider;
  name: string;
  /** The provider's own address when absent. */
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
}

/** A picture (its bytes, or an address that the provider fetches) or a recording in a user's message. */
export type ModelAttachment =
  | { type: 'image'; mime: string; content: Uint8Array | URL }
  | { type: 'audio'; mime: string; content: Uint8Array };

/**
 * A message of a conversation. An assistant's message with tool calls is followed by one `tool` message for each call in
 * the same order; `answerMessage` and `resultMessage` make both.
 */
export type ModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; attachments?: readonly ModelAttachment[] }
  | {
      role: 'assistant';
      content: string;
      toolCalls?: readonly ToolCall[];
      /** Opaque data that the provider requires back with its message. */
      echo?: Json;
    }
  | { role: 'tool'; callId: string; toolName: string; content: string; failed?: boolean };

export interface ModelRequest {
  messages: readonly ModelMessage[];
  /** The tools that it may call, with unique names of at most 64 letters, digits, `_` and `-`. */
  tools?: readonly ToolDefinition[];
  /** Requires, allows or forbids a tool call; `auto` when absent. */
  toolChoice?: 'auto' | 'none' | 'required';
  /** The JSON Schema of the answer. The answer is not checked against it here. */
  schema?: Json;
  /** Overrides that of the model's settings, as does `maxTokens`. */
  temperature?: number;
  maxTokens?: number;
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other';

/** The events of a model's answer in order; the last is `finish`. Thinking is not part of the text. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  /** A complete call, which may be `malformed`. */
  | { type: 'tool-call'; call: ToolCall }
  /** The model declines to answer, in its own words. */
  | { type: 'refusal'; text: string }
  | { type: 'usage'; usage: Tokens }
  | { type: 'echo'; echo: Json }
  | { type: 'finish'; reason: FinishReason };

/** Receives the events of an answer. An error that it throws ends the call, which rejects with it. */
export type Emit = (event: ModelEvent) => void;

/**
 * A language model. `ask` emits each event as soon as it arrives, and resolves after the last. It rejects with a
 * `ModelError`, whose message is for the flow's owner and contains no secret, or with the signal's reason. It retries
 * temporary faults (429, 5xx, lost connections) until the first event was emitted.
 */
export interface LanguageModel {
  ask(request: ModelRequest, signal: AbortSignal, emit: Emit): Promise<void>;
}
