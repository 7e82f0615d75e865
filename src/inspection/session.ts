import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Subject } from 'rxjs';
import type { Tx } from '../database/tx.js';

/** One session of one flow: its client chooses the session's id, and two flows may have the same one. */
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
 * Deduplication key of a photograph, a batch or a remark within its session. A hash, because message ids may be of any
 * length; `kind` keeps their ids apart.
 */
export const messageKey = (
  kind: 'photograph' | 'batch' | 'remark',
  messageId: string,
  ordinal: number,
): string => createHash('sha256').update(`${kind}\0${ordinal}\0${messageId}`).digest('hex');

/** Takes numbers of arrival in a session that exists, whose row stays locked until the transaction ends; returns the first. */
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
