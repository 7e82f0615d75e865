import { isItsOwnKey } from '../../auth/own-session.js';
import { identifier } from '../../common/texts/identifier.js';
import type { Json } from '../../flows/engine/json.js';
import { columnInstant, columnJson, columnText, type SourceRow } from '../../flows/import/rows/row-values.js';
import type { SentUpload } from '../../prediction/memory/chat-memory.js';

/** Parts of a message that cannot come with it: files of a list that cannot be read, and what is shown nowhere here. */
export type LostPart = 'uploads' | 'extras';

/** A message as the other side kept it. */
export interface TheirMessage {
  id: string;
  flowId: string;
  chatId: string;
  role: 'user' | 'assistant';
  content: string;
  /** Epoch milliseconds; undefined where no time can be read. */
  at: number | undefined;
  /** The empty text where it had none. */
  executionId: string;
  /** The chat in which callers go on here that named a session alone, where it is another. */
  sessionChatId: string | undefined;
  uploads: SentUpload[];
  lost: LostPart[];
}

const ROLES: Readonly<Record<string, TheirMessage['role']>> = {
  userMessage: 'user',
  apiMessage: 'assistant',
};

/** Columns of which a message shows nothing here. */
const UNSHOWN = [
  'usedTools',
  'sourceDocuments',
  'artifacts',
  'fileAnnotations',
  'agentReasoning',
  'reasonContent',
];

const MOST_UPLOADS = 200;

/** The message of a row, or why it cannot come. */
export function theirMessage(row: SourceRow): TheirMessage | { why: string } {
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

/** A caller who sent no chat id was given a random one by each answer, and came back with its session: that is its chat here. */
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

/** Editors write `[]`, `{}` and `null` where there is nothing. */
function isGiven(column: unknown): boolean {
  const text = columnText(column)?.trim();
  return text !== undefined && !['', '[]', '{}', 'null', '""'].includes(text);
}
