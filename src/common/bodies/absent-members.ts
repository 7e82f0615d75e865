/** Members that count as absent when they are an empty text. */
const ABSENT_WHERE_EMPTY: ReadonlySet<string> = new Set([
  'chatId',
  'sessionId',
  'overrideConfig',
  'uploads',
  'meta',
  'delivery',
]);

/**
 * Returns a body without the members that count as absent (contract section 1): those that are `null`, and some that are
 * empty. A value that is not an object is returned unchanged.
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
