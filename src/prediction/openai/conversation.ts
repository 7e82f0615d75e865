import { type Fault, InvalidRequest } from '../../common/service-error.js';
import type { Warnings } from '../../common/warnings.js';
import { readContent } from './message-content.js';

/** A message of the body; `path` is its place. */
export interface SentMessage {
  role: string;
  content: unknown;
  path: string;
  /** The place of the content; the member `content` of the message if absent. */
  contentPath?: string;
}

/** The members of a prediction in a conversation, with their places. */
export interface SentQuestion {
  question: string;
  history: { role: string; content: string }[];
  uploads: object[];
  /** Paths in the caller's body, by paths in a prediction. */
  places: Map<string, string>;
}

/** Options for reading a conversation. */
export interface ConversationOptions {
  /** Member of the body that holds it. */
  member: string;
  /** True if the service remembers the chat. */
  remembers: boolean;
  warnings: Warnings;
}

const INSTRUCTIONS: ReadonlySet<string> = new Set(['system', 'developer']);

/**
 * Reads a conversation: the user's last message is the question, its files are the uploads, earlier messages are the
 * history unless the service remembers the chat (contract section 12). Adds a warning for everything that does not
 * reach the flow. Throws 400 without a user's message, and with the path of each broken one.
 */
export function readConversation(
  messages: readonly SentMessage[],
  { member, remembers, warnings }: ConversationOptions,
): SentQuestion {
  const faults: Fault[] = [];
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const asked: SentQuestion = { question: '', history: [], uploads: [], places: new Map() };
  for (const [index, { role, content, path, contentPath = `${path}.content` }] of messages.entries()) {
    if (INSTRUCTIONS.has(role)) warnings.addMade(() => dropped('instructions_dropped', path, INSTRUCTED));
    else if (role !== 'user' && role !== 'assistant')
      warnings.addMade(() => dropped('message_dropped', path, TOOLS));
    else if (index > last) warnings.addMade(() => dropped('message_dropped', path, BEHIND));
    else {
      const { text, files } = readContent(content, contentPath, faults);
      if (index === last) ask(asked, text, files, contentPath);
      else if (remembers) warnings.addMade(() => dropped('history_ignored', path, REMEMBERED));
      else {
        if (text !== '') asked.history.push({ role, content: text });
        for (const file of files) warnings.addMade(() => dropped('file_dropped', file.path, EARLIER));
      }
    }
  }
  if (last === -1) faults.push({ path: member, message: 'must have a message of the role user' });
  if (faults.length > 0) throw new InvalidRequest(faults.slice(0, 100));
  return asked;
}

function ask(
  asked: SentQuestion,
  text: string,
  files: ReturnType<typeof readContent>['files'],
  path: string,
): void {
  asked.question = text;
  asked.places.set('question', path);
  for (const [index, file] of files.entries()) {
    asked.uploads.push(file.item);
    asked.places.set(`uploads.${index}`, file.path);
  }
}

const dropped = (code: string, path: string, message: string) => ({ code, message, path });

const INSTRUCTED =
  'Instructions of callers (the roles system and developer) do not reach a flow: it has its own.';
const TOOLS = 'Only messages of the roles user and assistant reach a flow: it calls tools by itself.';
const BEHIND = 'A message after the last one of the user does not reach the flow.';
const REMEMBERED =
  'The service remembers this chat itself: of the messages that were sent, only the last one of the user counts.';
const EARLIER = 'Files of earlier messages do not reach the flow: send them with the question.';
