import { WriteGate } from '../../src/database/writes/write-gate.js';
import { newExecutionId } from '../../src/executions/execution-id.js';
import { chatDigits } from '../../src/executions/log/telephone-digits.js';
import type { TestApp } from './app.js';

/** A row of the executions table; omitted members are those of a successful prediction. */
export interface GivenRow {
  startedAt: number;
  status?: string;
  httpStatus?: number;
  kind?: string;
  flowId?: string;
  flowName?: string;
  chatId?: string;
  code?: string;
  error?: string;
  failedNode?: { id: string; label: string };
  question?: string;
  answer?: string;
  durationMs?: number;
}

/** A node run of a stored trace. */
export interface GivenRun {
  nodeId: string;
  label?: string;
  kind?: string;
  status?: string;
  durationMs?: number;
  input?: unknown;
  output?: unknown;
  error?: string;
}

const COLUMNS = [
  ...[
    'id',
    'kind',
    'flow_id',
    'flow_name',
    'chat_id',
    'chat_digits',
    'status',
    'http_status',
    'code',
    'error',
  ],
  ...['started_at', 'finished_at', 'duration_ms', 'credits', 'caller_address'],
  ...['failed_node_id', 'failed_node_label', 'question', 'answer'],
];
const AT_ONCE = 200;

/** Inserts records straight into the table, in batches; returns their ids. */
export async function putExecutions(service: TestApp, rows: readonly GivenRow[]): Promise<string[]> {
  const written = rows.map(valuesOf);
  const gate = service.app.get(WriteGate);
  for (let first = 0; first < written.length; first += AT_ONCE) {
    const part = written.slice(first, first + AT_ONCE);
    const marks = part.map(() => `(${COLUMNS.map(() => '?').join(', ')})`).join(', ');
    await gate.write((tx) =>
      tx.run(`INSERT INTO executions (${COLUMNS.join(', ')}) VALUES ${marks}`, part.flat()),
    );
  }
  return written.map(([id]) => id as string);
}

function valuesOf(row: GivenRow): (string | number | null)[] {
  const { startedAt, status = 'succeeded', durationMs = 1_200 } = row;
  const ended = status !== 'running';
  return [
    newExecutionId(startedAt),
    row.kind ?? 'prediction',
    row.flowId ?? null,
    row.flowName ?? null,
    row.chatId ?? null,
    chatDigits(row.chatId),
    status,
    row.httpStatus ?? (ended ? 200 : null),
    row.code ?? null,
    row.error ?? null,
    startedAt,
    ended ? startedAt + durationMs : null,
    ended ? durationMs : null,
    1,
    '203.0.113.24',
    row.failedNode?.id ?? null,
    row.failedNode?.label ?? null,
    row.question ?? null,
    row.answer ?? null,
  ];
}

/** Inserts the node runs of an execution in sequence. */
export async function putTrace(
  service: TestApp,
  executionId: string,
  startedAt: number,
  runs: readonly GivenRun[],
): Promise<void> {
  let at = startedAt;
  for (const [position, run] of runs.entries()) {
    const { nodeId, durationMs = 10, status = 'succeeded' } = run;
    const data = { label: nodeId, kind: 'reply', attempt: 1, ...run, status, durationMs, startedAt: at };
    at += durationMs;
    await service.app
      .get(WriteGate)
      .write((tx) =>
        tx.run('INSERT INTO execution_nodes (execution_id, run_id, position, data) VALUES (?, ?, ?, ?)', [
          executionId,
          `${nodeId}-${position}`,
          position,
          JSON.stringify(data),
        ]),
      );
  }
}
