import { type JsonPiece, piecesOf } from './json-pieces.js';
import { withExactIds } from './json-text.js';
import type { WideText } from './wide-json.js';

/** In the thread: parses one wide text, and cuts its value into pieces. Nothing where it is no JSON. */
export default function parseInPieces({ bytes, most }: WideText): JsonPiece[] | undefined {
  const text = withExactIds(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return piecesOf(value, most);
}
