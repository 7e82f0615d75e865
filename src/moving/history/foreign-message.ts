import { isItsOwnKey } from '../../auth/own-session.js';
import { identifier } from '../../common/texts/identifier.js';
import type { Json } from '../../flows/engine/json.js';
import { columnInstant, columnJson, columnText, type SourceRow } from '../../flows/import/rows/row-values.js';
import type { SentUpload } from '../../prediction/memory/chat-memory.js';

/** Parts of a message that are not moved: files of an unreadable list, and what this service does not show. */
type LostPart = 'uploads' | 'extras';

/** A message as the other side stores it. */
export interface ForeignMessage {
  id: string;
  flowId: string;
  chatId: string;
  role: 'user' | 'assistant';
  content: string;
  /** Epoch milliseconds; undefined if the time cannot be read. */
  at: number | undefined;
  /** Empty if it had none. */
  executionId: string;
  /** The chat that callers who send only a session id continue, if it differs from `chatId`. */
  sessionChatId: string | undefined;
  uploads: SentUpload[];
  lost: LostPart[];
}

const ROLES: Readonly<Record<string, ForeignMessage['role']>> = {
  userMessage: 'user',
  apiMessage: 'assistant',
};

/** Columns that this service does not show. */
const UNSHOWN = [
  'usedTools',
  'sourceDocuments',
  'artifacts',
  'fileAnnotations',
  'agentReasoning',
  'reasonContent',
];

const MOST_UPLOADS = 200;

/** Reads the message of a row, or returns why it cannot be moved. */
export function readMessage(row: SourceRow): ForeignMessage | { why: string } {
  const [id, flowId, chatId] = [
    columnText(row['id']),
    columnText(row['chatflowid']),
    columnText(row['chatId']),
  ];
  if (id === undefined) return { why: 'it has no id' };
  if (flowId === undefined) return { why: 'it names no flow' };
  if (!isChatId(chatId)) return { why: NO_CHAT_ID };
  const role = ROLES[columnText(row['role']) ?? ''];
  if (role === undefined) return { why: 'its role is neither userMessage nor apiMessage' };
  const lost: LostPart[] = UNSHOWN.some((column) => isGiven(row[column])) ? ['extras'] : [];
  return {
    id,
    flowId,
    chatId,
    role,
    content: columnText(row['content']) ?? '',
    at: columnInstant(row['createdDate']),
    executionId: columnText(row['executionId']) ?? '',
    sessionChatId: sessionChatOf(chatId, columnText(row['sessionId'])),
    uploads: uploadsOf(row['fileUploads'], lost),
    lost,
  };
}

export const NO_CHAT_ID = 'its chat id is missing, has control characters or more than 256 characters';

export const isChatId = (chatId: string | undefined): chatId is string =>
  identifier.safeParse(chatId).success;

/** Returns the session if the caller sent it instead of a chat id: each answer then had a random chat id. */
const sessionChatOf = (chatId: string, sessionId: string | undefined): string | undefined =>
  isItsOwnKey(chatId) && sessionId !== chatId && isChatId(sessionId) && !isItsOwnKey(sessionId)
    ? sessionId
    : undefined;

function uploadsOf(column: unknown, lost: LostPart[]): SentUpload[] {
  const read = columnJson(column);
  if (read !== 'broken' && read.value === undefined) return [];
  if (read === 'broken' || !Array.isArray(read.value)) {
    lost.push('uploads');
    return [];
  }
  const uploads = read.value.slice(0, MOST_UPLOADS).flatMap(uploadOf);
  if (uploads.length < read.value.length) lost.push('uploads');
  return uploads;
}

function uploadOf(given: Json): SentUpload[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return [];
  const { name, type, mime } = given;
  if (typeof name !== 'string' || name === '') return [];
  return [{ type: textOr(type, 'file'), name, mime: textOr(mime, 'application/octet-stream') }];
}

const textOr = (value: Json | undefined, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise;

/** Returns false for the empty values that the other side writes. */
function isGiven(column: unknown): boolean {
  const text = columnText(column)?.trim();
  return text !== undefined && !['', '[]', '{}', 'null', '""'].includes(text);
}
