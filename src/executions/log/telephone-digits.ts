/** Digits of the national part, the same with and without the country's code. */
const DIGITS = 9;

/** Telephone numbers as people write them: with blanks, `+`, dashes, brackets and dots. */
const NUMBER = /^[\d\s+().\p{Pd}]+$/u;
const CHANNEL = /^\p{L}[\p{L}\d_-]*:/u;

/**
 * Returns the last nine digits of a telephone number in any spelling (`447700900123`, `+44 (0)7700 900-123`,
 * `07700.900123`); undefined for other texts and for fewer than nine digits.
 */
export function telephoneDigits(text: string): string | undefined {
  if (!NUMBER.test(text)) return undefined;
  const digits = text.replace(/\D/g, '');
  return digits.length < DIGITS ? undefined : digits.slice(-DIGITS);
}

/** Returns true if the chat has this id, or is the same telephone number. */
export function isSameChat(chatId: string | null, asked: string): boolean {
  const digits = telephoneDigits(asked);
  return chatId === asked || (digits !== undefined && chatDigits(chatId ?? undefined) === digits);
}

/** Returns the digits of a chat's id, which may have a prefix of its channel (`whatsapp:+447700900123`). */
export const chatDigits = (chatId: string | undefined): string | null =>
  chatId === undefined ? null : (telephoneDigits(chatId.replace(CHANNEL, '')) ?? null);
