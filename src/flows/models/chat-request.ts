import { isJsonObject, type Json } from '../engine/json.js';
import type { Concessions } from './concessions.js';
import type { ModelAttachment, ModelMessage, ModelRequest, ModelSettings } from './language-model.js';
import { ModelError } from './model-error.js';
import { isMalformed, type ToolCall } from './tool-call.js';

type Body = Record<string, unknown>;

/** Returns the body of a request in OpenAI's chat protocol. Throws `ModelError` for an unsupported type of recording. */
export function chatRequest(settings: ModelSettings, request: ModelRequest, concessions: Concessions): Body {
  const { tools = [], toolChoice, schema } = request;
  const temperature = request.temperature ?? settings.temperature;
  const maxTokens = request.maxTokens ?? settings.maxTokens;
  const most = concessions.without('max_tokens') ? 'max_completion_tokens' : 'max_tokens';
  const format = schema === undefined ? undefined : answerFormat(schema, concessions);
  const messages = request.messages.map((message) => chatMessage(message, settings));
  return {
    model: settings.name,
    messages:
      format?.words === undefined ? messages : [{ role: 'system', content: format.words }, ...messages],
    stream: true,
    ...(concessions.without('stream_options') ? {} : { stream_options: { include_usage: true } }),
    ...(temperature === undefined || concessions.without('temperature') ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { [most]: maxTokens }),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(tools.length === 0 || toolChoice === undefined ? {} : { tool_choice: toolChoice }),
    ...(format?.member === undefined ? {} : { response_format: format.member }),
  };
}

/** Returns the requested form of the answer as a member of the request, else as an instruction. */
function answerFormat(schema: Json, concessions: Concessions): { member?: Body; words?: string } {
  if (!concessions.without('json_schema')) {
    const json_schema = { name: 'answer', schema, strict: isStrict(schema) };
    return { member: { type: 'json_schema', json_schema } };
  }
  const words = `Answer with one JSON object that fits this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`;
  return concessions.without('json_object') ? { words } : { member: { type: 'json_object' }, words };
}

/** Returns whether a provider can enforce the schema: every object lists all of its members and requires them. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (!isJsonObject(schema)) return true;
  const { type, properties, required, additionalProperties } = schema;
  if (type === 'object' || properties !== undefined) {
    const names = isJsonObject(properties) ? Object.keys(properties) : [];
    const all = Array.isArray(required) && names.every((name) => required.includes(name));
    if (additionalProperties !== false || names.length === 0 || !all) return false;
  }
  return Object.values(schema).every(isStrict);
}

function chatMessage(message: ModelMessage, settings: ModelSettings): Body {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: userContent(message.content, message.attachments ?? [], settings) };
    case 'assistant':
      return assistantMessage(message);
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content };
    default:
      return { role: 'system', content: message.content };
  }
}

function assistantMessage({ content, toolCalls = [], echo }: ModelMessage & { role: 'assistant' }): Body {
  if (toolCalls.length === 0) return { role: 'assistant', content };
  const { reasoning_content: thought, extra_content: extras } = isJsonObject(echo) ? echo : {};
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(typeof thought === 'string' ? { reasoning_content: thought } : {}),
    tool_calls: toolCalls.map((call) => chatCall(call, extras)),
  };
}

/** Converts a call. Leaves out unreadable arguments, since the result of the call tells the model what was wrong. */
function chatCall(call: ToolCall, extras: unknown): Body {
  const extra = isJsonObject(extras) && Object.hasOwn(extras, call.id) ? extras[call.id] : undefined;
  const given = isMalformed(call) ? '{}' : JSON.stringify(call.arguments);
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: given },
    ...(extra === undefined ? {} : { extra_content: extra }),
  };
}

function userContent(
  content: string,
  attachments: readonly ModelAttachment[],
  settings: ModelSettings,
): unknown {
  if (attachments.length === 0) return content;
  const text = content === '' ? [] : [{ type: 'text', text: content }];
  return [...text, ...attachments.map((attachment) => partOf(attachment, settings))];
}

function partOf({ type, mime, content }: ModelAttachment, settings: ModelSettings): Body {
  const data = content instanceof URL ? undefined : base64(content);
  if (type === 'image')
    return {
      type: 'image_url',
      image_url: { url: data === undefined ? String(content) : `data:${mime};base64,${data}` },
    };
  if (settings.provider === 'mistral') return { type: 'input_audio', input_audio: data };
  return { type: 'input_audio', input_audio: { data, format: audioFormat(mime, settings) } };
}

const FORMATS: Readonly<Record<string, string>> = {
  mpeg: 'mp3',
  mp3: 'mp3',
  wav: 'wav',
  wave: 'wav',
  'x-wav': 'wav',
  'vnd.wave': 'wav',
  mp4: 'm4a',
  'x-m4a': 'm4a',
};

function audioFormat(mime: string, { provider, name }: ModelSettings): string {
  const kind = mime.split(';')[0]!.trim().toLowerCase().slice('audio/'.length);
  const format = FORMATS[kind] ?? kind;
  if (provider === 'openai' && format !== 'mp3' && format !== 'wav')
    throw new ModelError(
      'unsupported',
      `The model "${name}" does not take recordings of the type ${mime.slice(0, 100)}. Send WAV or MP3.`,
    );
  return format;
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
