import { parseJson, storableText } from '../../../common/json/json-text.js';
import type { Json } from '../../engine/json.js';

/** A row of the other service by column. Values are those of a driver or a JSON file. */
export type SourceRow = Readonly<Record<string, unknown>>;

/** Returns a column as a text that can be stored; undefined when it is empty. */
export function columnText(value: unknown): string | undefined {
  const text = Buffer.isBuffer(value) ? value.toString('utf8') : value;
  if (typeof text === 'number' || typeof text === 'bigint') return String(text);
  return typeof text === 'string' && text !== '' ? storableText(text) : undefined;
}

/** Reads a boolean: 0 or 1 on SQLite, `t` or `f` on PostgreSQL; anything else is false. */
export const columnBoolean = (value: unknown): boolean =>
  value === true || value === 1 || ['1', 't', 'true'].includes(String(value));

/** The year 10000, from which on ISO 8601 has another form. */
const END_OF_TIME = 253_402_300_800_000;

/** Smaller numbers are seconds: as milliseconds they would be before the spring of 1973. */
const LEAST_MILLISECONDS = 1e11;

/**
 * Returns an instant from 1970 to 9999 in epoch milliseconds. Reads `2026-11-22[ 13:30:01[.123][+00]]`, which is UTC
 * without a zone, and numbers of seconds or milliseconds since 1970.
 */
export function columnInstant(value: unknown): number | undefined {
  const text = columnText(value);
  const instant = text === undefined ? undefined : (writtenInstant(text) ?? countedInstant(text));
  return instant !== undefined && instant >= 0 && instant < END_OF_TIME ? instant : undefined;
}

function countedInstant(text: string): number | undefined {
  if (!/^\d{1,15}(\.\d*)?$/.test(text)) return undefined;
  const count = Number(text);
  return Math.trunc(count < LEAST_MILLISECONDS ? count * 1_000 : count);
}

function writtenInstant(text: string): number | undefined {
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}(?::?\d{2})?)?)?$/.exec(
      text,
    );
  if (!parts) return undefined;
  const [, day, time = '00:00', zone = 'Z'] = parts;
  const instant = Date.parse(`${day}T${time}${/^[+-]\d{2}$/.test(zone) ? `${zone}:00` : zone}`);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Returns the JSON value of a column: `undefined` when it is empty, `'broken'` when it is not JSON. */
export function columnJson(value: unknown): { value: Json | undefined } | 'broken' {
  const text = columnText(value);
  if (text === undefined) return { value: undefined };
  try {
    const parsed = parseJson(text, Infinity) as Json;
    return { value: parsed ?? undefined };
  } catch {
    return 'broken';
  }
}
