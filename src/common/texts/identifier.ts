import { z } from 'zod';

/** Control characters; U+FFFD stands where one that cannot be stored was. */
const CONTROL = /[\p{Cc}\ufffd]/u;

/** A name of up to `most` characters, none of them a control character. */
export const nameOfUpTo = (most: number) =>
  z
    .string()
    .min(1, `must have 1 to ${most} characters`)
    .max(most, `must have 1 to ${most} characters`)
    .refine((text) => !CONTROL.test(text), 'must not have control characters');

/** A name that callers choose: a `chatId`, a `sessionId`, a message, an account, a report (contract section 1). */
export const identifier = nameOfUpTo(256);

/** The decimal text of a number; anything else stays as it is. */
export const decimalText = (value: unknown): unknown =>
  typeof value === 'number' && Number.isInteger(value)
    ? BigInt(value).toString()
    : typeof value === 'number' && Number.isFinite(value)
      ? String(value)
      : value;

/** A `chatId` or `sessionId` as callers send it: a number is read as its decimal text. */
export const sentIdentifier = z.preprocess(decimalText, identifier);
