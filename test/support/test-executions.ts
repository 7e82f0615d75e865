import type { TracedNode } from '../../src/api/executions.js';
import { Readiness } from '../../src/common/health/readiness.js';
import { LateWrites } from '../../src/database/writes/late-writes.js';
import { WaitingRuns } from '../../src/executions/approvals/waiting-runs.js';
import { AsyncRunStore } from '../../src/executions/async/async-run-store.js';
import { Cancellation } from '../../src/executions/calls/cancellation.js';
import { IdempotentAnswers } from '../../src/executions/calls/idempotency.js';
import { RunningCalls } from '../../src/executions/calls/running-calls.js';
import { Takeover } from '../../src/executions/calls/takeover.js';
import { newExecutionId } from '../../src/executions/execution-id.js';
import type { ExecutionDraft, Outcome } from '../../src/executions/execution.js';
import { ExecutionLog } from '../../src/executions/log/execution-log.js';
import { NodeTraces } from '../../src/executions/log/node-traces.js';
import { PresentedKeys } from '../../src/executions/log/presented-keys.js';
import { UnopenedCalls } from '../../src/executions/log/unopened-calls.js';
import { ExecutionArchive } from '../../src/executions/read/execution-archive.js';
import { ExecutionFeed } from '../../src/executions/read/execution-feed.js';
import { ExecutionSearch } from '../../src/executions/read/execution-search.js';
import { ExecutionStats } from '../../src/executions/read/execution-stats.js';
import { ForgottenRuns } from '../../src/executions/upkeep/forgotten-runs.js';
import { Recovery } from '../../src/executions/upkeep/recovery.js';
import { Retention } from '../../src/executions/upkeep/retention.js';
import type { DatabaseKind } from './databases.js';
import { StoppedClock } from './stopped-clock.js';
import { openTestDatabase, type TestDatabase, type TestDatabaseOptions } from './test-database.js';

/** Opens the executions module's services on a database of their own, wired by hand as the module does it. */
export async function openTestExecutions(kind: DatabaseKind = 'sqlite', options: TestDatabaseOptions = {}) {
  const database = await openTestDatabase(kind, options);
  return { ...executionsOn(database), close: (closing?: { keep?: boolean }) => database.close(closing) };
}

/** Wires the services of one process. */
export function executionsOn(database: TestDatabase) {
  const { gate, reader, presence, config, logger } = database;
  const clock = new StoppedClock();
  const log = new ExecutionLog(
    presence,
    new NodeTraces(gate, logger),
    new UnopenedCalls(gate, logger),
    new PresentedKeys(),
  );
  const lateWrites = new LateWrites(logger);
  const answers = new IdempotentAnswers(gate, reader, presence, clock, lateWrites);
  const search = new ExecutionSearch(reader);
  const takeover = new Takeover(gate, presence);
  const calls = new RunningCalls(log, new Readiness());
  const waiting = new WaitingRuns(log, new AsyncRunStore(reader, clock, config), gate, clock, logger);
  return {
    database,
    gate,
    reader,
    clock,
    log,
    answers,
    search,
    archive: new ExecutionArchive(gate, reader, log, search),
    stats: new ExecutionStats(reader, log, clock),
    feed: new ExecutionFeed(reader, clock, logger, log),
    calls,
    cancellation: new Cancellation(gate, reader, presence, log, waiting, calls, logger),
    recovery: new Recovery(
      gate,
      reader,
      presence,
      log,
      takeover,
      new ForgottenRuns(gate, reader, presence, takeover, calls, lateWrites, logger),
      calls,
      clock,
      logger,
    ),
    retention: new Retention(gate, config, clock, logger),
  };
}

export type TestExecutions = Awaited<ReturnType<typeof openTestExecutions>>;

export function draftOf(startedAt: number, members: Partial<ExecutionDraft> = {}): ExecutionDraft {
  return {
    id: newExecutionId(startedAt),
    kind: 'prediction',
    caller: { address: '127.0.0.1' },
    credits: 0,
    startedAt,
    ...members,
  };
}

export const succeededAt = (finishedAt: number, members: Partial<Outcome> = {}): Outcome => ({
  status: 'succeeded',
  httpStatus: 200,
  finishedAt,
  ...members,
});

/** A chat that no other test of the file uses. */
export const freshChat = () => ({ flowId: 'f', chatId: `chat-${++chats}` });
let chats = 0;

/** A node run of a trace. */
export const nodeRun = (runId: string, members: Partial<TracedNode> = {}): TracedNode => ({
  runId,
  nodeId: runId,
  label: runId,
  kind: 'reply',
  status: 'running',
  startedAt: 1_000,
  input: { question: 'Hello' },
  attempt: 1,
  ...members,
});
