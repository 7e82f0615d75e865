import { z } from 'zod';

/** Control characters, and U+FFFD, which replaces those that cannot be stored. */
const CONTROL = /[\p{Cc}\ufffd]/u;

/** Returns a schema of names with up to `most` characters and no control characters. */
export const nameOfUpTo = (most: number) =>
  z
    .string()
    .min(1, `must have 1 to ${most} characters`)
    .max(most, `must have 1 to ${most} characters`)
    .refine((text) => !CONTROL.test(text), 'must not have control characters');

/** The id of a chat, session, message, account or report that a caller chooses (contract section 1). */
export const identifier = nameOfUpTo(256);

/** Returns the decimal text of a number; any other value unchanged. */
export const decimalText = (value: unknown): unknown =>
  typeof value === 'number' && Number.isInteger(value)
    ? BigInt(value).toString()
    : typeof value === 'number' && Number.isFinite(value)
      ? String(value)
      : value;

/** A `chatId` or `sessionId` from a caller: a number becomes its decimal text. */
export const sentIdentifier = z.preprocess(decimalText, identifier);
