import { Injectable } from '@nestjs/common';
import type { CorrectedRecords } from '../../api/corrections.js';
import { Clock } from '../../common/clock.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { sessionKey, type WriteKey } from '../../database/writes/write-keys.js';
import { lacksPrint, PhotographPrints, type WantedPrint } from '../pictures/photograph-prints.js';
import type { PictureCaller } from '../pictures/picture-slots.js';
import { SessionChanges, type SessionAddress } from '../session.js';
import { answeredRecords } from './corrected-views.js';
import {
  type CorrectedItem,
  type CorrectionNote,
  enterCorrections,
  recordCorrection,
} from './correction-records.js';
import type { Plan, PlannedItem } from './plan.js';
import { alreadyClaimed } from './refusals.js';
import { updateRecords } from './subject.js';

/** A correction to be made: of which session, by whom, and how it is decided in its transaction. */
export interface CorrectionOrder {
  readonly session: SessionAddress;
  readonly note: CorrectionNote;
  readonly plan: (tx: Tx, now: number) => Promise<Plan>;
  /** Whose turn it is when a picture is turned: the checked key, else the address; absent: the flow. */
  readonly who?: string;
}

/** Hooks into the transaction of a correction: a run's fence before it, its journal after it. */
export interface CorrectionListener {
  /** Everything that they touch beside the session. */
  readonly touches?: readonly WriteKey[];
  opening?(tx: Tx): Promise<void>;
  closing?(tx: Tx, made: MadeCorrection): Promise<void>;
}

/** The outcome: how many records say something else now, and the first of them as they stand. */
export interface MadeCorrection extends CorrectedRecords {
  corrected: number;
}

/** A photograph has three turned prints at most, but other corrections may come between. */
const MOST_TRIES = 8;

/**
 * Corrections (contract section 5): evidence is never changed, but its description may be until a report has claimed it.
 * The corrections of a session come one after another; of a correction and a claim that race, the one that comes first in
 * the database decides: a claimed record is not changed, and what was corrected is claimed as corrected.
 */
@Injectable()
export class CorrectionService {
  constructor(
    private readonly clock: Clock,
    private readonly gate: WriteGate,
    private readonly prints: PhotographPrints,
    private readonly changes: SessionChanges,
  ) {}

  /**
   * Throws 404 for a session or record that is not there, 409 `already_claimed`, 429, having changed nothing. A correction
   * that changes nothing leaves no trace.
   */
  async correct(order: CorrectionOrder, listener: CorrectionListener = {}): Promise<MadeCorrection> {
    const { flowId, sessionId } = order.session;
    const caller = { who: order.who ?? flowId, chat: `${flowId} ${sessionId}` };
    const touched = [sessionKey(sessionId), ...(listener.touches ?? [])];
    for (let tries = 1; ; tries++) {
      try {
        const made = await this.gate.write((tx) => this.make(tx, order, listener), touched);
        this.changes.announce(order.session);
        return made;
      } catch (error) {
        if (!(error instanceof PrintsWanted) || tries === MOST_TRIES) throw error;
        await this.makePrints(error.prints, caller);
      }
    }
  }

  private async make(
    tx: Tx,
    { session, note, plan }: CorrectionOrder,
    listener: CorrectionListener,
  ): Promise<MadeCorrection> {
    await listener.opening?.(tx);
    const now = this.clock.now();
    const number = await enterCorrections(tx, session, now);
    const { items, place, undoes } = await plan(tx, now);
    const changed = items.filter(({ next }) => Object.keys(next).length > 0);
    await requirePrints(tx, changed);
    await updateAll(tx, changed);
    const noted = changed.map(notedItem);
    if (place) {
      await renamePlace(tx, session, place.next);
      noted.push({ kind: 'session', id: session.sessionId, change: place.change, was: place.was });
    }
    const fullNote = { ...note, ...(undoes === undefined ? {} : { undoes }) };
    if (noted.length > 0 || undoes !== undefined)
      await recordCorrection(tx, session, fullNote, noted, { number, now });
    const records = await answeredRecords(
      tx,
      items.map(({ subject }) => subject),
    );
    const made = { corrected: changed.length, ...records };
    await listener.closing?.(tx, made);
    return made;
  }

  private async makePrints(prints: readonly WantedPrint[], caller: PictureCaller): Promise<void> {
    for (const print of prints) await this.prints.make(print, caller);
  }
}

const notedItem = ({ subject: { kind, id, current }, change, next }: PlannedItem): CorrectedItem => ({
  ...{ kind, id, change },
  was: Object.fromEntries(Object.keys(next).map((column) => [column, current[column] ?? null])),
});

/** Thrown out of the transaction, which is undone: the prints are made, then it is retried. */
class PrintsWanted extends Error {
  constructor(readonly prints: readonly WantedPrint[]) {
    super('prints of turned photographs are not made yet');
  }
}

async function requirePrints(tx: Tx, items: readonly PlannedItem[]): Promise<void> {
  const wanted: WantedPrint[] = [];
  for (const { subject, next } of items) {
    if (typeof next.turn !== 'number') continue;
    const print = { photographId: subject.id, turn: next.turn };
    if (await lacksPrint(tx, print)) wanted.push(print);
  }
  if (wanted.length > 0) throw new PrintsWanted(wanted);
}

/** Records that say the same from now on together, so that a rename of thousands is a few statements. */
async function updateAll(tx: Tx, items: readonly PlannedItem[]): Promise<void> {
  const groups = new Map<string, PlannedItem[]>();
  for (const item of items) {
    const name = JSON.stringify([item.subject.kind, item.next]);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  for (const group of groups.values()) {
    const [{ subject, next }] = group as [PlannedItem];
    const ids = group.map((item) => item.subject.id);
    if (!(await updateRecords(tx, subject.kind, ids, next))) throw alreadyClaimed();
  }
}

async function renamePlace(tx: Tx, { flowId, sessionId }: SessionAddress, next: object): Promise<void> {
  const columns = Object.entries(next) as [string, string | null][];
  const set = columns.map(([column]) => `${column} = ?`).join(', ');
  const sql = `UPDATE inspection_sessions SET ${set} WHERE flow_id = ? AND session_id = ?`;
  await tx.run(sql, [...columns.map(([, value]) => value), flowId, sessionId]);
}
