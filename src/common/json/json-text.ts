import { ServiceError } from '../service-error.js';
import { tooComplex, USUAL_VALUES } from './json-limits.js';
import { JsonScan } from './json-scan.js';

/**
 * Parses a JSON text from outside that is not a body (see `JsonBuffer` for those). Before parsing, throws 400
 * `json_too_deep`, or 413 `body_too_complex` beyond `mostValues` values. Throws 400 `invalid_request` for broken JSON. NUL
 * and lone surrogates, which PostgreSQL cannot store, become U+FFFD.
 */
export function parseJson(text: string, mostValues = USUAL_VALUES): unknown {
  const bytes = Buffer.from(text);
  const scan = new JsonScan();
  scan.read(bytes, bytes.length);
  if (scan.values > mostValues) throw tooComplex(mostValues);
  return valueOf(bytes.toString('utf8'));
}

/** Returns the value of a scanned text. Throws 400 `invalid_request`. */
export function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/**
 * Quotes ids that are whole numbers too long for a JavaScript number: rounding would merge two chats. In JSON a quoted name
 * before a colon is always a member, because quotes within texts are escaped.
 */
export const withExactIds = (text: string): string => text.replace(LONG_IDS, '$1"$2"');

/** Every repetition is bounded, because the text comes from callers. */
const LONG_IDS =
  /("(?:chatId|sessionId|messageId)"[ \t\r\n]{0,16}:[ \t\r\n]{0,16})(-?[1-9]\d{15,255})(?=[ \t\r\n]{0,16}[,}])/g;

/** 400 for a text that is not JSON. */
export const notJson = (): ServiceError =>
  new ServiceError('invalid_request', 'The body is not JSON. Send a JSON object.');

/** Returns a text that can be stored: NUL and lone surrogates become U+FFFD. */
export const storableText = (text: string): string =>
  (text.isWellFormed() ? text : text.toWellFormed()).replaceAll('\0', '\ufffd');
