import { Injectable } from '@nestjs/common';
import type { ExecutionRecord, ExecutionWithTrace } from '../../api/executions.js';
import type { PageOf } from '../../api/shapes.js';
import { NotFound, ServiceError } from '../../common/service-error.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { mustBeId } from '../execution-id.js';
import { ExecutionLog } from '../log/execution-log.js';
import {
  type ExecutionCursor,
  type ExecutionFilters,
  type ExecutionPage,
  textOfCursor,
} from './execution-query.js';
import { ExecutionSearch } from './execution-search.js';
import {
  approvalsOf,
  type ExecutionNodeRow,
  type ExecutionRow,
  nodesOf,
  traceViewOf,
  viewOf,
  WHOLE,
} from './execution-view.js';

const EXPORT_PAGE = 100;

/** Reads and deletes records for admins (contract section 8). Queued rows are written before each read. */
@Injectable()
export class ExecutionArchive {
  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly log: ExecutionLog,
    private readonly search: ExecutionSearch,
  ) {}

  /** Returns a page, newest first. `nextCursor` is null after the last. */
  async list(query: ExecutionPage): Promise<PageOf<ExecutionRecord>> {
    await this.log.flush();
    const { rows, nextCursor } = await this.search.page(query);
    return { data: rows.map(viewOf), nextCursor: nextCursor ? textOfCursor(nextCursor) : null };
  }

  /** Returns a whole record with its trace. Throws 404. */
  async get(id: string): Promise<ExecutionWithTrace> {
    mustBeId(id);
    await this.log.flush();
    const row = await this.reader.one<ExecutionRow & { trace: string | null }>(
      `SELECT ${WHOLE}, trace FROM executions WHERE id = ?`,
      [id],
    );
    if (!row) throw new NotFound('The execution');
    const nodes = await this.reader.all<ExecutionNodeRow>(
      'SELECT run_id, position, data FROM execution_nodes WHERE execution_id = ?',
      [id],
    );
    const { trace, ...stored } = row;
    const record = viewOf(stored);
    const approvals = await approvalsOf(this.reader, id);
    return {
      ...record,
      nodes: traceViewOf(nodesOf(nodes, trace), record),
      ...(approvals.length === 0 ? {} : { approvals }),
    };
  }

  /** Deletes a record that has ended, with its trace. Throws 404, and 409 `execution_running`. */
  async delete(id: string): Promise<void> {
    mustBeId(id);
    await this.log.flush();
    await this.gate.write(async (tx) => {
      const row = await tx.one<{ status: string }>('SELECT status FROM executions WHERE id = ?', [id]);
      if (!row) throw new NotFound('The execution');
      if (row.status === 'running' || row.status === 'waiting') throw stillRunning();
      await deleteExecutions(tx, [id]);
    });
  }

  /** Exports every record that matches the filters, whole, newest first, one page in memory at a time. */
  async *export(filters: ExecutionFilters): AsyncGenerator<ExecutionRecord[]> {
    await this.log.flush();
    let cursor: ExecutionCursor | undefined;
    do {
      const query = { ...filters, sort: 'newest' as const, limit: EXPORT_PAGE, ...(cursor && { cursor }) };
      const page = await this.search.page(query, { whole: true });
      yield page.rows.map(viewOf);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
}

/** Deletes records with their traces and keys; the journal of a run goes with its last record. */
export async function deleteExecutions(tx: Tx, ids: readonly string[]): Promise<void> {
  const retries = await tx.all<{ run_id: string }>(
    `SELECT DISTINCT run_id FROM executions WHERE id IN (${listed(ids)}) AND run_id IS NOT NULL`,
    ids,
  );
  const runs = [...ids, ...retries.map((retry) => retry.run_id)];
  await tx.run(`DELETE FROM execution_nodes WHERE execution_id IN (${listed(ids)})`, ids);
  await tx.run(`DELETE FROM executions WHERE id IN (${listed(ids)})`, ids);
  await tx.run(`DELETE FROM async_runs WHERE id IN (${listed(ids)})`, ids);
  await tx.run(
    `UPDATE run_stops SET decision = 'expired' WHERE decision IS NULL AND execution_id IN (${listed(ids)})`,
    ids,
  );
  // `ApprovalUpkeep` deletes a row with a blob after the blob.
  await tx.run(`DELETE FROM run_stops WHERE request_key IS NULL AND execution_id IN (${listed(ids)})`, ids);
  await tx.run(`DELETE FROM callbacks WHERE execution_id IN (${listed(ids)})`, ids);
  await tx.run(
    `DELETE FROM idempotent_answers WHERE process_id IS NULL AND execution_id IN (${listed(ids)})`,
    ids,
  );
  await tx.run(
    `DELETE FROM effects WHERE run_id IN (${listed(runs)}) AND NOT EXISTS
       (SELECT 1 FROM executions WHERE executions.id = effects.run_id OR executions.run_id = effects.run_id)`,
    runs,
  );
}

const listed = (ids: readonly string[]): string => ids.map(() => '?').join(', ');

const stillRunning = () =>
  new ServiceError('execution_running', 'The execution still runs. Cancel it, then delete it.');
