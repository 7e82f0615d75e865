import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { CaseRunStatus } from '../../api/case-terms.js';
import type { CaseResult, CaseRunView } from '../../api/cases.js';
import { CreditLedger } from '../../auth/credit/credit-ledger.js';
import { Clock } from '../../common/clock.js';
import { isoTime } from '../../common/iso-time.js';
import { NotFound } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { accountKey, runKey } from '../../database/writes/write-keys.js';
import { CaseEntity, CaseResultEntity, CaseRunEntity } from './case.entity.js';

/** Runs stored for each flow, and for how long. */
const MOST_STORED = 20;
const STORED_MS = 7 * 24 * 3_600_000;

const DIED =
  'The process that ran these cases ended before they did. Nothing of them was left behind; charges of unfinished live cases were refunded. Run them again.';

/** The charge of a live case; the ledger names it by `id`. */
export interface CaseCharge {
  id: string;
  account: string;
  amount: number;
}

/** Stores runs of cases with their results, and ends those of dead processes. */
@Injectable()
export class CaseRunStore {
  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly presence: ProcessPresence,
    private readonly credit: CreditLedger,
    private readonly clock: Clock,
  ) {}

  async begin(flowId: string, version: 'draft' | number, total: number): Promise<CaseRunEntity> {
    const startedAt = this.clock.now();
    const row: CaseRunEntity = {
      ...{ id: uuid({ msecs: startedAt }), flowId, version: String(version), status: 'running', error: null },
      ...{ total, processId: this.presence.id, startedAt, finishedAt: null },
    };
    await this.gate.write(async (tx) => {
      await tx.repository(CaseRunEntity).insert(row);
      const old = await tx.all<{ id: string }>(
        `SELECT id FROM case_runs WHERE flow_id = ? AND status <> 'running' ORDER BY id DESC LIMIT 100 OFFSET ${MOST_STORED}`,
        [flowId],
      );
      await removeRuns(tx, old);
    });
    return row;
  }

  /** Returns a run with its results so far. Throws 404. */
  async view(flowId: string, id: string): Promise<CaseRunView> {
    await this.interruptDead();
    const run = await this.reader.repository(CaseRunEntity).findOneBy({ id, flowId });
    if (!run) throw new NotFound('The run of cases');
    const rows = await this.reader.all<{ data: string }>(
      'SELECT data FROM case_results WHERE run_id = ? AND data IS NOT NULL ORDER BY position',
      [id],
    );
    const results = rows.map(({ data }) => JSON.parse(data) as CaseResult);
    return {
      ...{ id, flowId, status: run.status, total: run.total },
      version: run.version === 'draft' ? 'draft' : Number(run.version),
      ...(run.error === null ? {} : { error: run.error }),
      done: results.length,
      passed: results.filter(({ passed }) => passed).length,
      startedAt: isoTime(run.startedAt),
      finishedAt: run.finishedAt === null ? null : isoTime(run.finishedAt),
      results,
    };
  }

  /** Charges a live case with the row that shows it is under way. Throws 402. Returns false if the run has ended. */
  charge(runId: string, position: number, { id, account, amount }: CaseCharge): Promise<boolean> {
    return this.gate.write(
      async (tx) => {
        if (!(await isRunning(tx, runId))) return false;
        await this.credit.charge(tx, {
          account,
          amount,
          executionId: id,
          knowsAccount: true,
          at: this.clock.now(),
        });
        await tx.repository(CaseResultEntity).insert({ runId, position, chargeId: id, data: null });
        return true;
      },
      [runKey(runId), accountKey(account)],
    );
  }

  /** Stores a result, with the refund of a failed live case. Returns false if the run has ended. */
  finish(runId: string, position: number, result: CaseResult, refunds?: CaseCharge): Promise<boolean> {
    return this.gate.write(
      async (tx) => {
        if (!(await isRunning(tx, runId))) return false;
        const at = this.clock.now();
        if (refunds) await this.credit.refund(tx, refunds.id, at);
        await tx.run(
          `INSERT INTO case_results (run_id, position, data) VALUES (?, ?, ?)
         ON CONFLICT (run_id, position) DO UPDATE SET data = excluded.data`,
          [runId, position, JSON.stringify(result)],
        );
        const { caseId: id, passed } = result;
        if (id !== undefined)
          await tx
            .repository(CaseEntity)
            .update({ id }, { lastRunId: runId, lastPassed: passed ? 1 : 0, lastAt: at });
        return true;
      },
      [runKey(runId), ...(refunds ? [accountKey(refunds.account)] : [])],
    );
  }

  /** Ends a run, once, and refunds charges of cases that are still under way. */
  end(id: string, status: Exclude<CaseRunStatus, 'running'>, error: string | null = null): Promise<void> {
    return this.gate.write(async (tx) => {
      const finishedAt = this.clock.now();
      const ended = await tx.run(
        `UPDATE case_runs SET status = ?, error = ?, finished_at = ? WHERE id = ? AND status = 'running'`,
        [status, error, finishedAt, id],
      );
      if (ended === 0) return;
      const open = await tx.all<{ chargeId: string }>(
        `SELECT charge_id AS "chargeId" FROM case_results WHERE run_id = ? AND data IS NULL`,
        [id],
      );
      for (const { chargeId } of open) await this.credit.refund(tx, chargeId, finishedAt);
      await tx.run('DELETE FROM case_results WHERE run_id = ? AND data IS NULL', [id]);
    });
  }

  /** Deletes a run with its results; one that runs ends. Throws 404. */
  async remove(flowId: string, id: string): Promise<void> {
    if (!(await this.reader.repository(CaseRunEntity).existsBy({ id, flowId })))
      throw new NotFound('The run of cases');
    await this.end(id, 'cancelled');
    await this.gate.write((tx) => removeRuns(tx, [{ id }]));
  }

  /** Ends runs whose process is gone. Returns their number. */
  async interruptDead(): Promise<number> {
    const running = await this.reader.all<{ id: string; processId: string }>(
      `SELECT id, process_id AS "processId" FROM case_runs WHERE status = 'running'`,
    );
    let ended = 0;
    for (const { id, processId } of running) {
      if (!(await this.presence.isGone(processId))) continue;
      await this.end(id, 'interrupted', DIED);
      ended++;
    }
    return ended;
  }

  /** Deletes runs that are old or whose flow is gone. */
  async sweep(): Promise<void> {
    await this.gate.write(async (tx) => {
      const old = await tx.all<{ id: string }>(
        `SELECT id FROM case_runs WHERE status <> 'running' AND (started_at < ? OR NOT EXISTS
           (SELECT 1 FROM flows WHERE flows.id = flow_id)) LIMIT 500`,
        [this.clock.now() - STORED_MS],
      );
      await removeRuns(tx, old);
    });
  }
}

const isRunning = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.one(`SELECT id FROM case_runs WHERE id = ? AND status = 'running'`, [id])) !== undefined;

async function removeRuns(tx: Tx, runs: readonly { id: string }[]): Promise<void> {
  for (const { id } of runs) {
    await tx.run('DELETE FROM case_results WHERE run_id = ?', [id]);
    await tx.run('DELETE FROM case_runs WHERE id = ?', [id]);
  }
}
