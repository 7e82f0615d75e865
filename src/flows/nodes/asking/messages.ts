import { z } from 'zod';
import type { Warning } from '../../../common/warnings.js';
import type { Json } from '../../engine/json.js';
import type { RunInput, Upload } from '../../engine/node-kind.js';
import { attachedTexts } from '../../engine/run-scope.js';
import type { ModelAttachment, ModelMessage } from '../../models/language-model.js';
import { type MemoryConfig, memoryConfig } from './memory.js';

const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant']).describe('The role of the speaker.'),
  content: z.string().describe('The text; a template.'),
});

/** Config members of every kind that has a conversation with a model. */
export const modelNodeConfig = {
  messages: z.array(message).max(1_000).default([]).describe('Messages to the model before the question.'),
  memory: memoryConfig.optional().describe('The part of the chat that it remembers; absent: all.'),
  userMessage: z.string().optional().describe('Replaces the question; a template.'),
};

export interface ConversationConfig {
  memory?: MemoryConfig | undefined;
  messages: readonly z.infer<typeof message>[];
  userMessage?: string | undefined;
}

/**
 * Orders system messages, remembered messages, other messages, and the user's message with the uploads of the call. Text
 * files stand before the user's message, unless a message has them already (`{{file_attachment}}`).
 */
export function arrange(
  config: ConversationConfig,
  run: RunInput,
  remembered: readonly ModelMessage[],
): ModelMessage[] {
  const written = config.messages
    .filter(({ content }) => content.trim() !== '')
    .map(({ role, content }): ModelMessage => ({ role: role === 'developer' ? 'system' : role, content }));
  const system = written.filter(({ role }) => role === 'system');
  const others = written.filter(({ role }) => role !== 'system');
  const own = config.userMessage?.trim() ? config.userMessage : undefined;
  const lastIsUser = own === undefined && others.at(-1)?.role === 'user';
  const said = own ?? (lastIsUser ? others.pop()!.content : run.question);
  const texts = attachedTexts(run.uploads);
  const isShown = [...written.map(({ content }) => content), said].some((text) => text.includes(texts));
  const content = isShown ? said : [texts, said].filter((text) => text !== '').join('\n\n');
  const attachments = attachmentsOf(run.uploads);
  const last: ModelMessage = { role: 'user', content, ...(attachments.length > 0 ? { attachments } : {}) };
  const asks = content.trim() !== '' || attachments.length > 0;
  return [...system, ...remembered, ...others, ...(asks ? [last] : [])];
}

/** Returns the pictures and recordings of the call; a provider may fetch the address of a picture. */
export const attachmentsOf = (uploads: readonly Upload[]): ModelAttachment[] => uploads.flatMap(attachmentOf);

function attachmentOf({ mime, bytes, url }: Upload): ModelAttachment[] {
  if (mime.startsWith('audio/') && bytes) return [{ type: 'audio', mime, content: bytes }];
  if (!mime.startsWith('image/')) return [];
  if (bytes) return [{ type: 'image', mime, content: bytes }];
  return url !== undefined && URL.canParse(url) ? [{ type: 'image', mime, content: new URL(url) }] : [];
}

/** Returns a warning for each upload that a model cannot be shown. */
export const notShown = (uploads: readonly Upload[]): Warning[] =>
  uploads
    .filter((upload) => attachmentOf(upload).length === 0 && attachedTexts([upload]) === '')
    .map(({ name, mime }) => ({
      code: 'upload_not_shown',
      message: `The upload "${name.slice(0, 200)}" (${mime.slice(0, 100)}) was not shown to the model. It can read pictures, attached recordings, and texts.`,
    }));

/** Returns a message for the trace. */
export function tracedMessage(message: ModelMessage): Json {
  const { role, content } = message;
  switch (message.role) {
    case 'user': {
      const attachments = message.attachments ?? [];
      const images = attachments.filter(({ type }) => type === 'image').length;
      const recordings = attachments.length - images;
      const counts = { ...(images > 0 ? { images } : {}), ...(recordings > 0 ? { recordings } : {}) };
      return { role, content, ...counts };
    }
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map((call) => ({
        tool: call.name,
        arguments: 'arguments' in call ? call.arguments : call.malformed.raw,
      }));
      return { role, content, ...(calls.length > 0 ? { calls } : {}) };
    }
    case 'tool':
      return { role, tool: message.toolName, content, ...(message.failed ? { failed: true } : {}) };
    default:
      return { role, content };
  }
}
