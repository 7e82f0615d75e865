import { z } from 'zod';

const LEAST = 10_000;
const MOST = 2_000_000_000;
const RULE = `must be a whole number from ${LEAST} to ${MOST}`;

/** `maxBytes` of a render: a size of file in bytes. */
export const maxBytes = z
  .int({ error: RULE, abort: true })
  .min(LEAST, RULE)
  .max(MOST, RULE)
  .nullish()
  .describe(
    'The most bytes that the file may have. The pictures are stepped down together until it fits, never below 1,000 pixels of the long side or JPEG quality 60; where it does not fit then, the report is made all the same and the warning `max_bytes_exceeded` says by how much it does not.',
  );

/** Of a text, which a template may have given: throws with a sentence. Blank is none. */
export function maxBytesOf(value: number | string | undefined): number | undefined {
  const text = typeof value === 'string' ? value.trim() : value;
  if (text === undefined || text === '') return undefined;
  const read = maxBytes.safeParse(Number(text));
  if (read.success) return read.data ?? undefined;
  throw new Error(`The maxBytes of the render ${RULE}.`);
}
