import type { MoveReport } from '../report/move-report.js';
import { type MoveSource, WrongInput } from './move-source.js';

const columns = (names: string): readonly string[] => names.split(' ');

/** The tables and columns of Flowise 3.1.4 that a move reads. Of other tables it only counts the rows. */
export const KNOWN_TABLES: Readonly<Record<string, readonly string[]>> = {
  chat_flow: columns(
    'id name flowData deployed isPublic apikeyid chatbotConfig apiConfig analytic category speechToText type workspaceId followUpPrompts textToSpeech mcpServerConfig webhookSecret webhookSecretConfigured createdDate updatedDate',
  ),
  chat_message: columns(
    'id role chatflowid content sourceDocuments usedTools fileAnnotations fileUploads createdDate chatType chatId memoryType sessionId leadEmail agentReasoning action artifacts followUpPrompts executionId reasonContent',
  ),
  chat_message_feedback: columns('id chatflowid chatId messageId rating content createdDate'),
  lead: columns('id chatflowid chatId name email phone createdDate'),
  apikey: columns('id apiKey apiSecret keyName permissions workspaceId createdDate updatedDate'),
  credential: columns('id name credentialName encryptedData workspaceId createdDate updatedDate'),
  variable: columns('id name value type workspaceId createdDate updatedDate'),
  tool: columns('id name description color iconSrc schema func workspaceId createdDate updatedDate'),
  assistant: columns('id details credential iconSrc type workspaceId createdDate updatedDate'),
  document_store: columns(
    'id name description loaders whereUsed status vectorStoreConfig embeddingConfig recordManagerConfig workspaceId createdDate updatedDate',
  ),
};

/** The columns without which a table is not read. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  chat_flow: columns('id name flowData'),
  chat_message: columns('id role chatflowid content createdDate chatId'),
  chat_message_feedback: columns('id chatflowid chatId messageId rating'),
  lead: columns('id chatflowid chatId'),
  apikey: columns('id apiKey'),
  credential: columns('id credentialName encryptedData'),
  variable: columns('name value type'),
  tool: columns('id name func'),
};

/** Returns the columns of a table that are read; none if a needed one is missing. */
export function readColumns(source: Pick<MoveSource, 'tables'>, table: string): string[] {
  const there = source.tables.get(table);
  const needed = NEEDED[table] ?? [];
  if (!there || needed.some((column) => !there.has(column))) return [];
  return (KNOWN_TABLES[table] ?? []).filter((column) => there.has(column));
}

/** Throws `WrongInput` if this is no Flowise database. Reports its unknown and missing tables and columns. */
export function checkSchema({ tables }: Pick<MoveSource, 'tables'>, report: MoveReport): void {
  const lacking = NEEDED['chat_flow']!.filter((column) => !tables.get('chat_flow')?.has(column));
  if (!tables.has('chat_flow'))
    throw new WrongInput(
      'This is not a Flowise database: it has no table "chat_flow". Name another --database.',
    );
  if (lacking.length > 0)
    throw new WrongInput(
      `This is not a readable Flowise database: its table "chat_flow" has no ${lacking.join(', ')}.`,
    );
  for (const [table, known] of Object.entries(KNOWN_TABLES)) {
    const there = tables.get(table);
    if (!there) {
      report.note(
        `The other database has no table "${table}". It is of an older version, or stores this elsewhere.`,
      );
      continue;
    }
    const unread = (NEEDED[table] ?? []).filter((column) => !there.has(column));
    if (unread.length > 0)
      report.note(`The table "${table}" could not be read: it has no ${unread.join(', ')}.`);
    const missing = known.filter((column) => !there.has(column) && !unread.includes(column));
    if (missing.length > 0) report.note(`The table "${table}" has no ${missing.join(', ')}.`);
    const unknown = [...there].filter((column) => !known.includes(column));
    if (unknown.length > 0)
      report.note(`The table "${table}" has columns that this version does not know: ${unknown.join(', ')}.`);
  }
}
