import { ServiceError } from '../service-error.js';
import { tooComplex, USUAL_VALUES } from './json-limits.js';
import { JsonScan } from './json-scan.js';

/**
 * Parses a JSON text from outside that is no body (bodies: `bodies/json-buffer`). Refuses what is nested too deep (400
 * `json_too_deep`) or has more than `mostValues` values (413 `body_too_complex`) before parsing it, broken JSON with 400
 * `invalid_request`; NUL and lone surrogates, which PostgreSQL cannot store, become U+FFFD.
 */
export function parseJson(text: string, mostValues = USUAL_VALUES): unknown {
  const bytes = Buffer.from(text);
  const scan = new JsonScan();
  scan.read(bytes, bytes.length);
  if (scan.values > mostValues) throw tooComplex(mostValues);
  return valueOf(bytes.toString('utf8'));
}

/** The value of a text that has been looked at. Throws 400 `invalid_request`. */
export function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/**
 * Quotes the ids that are whole numbers too long for a JavaScript number, so that each stays the text that was sent: two
 * chats must not become one. A name stands before a colon nowhere else in JSON, because quotes within texts are escaped.
 */
export const withExactIds = (text: string): string => text.replace(LONG_IDS, '$1"$2"');

/** Every repetition is bounded: the text is anything at all. */
const LONG_IDS =
  /("(?:chatId|sessionId|messageId)"[ \t\r\n]{0,16}:[ \t\r\n]{0,16})(-?[1-9]\d{15,255})(?=[ \t\r\n]{0,16}[,}])/g;

/** 400 for a text that is no JSON. */
export const notJson = (): ServiceError =>
  new ServiceError('invalid_request', 'The body is not JSON. Send a JSON object.');

/** A text as it can be stored: NUL and lone surrogates become U+FFFD. */
export const storableText = (text: string): string =>
  (text.isWellFormed() ? text : text.toWellFormed()).replaceAll('\0', '\ufffd');
