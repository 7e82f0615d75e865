import type { QueryConfig } from 'pg';
import { storableText } from '../../common/json/json-text.js';
import { numberPlaceholders, type SqlValue } from '../tx.js';
import type { PostgresConnection } from './postgres-connection.js';

/** For readings that may take hours: audits of everything. */
const LONGEST_WAIT_MS = 86_400_000;

/** The rows of a reading; gives the connection back to its pool, or breaks it off where it is silent for `silenceMs`. */
export async function readOn<Row>(
  connection: PostgresConnection,
  query: QueryConfig,
  silenceMs = LONGEST_WAIT_MS,
): Promise<Row[]> {
  const silence = setTimeout(() => connection.breakOff(), silenceMs).unref();
  let failure: unknown;
  try {
    return (await connection.query(query)).rows as Row[];
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    clearTimeout(silence);
    connection.release(failure);
  }
}

const names = new Map<string, string>();

/** Named, so that PostgreSQL parses and plans each text once a connection. */
export function statement(sql: string, parameters: readonly SqlValue[]) {
  let name = names.get(sql);
  if (name === undefined) {
    if (names.size > 1000) return { text: numberPlaceholders(sql), values: parameters.map(storable) };
    name = `s${names.size}`;
    names.set(sql, name);
  }
  return { name, text: numberPlaceholders(sql), values: parameters.map(storable) };
}

/** PostgreSQL has no NUL in texts. One that a model, a file or another service said must not cost the whole write. */
const storable = (value: SqlValue): SqlValue => (typeof value === 'string' ? storableText(value) : value);
