import { CallLogMiddleware } from '../../src/executions/call-log.middleware.js';
import { Readiness } from '../../src/common/readiness.js';
import { RunningCalls } from '../../src/executions/calls/running-calls.js';
import { Takeover } from '../../src/executions/calls/takeover.js';
import { Cancellation } from '../../src/executions/cancellation.js';
import type { ExecutionDraft, Outcome } from '../../src/executions/execution.js';
import { ExecutionArchive } from '../../src/executions/execution-archive.js';
import { ExecutionFeed } from '../../src/executions/execution-feed.js';
import { newExecutionId } from '../../src/executions/execution-id.js';
import { LateWrites } from '../../src/database/late-writes.js';
import { ExecutionLog } from '../../src/executions/execution-log.js';
import { ExecutionSearch } from '../../src/executions/execution-search.js';
import { ExecutionStats } from '../../src/executions/execution-stats.js';
import { IdempotentAnswers } from '../../src/executions/idempotency.js';
import { NodeTraces } from '../../src/executions/node-traces.js';
import { Recovery } from '../../src/executions/recovery.js';
import { RefusedTexts } from '../../src/executions/refused-texts.js';
import { Retention } from '../../src/executions/retention.js';
import { UnopenedCalls } from '../../src/executions/unopened-calls.js';
import { MovableClock } from './movable-clock.js';
import type { DatabaseKind } from './databases.js';
import { openTestDatabase, type TestDatabase, type TestDatabaseOptions } from './test-database.js';

/** The executions room on a database of its own, put together by hand as the module does it. */
export async function openTestExecutions(kind: DatabaseKind = 'sqlite', options: TestDatabaseOptions = {}) {
  const database = await openTestDatabase(kind, options);
  return { ...executionsOn(database), close: (closing?: { keep?: boolean }) => database.close(closing) };
}

/** One process's view of the room. */
export function executionsOn(database: TestDatabase) {
  const { gate, reader, presence, config, logger } = database;
  const clock = new MovableClock();
  const log = new ExecutionLog(presence, new NodeTraces(gate, logger), new UnopenedCalls(gate, logger));
  const answers = new IdempotentAnswers(gate, reader, presence, clock, new LateWrites(logger));
  const search = new ExecutionSearch(reader);
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
    cancellation: new Cancellation(gate, reader, presence, log, clock, logger),
    recovery: new Recovery(
      gate,
      reader,
      presence,
      log,
      new Takeover(gate, presence),
      new RunningCalls(log, new Readiness()),
      clock,
      logger,
    ),
    retention: new Retention(gate, config, clock, logger),
    callLog: new CallLogMiddleware(log, new RefusedTexts(clock), clock),
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
