import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Subject } from 'rxjs';
import type { Tx } from '../database/tx.js';

/** The key of a session. Clients choose session ids, so two flows may have the same one. */
export interface SessionAddress {
  readonly flowId: string;
  readonly sessionId: string;
}

/** Notifies the live streams of a session that this process recorded something in it. */
@Injectable()
export class SessionChanges {
  readonly changed = new Subject<SessionAddress>();

  announce({ flowId, sessionId }: SessionAddress): void {
    this.changed.next({ flowId, sessionId });
  }
}

/**
 * Returns the deduplication key of a photograph, a batch or a remark within its session. A hash, because message ids may
 * have any length; `kind` separates their ids.
 */
export const messageKey = (
  kind: 'photograph' | 'batch' | 'remark',
  messageId: string,
  ordinal: number,
): string => createHash('sha256').update(`${kind}\0${ordinal}\0${messageId}`).digest('hex');

/** Reserves arrival numbers in an existing session and returns the first. Locks its row until the transaction ends. */
export async function takeArrivals(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  count: number,
): Promise<number> {
  const row = await tx.one<{ arrivals: number }>(
    'UPDATE inspection_sessions SET arrivals = arrivals + ? WHERE flow_id = ? AND session_id = ? RETURNING arrivals',
    [count, flowId, sessionId],
  );
  if (!row) throw new Error('the inspection session could not be entered');
  return row.arrivals - count + 1;
}
