import type { RequestTexts } from '../../executions/log/request-texts.js';

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

/** Returns flow, chat and question of an unchecked body, for the record of a call that may be refused. */
export function openAiRequestTexts(body: unknown): RequestTexts {
  const { model, metadata, messages, input } = membersOf(body);
  const chatId = membersOf(metadata)['chat_id'];
  const question = textOf(input ?? lastOfUser(messages));
  return {
    ...(typeof model === 'string' ? { flowId: model } : {}),
    ...(typeof chatId === 'string' ? { chatId } : {}),
    ...(question === undefined ? {} : { question }),
  };
}

const lastOfUser = (messages: unknown): unknown =>
  Array.isArray(messages)
    ? membersOf(messages.findLast((message) => membersOf(message)['role'] === 'user'))['content']
    : undefined;

/** Returns the first text of a text, a list of parts, or a list of messages. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const asked = lastOfUser(content);
  if (asked !== undefined) return textOf(asked);
  const texts = content.map((part) => membersOf(part)['text']);
  return texts.find((text) => typeof text === 'string');
}
