/** The national part of a number, which is the same with and without the country's code. */
const DIGITS = 9;

/** Digits as people write them: with blanks, `+`, dashes, brackets and dots. */
const NUMBER = /^[\d\s+().\p{Pd}]+$/u;
const CHANNEL = /^\p{L}[\p{L}\d_-]*:/u;

/**
 * The last nine digits of a telephone number, however it is written (`447700900123`, `+44 (0)7700 900-123`,
 * `07700.900123`); nothing for a text that is none: other characters, or fewer than nine digits.
 */
export function telephoneDigits(text: string): string | undefined {
  if (!NUMBER.test(text)) return undefined;
  const digits = text.replace(/\D/g, '');
  return digits.length < DIGITS ? undefined : digits.slice(-DIGITS);
}

/** Whether a chat is the one that is asked for: by its id in full, or by the number that it is. */
export function isSameChat(chatId: string | null, asked: string): boolean {
  const digits = telephoneDigits(asked);
  return chatId === asked || (digits !== undefined && chatDigits(chatId ?? undefined) === digits);
}

/** The digits in a chat's id, which may be prefixed with the channel (`whatsapp:+447700900123`). */
export const chatDigits = (chatId: string | undefined): string | null =>
  chatId === undefined ? null : (telephoneDigits(chatId.replace(CHANNEL, '')) ?? null);
