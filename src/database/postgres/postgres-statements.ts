import type { QueryConfig } from 'pg';
import { storableText } from '../../common/json/json-text.js';
import { numberPlaceholders, type SqlValue } from '../tx.js';
import type { PostgresConnection } from './postgres-connection.js';

/** The time limit of reads that may take hours, such as audits. */
const LONGEST_WAIT_MS = 86_400_000;

/** Reads rows and releases the connection, or destroys it after `silenceMs` without an answer. */
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

/** Returns a named query, so that each connection parses and plans a text once. */
export function statement(sql: string, parameters: readonly SqlValue[]) {
  let name = names.get(sql);
  if (name === undefined) {
    if (names.size > 1000) return { text: numberPlaceholders(sql), values: parameters.map(storable) };
    name = `s${names.size}`;
    names.set(sql, name);
  }
  return { name, text: numberPlaceholders(sql), values: parameters.map(storable) };
}

/** Replaces NUL, which PostgreSQL cannot store: one from a model, a file or another service must not fail the write. */
const storable = (value: SqlValue): SqlValue => (typeof value === 'string' ? storableText(value) : value);
