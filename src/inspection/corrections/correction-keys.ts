import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CorrectedRecords, Correction } from '../../api/corrections.js';
import type { SqlReader, Tx } from '../../database/tx.js';
import { idempotencyKeyOf } from '../../executions/calls/call-key.js';
import { keyReused } from '../../executions/calls/key-entry.js';
import type { SessionAddress } from '../session.js';
import { correctionsOf } from './corrected-views.js';
import type { MadeCorrection } from './correction.service.js';

/** The `Idempotency-Key` of a call, and the callback that marks its answer as a replay. */
export interface KeyOfCorrection {
  readonly key: string;
  replayed(): void;
}

/** The scope of a key (session and caller), and a fingerprint of the request. */
export interface KeyedCorrection extends SessionAddress {
  readonly who: string;
  readonly key: string;
  readonly fingerprint: string;
}

const STORED_MS = 24 * 3_600_000;
const PLACE = 'session_id = ? AND flow_id = ?';
const FIND = `SELECT fingerprint, outcome FROM correction_keys WHERE ${PLACE} AND who = ? AND call_key = ? AND made_at > ?`;
/** Deletes a few expired keys of any session: more than a call adds, and few enough not to delay it. */
const FORGET = `DELETE FROM correction_keys WHERE (session_id, flow_id, who, call_key) IN
  (SELECT session_id, flow_id, who, call_key FROM correction_keys WHERE made_at <= ? ORDER BY made_at LIMIT 100)`;
const STORE = `INSERT INTO correction_keys (session_id, flow_id, who, call_key, fingerprint, outcome, made_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

/** The key of the call. Throws 400 for an invalid one. */
export const CallKeyOf = createParamDecorator(
  (_: unknown, context: ExecutionContext): KeyOfCorrection | undefined => {
    const http = context.switchToHttp();
    const key = idempotencyKeyOf(http.getRequest<Request>());
    const replayed = () => void http.getResponse<Response>().setHeader('Idempotent-Replay', 'true');
    return key === undefined ? undefined : { key, replayed };
  },
);

/** Returns the outcome of the first call under the key. Throws 422 `idempotency_key_reused` if the requests differ. */
export async function storedOutcome(
  reader: SqlReader,
  { sessionId, flowId, who, key, fingerprint }: KeyedCorrection,
  now: number,
): Promise<string | undefined> {
  const stored = await reader.one<{ fingerprint: string; outcome: string }>(FIND, [
    sessionId,
    flowId,
    who,
    key,
    now - STORED_MS,
  ]);
  if (stored && stored.fingerprint !== fingerprint) throw keyReused();
  return stored?.outcome;
}

/** Stores the outcome in the transaction of the correction; deletes keys older than a day. */
export async function storeOutcome(
  tx: Tx,
  { sessionId, flowId, who, key, fingerprint }: KeyedCorrection,
  outcome: string,
  now: number,
): Promise<void> {
  await tx.run(FORGET, [now - STORED_MS]);
  await tx.run(STORE, [sessionId, flowId, who, key, fingerprint, outcome, now]);
}

/**
 * An outcome with the number of a record's corrections in their place, so that its size does not grow with them.
 * Corrections are append-only, so the first ones up to that number are those of the first answer.
 */
type StoredOutcome = { corrected: number } & {
  [Kind in keyof CorrectedRecords]: Counted<CorrectedRecords[Kind][number]>[];
};
type Counted<View> = Omit<View, 'corrections'> & { corrections: number };

/** Encodes the outcome as JSON text of at most 65,536 characters or one record. */
export function encodeOutcome({ corrected, photographs, remarks, facts }: MadeCorrection): string {
  const stored: StoredOutcome = {
    corrected,
    photographs: photographs.map(counted),
    remarks: remarks.map(counted),
    facts: facts.map(counted),
  };
  return JSON.stringify(stored);
}

/** Decodes a stored outcome to the first answer. */
export async function decodeOutcome(reader: SqlReader, text: string): Promise<MadeCorrection> {
  const { corrected, photographs, remarks, facts } = JSON.parse(text) as StoredOutcome;
  const ids = [...photographs, ...remarks, ...facts].map(({ id }) => id);
  const made = await correctionsOf(reader, ids);
  const decoded = <View extends { id: string; corrections: number }>(record: View) => ({
    ...record,
    corrections: (made.get(record.id) ?? []).slice(0, record.corrections),
  });
  return {
    corrected,
    photographs: photographs.map(decoded),
    remarks: remarks.map(decoded),
    facts: facts.map(decoded),
  };
}

const counted = <View extends { corrections: Correction[] }>(record: View): Counted<View> => ({
  ...record,
  corrections: record.corrections.length,
});
