import { CreditLedger } from '../../src/auth/credit/credit-ledger.js';
import { AppConfig } from '../../src/common/app-config.js';
import { newExecutionId } from '../../src/executions/execution-id.js';
import { ExecutionLog } from '../../src/executions/log/execution-log.js';
import { NodeTraces } from '../../src/executions/log/node-traces.js';
import { PresentedKeys } from '../../src/executions/log/presented-keys.js';
import { UnopenedCalls } from '../../src/executions/log/unopened-calls.js';
import { StoppedClock } from './stopped-clock.js';
import type { TestDatabase } from './test-database.js';

/** Opens the log and ledger of one more process on the database. */
export function openLedger(
  { gate, reader, presence, logger, place }: TestDatabase,
  { initialCredit = '1000', clock = new StoppedClock() } = {},
) {
  const config = AppConfig.from({
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl,
    INITIAL_CREDIT: initialCredit,
  });
  const log = new ExecutionLog(
    presence,
    new NodeTraces(gate, logger),
    new UnopenedCalls(gate, logger),
    new PresentedKeys(),
  );
  const ledger = new CreditLedger(gate, reader, clock, config, log);
  const start = async (account: string, amount = 1) => {
    const executionId = newExecutionId(clock.now());
    await gate.write(async (tx) => {
      await log.open(tx, {
        id: executionId,
        kind: 'prediction',
        account,
        caller: { address: '198.51.100.1' },
        credits: amount,
        startedAt: clock.now(),
      });
      await ledger.charge(tx, { account, amount, executionId, at: clock.now() });
    });
    return executionId;
  };
  const end = (id: string, status: 'succeeded' | 'failed' | 'aborted', httpStatus: number, code?: string) =>
    gate.write((tx) =>
      log.settle(tx, id, { status, httpStatus, ...(code ? { code } : {}), finishedAt: clock.now() }),
    );
  return { gate, reader, ledger, start, end };
}
