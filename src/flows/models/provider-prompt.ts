import type { AnthropicProvider } from '@ai-sdk/anthropic';
import type { Json } from '../engine/json.js';
import type { ModelAttachment, ModelMessage, ModelRequest, ModelSettings } from './language-model.js';
import { isMalformed, type ToolCall } from './tool-call.js';

/** The specification that every provider package implements. */
export type ProviderModel = ReturnType<AnthropicProvider['chat']>;

export type CallOptions = Parameters<ProviderModel['doStream']>[0];
type PromptMessage = CallOptions['prompt'][number];
type JsonFormat = Extract<CallOptions['responseFormat'], { type: 'json' }>;
type Tool = NonNullable<CallOptions['tools']>[number];
type ProviderOptions = NonNullable<PromptMessage['providerOptions']>;

/** Converts a request for the provider packages. */
export function callOptions(
  { temperature = undefined, maxTokens = undefined }: ModelSettings,
  request: ModelRequest,
  signal: AbortSignal,
): CallOptions {
  const { messages, tools = [], toolChoice, schema } = request;
  const [warmth, most] = [request.temperature ?? temperature, request.maxTokens ?? maxTokens];
  return {
    prompt: messages.map(promptMessage),
    abortSignal: signal,
    ...(warmth === undefined ? {} : { temperature: warmth }),
    ...(most === undefined ? {} : { maxOutputTokens: most }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map((tool): Tool => ({
            type: 'function',
            name: tool.name,
            inputSchema: tool.parameters as JsonFormat['schema'] & object,
            ...(tool.description === undefined ? {} : { description: tool.description }),
          })),
        }),
    ...(toolChoice === undefined || tools.length === 0 ? {} : { toolChoice: { type: toolChoice } }),
    ...(schema === undefined
      ? {}
      : { responseFormat: { type: 'json', name: 'answer', schema } as JsonFormat }),
  };
}

function promptMessage(message: ModelMessage): PromptMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: userParts(message.content, message.attachments ?? []) };
    case 'assistant': {
      const { content, toolCalls = [], echo } = message;
      const text = content === '' && toolCalls.length > 0 ? [] : [{ type: 'text' as const, text: content }];
      return { role: 'assistant', content: [...text, ...toolCalls.map((call) => callPart(call, echo))] };
    }
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.callId,
            toolName: message.toolName,
            output: { type: message.failed ? 'error-text' : 'text', value: message.content },
          },
        ],
      };
  }
}

function userParts(content: string, attachments: readonly ModelAttachment[]) {
  const text = { type: 'text' as const, text: content };
  const files = attachments.map(({ mime, content: data }) => ({
    type: 'file' as const,
    mediaType: mime,
    data,
  }));
  return content === '' && files.length > 0 ? files : [text, ...files];
}

/** Converts a call. Leaves out unreadable arguments, since the result of the call tells the model what was wrong. */
function callPart(call: ToolCall, echo: Json | undefined) {
  const options = echoOf(echo)[call.id];
  return {
    type: 'tool-call' as const,
    toolCallId: call.id,
    toolName: call.name,
    input: isMalformed(call) ? {} : call.arguments,
    ...(options === undefined ? {} : { providerOptions: options as ProviderOptions }),
  };
}

const echoOf = (echo: Json | undefined): Record<string, Json> =>
  typeof echo === 'object' && echo !== null && !Array.isArray(echo) ? echo : {};
