import { ServiceError } from './service-error.js';

/** Deeper nesting than this is refused before it is parsed (contract section 1). */
export const MAX_JSON_DEPTH = 64;

/**
 * Parses JSON from outside: refuses deep nesting before parsing it (400 `json_too_deep`), broken JSON with 400
 * `invalid_request`, and replaces NUL and lone surrogates, which PostgreSQL cannot store, by U+FFFD.
 */
export function parseJson(text: string, depthLimit = MAX_JSON_DEPTH): unknown {
  if (depthOf(text, depthLimit) > depthLimit) {
    throw new ServiceError(
      400,
      'json_too_deep',
      `The JSON is nested more than ${depthLimit} levels deep. Send it flatter.`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ServiceError(400, 'invalid_request', 'The body is not JSON. Send a JSON object.');
  }
  return hasUnstorable(text) ? storable(value) : value;
}

/** How deep brackets nest outside of strings; stops counting past the limit. */
function depthOf(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > deepest) deepest = depth;
      if (deepest > limit) return deepest;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return deepest;
}

/** Index of the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** An escape or a raw character that could stand for NUL or half a surrogate pair: cheap to ask, rarely true. */
const hasUnstorable = (text: string): boolean =>
  text.includes('\\u') || text.includes('\0') || !text.isWellFormed();

/** A text as it can be stored: NUL and lone surrogates become U+FFFD. */
export const storableText = (text: string): string =>
  (text.isWellFormed() ? text : text.toWellFormed()).replaceAll('\0', '\ufffd');

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    Object.defineProperty(copy, storableText(name), {
      value: storable(member),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}
