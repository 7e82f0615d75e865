/** Members whose empty text counts as absent as well. */
const ABSENT_WHERE_EMPTY: ReadonlySet<string> = new Set([
  'chatId',
  'sessionId',
  'overrideConfig',
  'uploads',
  'meta',
  'delivery',
]);

/**
 * A body without its members that count as absent (contract section 1): those that are `null`, and some where they are
 * empty. What is no object is returned as it is.
 */
export function withoutAbsent(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  // A member named __proto__ stays an ordinary one.
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => value !== null && !(value === '' && ABSENT_WHERE_EMPTY.has(name)),
    ),
  );
}
