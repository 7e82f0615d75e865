import { Injectable } from '@nestjs/common';
import type { CorrectedRecords } from '../../api/corrections.js';
import type { UndoneThing, UndoneThings } from '../../api/things.js';
import { Clock } from '../../common/clock.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { sessionKey, type WriteKey } from '../../database/writes/write-keys.js';
import { PhotographPrints, type WantedPrint } from '../pictures/photograph-prints.js';
import type { PictureCaller } from '../pictures/picture-slots.js';
import { SessionChanges, type SessionAddress } from '../session.js';
import { answeredRecords } from './corrected-views.js';
import { type CorrectionNote, enterCorrections } from './correction-records.js';
import { makeCorrection, makeUndo, PrintsWanted, describeUndone } from './make-correction.js';
import { planUndo } from './plan-undo.js';
import type { Plan } from './plan.js';

/** A correction to be made: of which session, by whom, and how it is decided in its transaction. */
export interface CorrectionOrder {
  readonly session: SessionAddress;
  readonly note: CorrectionNote;
  readonly plan: (tx: Tx, now: number) => Promise<Plan>;
  /** Whose turn it is when a picture is turned: the checked key, else the address; absent: the flow. */
  readonly who?: string;
}

/** Takes back what the latest executions recorded or corrected: so many of them. */
export interface UndoOrder extends Omit<CorrectionOrder, 'plan'> {
  readonly count: number;
}

/** Hooks into the transaction of a correction: a run's fence before it, its journal after it. */
export interface CorrectionListener<Made = MadeCorrection> {
  /** Everything that they touch beside the session. */
  readonly touches?: readonly WriteKey[];
  opening?(tx: Tx): Promise<void>;
  closing?(tx: Tx, made: Made): Promise<void>;
}

/** The outcome: how many records say something else now, and the first of them as they stand. */
export interface MadeCorrection extends CorrectedRecords {
  corrected: number;
}

/** The most things that an answer lists; a rename that is reversed may be of thousands. */
const MOST_ANSWERED = 100;

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
  correct(order: CorrectionOrder, listener: CorrectionListener = {}): Promise<MadeCorrection> {
    return this.inSession(order, listener, async (tx, now) => {
      const number = await enterCorrections(tx, order.session, now);
      const plan = await order.plan(tx, now);
      await makeCorrection(tx, order, plan, { number, now });
      const { items } = plan;
      const changed = items.filter(({ next }) => Object.keys(next).length > 0).length;
      const records = await answeredRecords(
        tx,
        items.map(({ subject }) => subject),
      );
      return { corrected: changed, ...records };
    });
  }

  /**
   * Takes back what the latest executions recorded or corrected, `count` of them, all or none. An undo is not taken back.
   * Throws 409 `already_claimed` where a report has any of it, and 429.
   */
  undo(order: UndoOrder, listener: CorrectionListener<UndoneThings> = {}): Promise<UndoneThings> {
    return this.inSession(order, listener, async (tx, now) => {
      const undone: UndoneThing[] = [];
      for (let left = (await hasRecords(tx, order.session)) ? order.count : 0; left > 0; left--) {
        const number = await enterCorrections(tx, order.session, now);
        const plan = await planUndo(tx, order.session, now);
        if (!plan) break;
        await makeUndo(tx, order, plan, { number, now });
        undone.push(...(await describeUndone(tx, plan)));
      }
      return { undone: undone.slice(0, MOST_ANSWERED) };
    });
  }

  private async inSession<Made>(
    { session, who }: Pick<CorrectionOrder, 'session' | 'who'>,
    listener: CorrectionListener<Made>,
    make: (tx: Tx, now: number) => Promise<Made>,
  ): Promise<Made> {
    const { flowId, sessionId } = session;
    const caller = { who: who ?? flowId, chat: `${flowId} ${sessionId}` };
    const touched = [sessionKey(sessionId), ...(listener.touches ?? [])];
    for (let tries = 1; ; tries++) {
      try {
        const made = await this.gate.write(async (tx) => {
          await listener.opening?.(tx);
          const outcome = await make(tx, this.clock.now());
          await listener.closing?.(tx, outcome);
          return outcome;
        }, touched);
        this.changes.announce(session);
        return made;
      } catch (error) {
        if (!(error instanceof PrintsWanted) || tries === MOST_TRIES) throw error;
        await this.makePrints(error.prints, caller);
      }
    }
  }

  private async makePrints(prints: readonly WantedPrint[], caller: PictureCaller): Promise<void> {
    for (const print of prints) await this.prints.make(print, caller);
  }
}

/** An own session in which nothing was recorded yet has nothing to take back, and is not missing. */
async function hasRecords(tx: Tx, { flowId, sessionId }: SessionAddress): Promise<boolean> {
  const sql = 'SELECT session_id FROM inspection_sessions WHERE flow_id = ? AND session_id = ?';
  return (await tx.one(sql, [flowId, sessionId])) !== undefined;
}
