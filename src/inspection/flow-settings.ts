import { z } from 'zod';

/** Returns true for a text that is a single unresolved reference. */
export const isUnanswered = (value: string): boolean => /^\{\{[^{}]{1,200}\}\}$/.test(value);

/** `sessionId` of a node or tool. */
export const sessionSetting = z.string().nullish().describe('The inspection; absent: that of the chat.');

/** Returns the session of a node or tool: the chat's if none is set, or if its reference has no value. */
export function sessionIn(sessionId: string | null | undefined, chatId: string): string {
  const given = sessionId?.trim() ?? '';
  return given === '' || isUnanswered(given) ? chatId : given;
}
