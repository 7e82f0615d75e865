import { Injectable } from '@nestjs/common';
import type { TracedNode } from '../../api/executions.js';
import { Logger } from '../../common/logger.js';
import type { SqlValue, Tx } from '../../database/tx.js';
import { GroupWriter } from '../../database/writes/group-writer.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { RunAttempt } from '../run-fence.js';
import { recordedValue, recordText } from './recorded-value.js';

/** Takes the node runs of one execution as they start, end or change. */
export interface ExecutionTrace {
  node(run: TracedNode): void;
  /**
   * Takes the node runs that are still queued, as JSON for the record that ends. Returns undefined if there are none or
   * too many; too many are handed to the write gate at once. Call it when the end is handed to the gate, not in its
   * transaction: a group taken in between would be written after the end.
   */
  rest(): string | undefined;
  /** Resolves when groups under way are durable or failed: an end written afterwards is never seen before them. */
  handedOver(): Promise<void>;
  /** Hands queued node runs to the gate at once, ahead of later writes. */
  ahead(): void;
}

/** A queued node run, already masked, truncated and serialised, so that it holds nothing of the run. */
type TraceRow = readonly [
  executionId: string,
  writerId: string,
  attempt: number,
  runId: string,
  position: number,
  data: string,
];

const MOST_PENDING = 20_000;
const MOST_PENDING_CHARS = 64 * 1024 * 1024;
const MOST_CHARS_WITH_END = 256 * 1024;

/**
 * Traces of executions: one row per node run, written in groups within 50 ms, off the path of every answer; the rest is
 * written into the record at the end of the run.
 */
@Injectable()
export class NodeTraces {
  private readonly group: GroupWriter<TraceRow>;

  constructor(gate: WriteGate, logger: Logger) {
    this.group = new GroupWriter({
      name: 'traces',
      mostPending: MOST_PENDING,
      weigh: (row) => row[5].length,
      // No keys: these rows belong to runs of this process, which writes one group after another.
      write: (rows) => gate.write((tx) => insertTraces(tx, rows), []),
      logger,
    });
  }

  /** Opens the trace of the record `executionId`; only the execution and attempt of `writer` may add to it. */
  open(executionId: string, writer: RunAttempt): ExecutionTrace {
    const order = new Map<string, number>();
    const keyOf = (runId: string) => `${executionId}/${runId}`;
    const ahead = () => this.group.hurry();
    return {
      node: (run) => {
        let place = order.get(run.runId);
        if (place === undefined) order.set(run.runId, (place = order.size));
        // Sorts by start, then by arrival.
        const position = run.startedAt * 1000 + Math.min(place, 999);
        const data = JSON.stringify(this.recorded(run));
        this.group.add(keyOf(run.runId), [
          executionId,
          writer.executionId,
          writer.attempt,
          run.runId,
          position,
          data,
        ]);
      },
      rest: () => {
        const keys = [...order.keys()].map(keyOf);
        const rest = textOf(this.group.withdraw(keys, MOST_CHARS_WITH_END));
        if (rest === undefined) ahead();
        return rest;
      },
      handedOver: () => this.group.written([...order.keys()].map(keyOf)),
      ahead,
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

const textOf = (rows: readonly TraceRow[]): string | undefined =>
  rows.length === 0
    ? undefined
    : `[${rows.map(([, , , runId, position, data]) => `[${JSON.stringify(runId)},${position},${data}]`).join(',')}]`;

/**
 * Inserts rows even after the end of their run, but not once it was interrupted or has a later attempt (contract
 * section 11). PostgreSQL takes listed values for texts.
 */
const GIVEN = 'WITH given (execution_id, writer_id, attempt, run_id, position, data) AS (VALUES';
const WRITTEN = `) INSERT INTO execution_nodes (execution_id, run_id, position, data)
  SELECT given.execution_id, given.run_id, CAST(given.position AS bigint), given.data
  FROM given JOIN executions ON executions.id = given.writer_id
    AND executions.attempt = CAST(given.attempt AS integer) AND COALESCE(executions.code, '') <> 'interrupted' WHERE TRUE
  ON CONFLICT (execution_id, run_id) DO UPDATE SET data = excluded.data`;

const insertTraces = (tx: Tx, rows: readonly (readonly SqlValue[])[]): Promise<unknown> =>
  insertRows(tx, GIVEN, WRITTEN, rows);
