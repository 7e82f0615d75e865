import { type JsonPiece, piecesOf } from './json-pieces.js';
import { withExactIds } from './json-text.js';
import type { WideText } from './wide-json.js';

/** Runs in the thread: parses a text and cuts its value into pieces. Returns undefined when the text is not JSON. */
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
