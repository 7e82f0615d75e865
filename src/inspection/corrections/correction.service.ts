import { Injectable } from '@nestjs/common';
import type { CorrectedRecords } from '../../api/corrections.js';
import type { UndoneThing, UndoneThings } from '../../api/things.js';
import { Clock } from '../../common/clock.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { WriteHooks } from '../../database/writes/write-hooks.js';
import { sessionKey } from '../../database/writes/write-keys.js';
import { PhotographPrints, type WantedPrint } from '../pictures/photograph-prints.js';
import type { PictureCaller } from '../pictures/picture-slots.js';
import { SessionChanges, type SessionAddress } from '../session.js';
import { answeredRecords } from './corrected-views.js';
import { type CorrectionNote, enterCorrections } from './correction-records.js';
import { makeCorrection, makeUndo, PrintsWanted, describeUndone } from './make-correction.js';
import { planUndo } from './plan-undo.js';
import type { Plan } from './plan.js';

/** A requested correction: its session, its author, and the plan to make in its transaction. */
export interface CorrectionOrder {
  readonly session: SessionAddress;
  readonly note: CorrectionNote;
  readonly plan: (tx: Tx, now: number) => Promise<Plan>;
  /** The caller for fair scheduling of turned prints: the checked key, else the address, else the flow. */
  readonly who?: string;
}

/** A requested undo of the latest `count` executions. */
export interface UndoOrder extends Omit<CorrectionOrder, 'plan'> {
  readonly count: number;
}

/** The outcome: the number of changed records, and the first of them as corrected. */
export interface MadeCorrection extends CorrectedRecords {
  corrected: number;
}

/** Limit on the things in an answer; undoing a rename may change thousands. */
const MOST_ANSWERED = 100;

/** Limit on retries for missing prints. A photograph has three turned prints, but other corrections may intervene. */
const MOST_TRIES = 8;

/**
 * Corrections (contract section 5) change the description of evidence, never the evidence, until a report has claimed it.
 * The corrections of a session are serialised. If a correction and a claim race, the first commit wins: a claimed record
 * is not corrected, and a corrected record is claimed as corrected.
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
   * Makes a correction; one that changes nothing is not stored. Throws 404 for a missing session or record, 409
   * `already_claimed` or 429 without changing anything.
   */
  correct(order: CorrectionOrder, hooks: WriteHooks<MadeCorrection> = {}): Promise<MadeCorrection> {
    return this.inSession(order, hooks, async (tx, now) => {
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
   * Undoes the latest `count` executions that recorded or corrected something, all or none. An undo cannot be undone.
   * Throws 409 `already_claimed` if a report has claimed any of it, and 429.
   */
  undo(order: UndoOrder, hooks: WriteHooks<UndoneThings> = {}): Promise<UndoneThings> {
    return this.inSession(order, hooks, async (tx, now) => {
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
    hooks: WriteHooks<Made>,
    make: (tx: Tx, now: number) => Promise<Made>,
  ): Promise<Made> {
    const { flowId, sessionId } = session;
    const caller = { who: who ?? flowId, chat: `${flowId} ${sessionId}` };
    const touched = [sessionKey(sessionId), ...(hooks.touches ?? [])];
    for (let tries = 1; ; tries++) {
      try {
        const made = await this.gate.write(async (tx) => {
          await hooks.opening?.(tx);
          const outcome = await make(tx, this.clock.now());
          await hooks.closing?.(tx, outcome);
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

/** Returns false for a session without records, which has nothing to undo but is not missing. */
async function hasRecords(tx: Tx, { flowId, sessionId }: SessionAddress): Promise<boolean> {
  const sql = 'SELECT session_id FROM inspection_sessions WHERE flow_id = ? AND session_id = ?';
  return (await tx.one(sql, [flowId, sessionId])) !== undefined;
}
