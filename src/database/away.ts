import { ServiceError } from '../common/service-error.js';

/** SQLite's after `busy_timeout`, PostgreSQL's after `lock_timeout`. */
const BUSY: ReadonlySet<string> = new Set(['SQLITE_BUSY', '55P03']);

/** No room on the disk, no connection, a server that stops or starts: codes of SQLite, of sockets and of PostgreSQL. */
const AWAY =
  /^(SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN)|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|08\w{3}|53\w{3}|57P\w{2})$/;

/** What the driver of PostgreSQL says without a code. */
const AWAY_IN_WORDS = /^Connection terminated|^timeout exceeded when trying to connect/;

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code);

/** Whether a transaction could not begin because another process kept its turn for too long. */
export const isBusy = (error: unknown): boolean => BUSY.has(codeOf(error));

/** Whether a statement failed for the database's sake, not its own: the same statement may pass later. */
export const isAway = (error: unknown): boolean =>
  (error instanceof ServiceError && error.status === 503) ||
  AWAY.test(codeOf(error)) ||
  AWAY_IN_WORDS.test(String((error as Error | undefined)?.message));

/** 503 `overloaded` for a caller for whom nothing was written and nothing could be read. */
export const databaseAway = (cause: unknown): ServiceError =>
  new ServiceError(
    503,
    'overloaded',
    'The database is busy or cannot be reached: nothing was done. Try again.',
    {
      headers: { 'Retry-After': '2' },
      cause,
    },
  );
