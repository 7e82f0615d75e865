import { Injectable } from '@nestjs/common';
import { Logger } from '../common/logger.js';
import type { SqlValue, Tx } from '../database/tx.js';
import { WriteGate } from '../database/write-gate.js';
import type { TracedNode } from './execution.js';
import { GroupWriter } from './group-writer.js';
import { insertRows } from '../database/insert-rows.js';
import { recordedValue, recordText } from './recorded-value.js';

/** Takes the node runs of one execution as they start, end or change. */
export interface ExecutionTrace {
  node(run: TracedNode): void;
}

/** A node run as it waits for its group: already masked, cut and serialised, so that it holds nothing of the run. */
type TraceRow = readonly [
  executionId: string,
  attempt: number,
  runId: string,
  position: number,
  data: string,
];

const MOST_PENDING = 20_000;
const MOST_PENDING_CHARS = 64 * 1024 * 1024;

/** The traces of executions: one row a node run, written in groups within 50 ms, never on an answer's path. */
@Injectable()
export class NodeTraces {
  private readonly group: GroupWriter<TraceRow>;

  constructor(gate: WriteGate, logger: Logger) {
    this.group = new GroupWriter({
      name: 'traces',
      mostPending: MOST_PENDING,
      weigh: (row) => row[4].length,
      write: (rows) => gate.write((tx) => insertTraces(tx, rows)),
      logger,
    });
  }

  of(executionId: string, attempt: number): ExecutionTrace {
    const order = new Map<string, number>();
    return {
      node: (run) => {
        let place = order.get(run.runId);
        if (place === undefined) order.set(run.runId, (place = order.size));
        // By start, and within one millisecond by arrival.
        const position = run.startedAt * 1000 + Math.min(place, 999);
        const data = JSON.stringify(this.recorded(run));
        this.group.add(`${executionId}/${run.runId}`, [executionId, attempt, run.runId, position, data]);
      },
    };
  }

  close(): Promise<void> {
    return this.group.close();
  }

  flush(): Promise<void> {
    return this.group.flush();
  }

  private recorded(run: TracedNode): object {
    const full = this.group.weight > MOST_PENDING_CHARS;
    const value = (given: unknown) => (full ? '… [dropped under load]' : recordedValue(given));
    return {
      ...run,
      runId: undefined,
      input: value(run.input),
      output: value(run.output),
      error: recordText(run.error) ?? undefined,
    };
  }
}

/**
 * The last rows of a run come after its end; of one that was interrupted, or is gone on with by another attempt, no row
 * does (contract section 11). PostgreSQL takes listed values for texts.
 */
const GIVEN = 'WITH given (execution_id, attempt, run_id, position, data) AS (VALUES';
const WRITTEN = `) INSERT INTO execution_nodes (execution_id, run_id, position, data)
  SELECT given.execution_id, given.run_id, CAST(given.position AS bigint), given.data
  FROM given JOIN executions ON executions.id = given.execution_id
    AND executions.attempt = CAST(given.attempt AS integer) AND COALESCE(executions.code, '') <> 'interrupted' WHERE TRUE
  ON CONFLICT (execution_id, run_id) DO UPDATE SET data = excluded.data`;

const insertTraces = (tx: Tx, rows: readonly (readonly SqlValue[])[]): Promise<unknown> =>
  insertRows(tx, GIVEN, WRITTEN, rows);
