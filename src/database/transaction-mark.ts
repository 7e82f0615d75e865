import type { QueryRunner } from 'typeorm';

/** TypeORM keeps these on the runner; they tell a nested `save()` to use a savepoint instead of a transaction. */
interface RunnerInternals {
  isTransactionActive: boolean;
  transactionDepth: number;
}

export const markTransaction = (runner: QueryRunner, open: boolean): void => {
  const internals = runner as unknown as RunnerInternals;
  internals.isTransactionActive = open;
  internals.transactionDepth = open ? 1 : 0;
};
