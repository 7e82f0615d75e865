import { z } from 'zod';

/** Control characters; U+FFFD stands where one that cannot be stored was. */
const hasControl = /[\u0000-\u001f\u007f-\u009f\ufffd]/;

/** A `chatId` or `sessionId` (contract section 1). */
export const chatIdentifier = z
  .string()
  .min(1, 'must have 1 to 256 characters')
  .max(256, 'must have 1 to 256 characters')
  .refine((text) => !hasControl.test(text), 'must not have control characters');
