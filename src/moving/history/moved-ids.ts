import { createHash } from 'node:crypto';
import { orderedId } from '../../executions/execution-id.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns the id of a row here: its own if that is a UUID, else a UUID derived from it. */
export function movedId(theirs: string): string {
  if (UUID.test(theirs)) return theirs;
  const hex = digestOf(theirs);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the id of the turn that this message begins. Ids of turns sort in the order of the chat. */
export const movedTurnId = (at: number, place: number, messageId: string): string =>
  orderedId(at, place, digestOf(messageId).slice(0, 10));

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
