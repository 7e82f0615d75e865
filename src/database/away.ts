import { ServiceError } from '../common/service-error.js';

/** SQLite's after `busy_timeout`, PostgreSQL's after `lock_timeout`. */
const BUSY: ReadonlySet<string> = new Set(['SQLITE_BUSY', '55P03']);

/**
 * No room on the disk, no connection, a server that stops or starts or has ended a session: codes of SQLite, of sockets
 * and of PostgreSQL (classes 08, 53, 57P, 58; 25P03 and 25P04 are its time limits of a transaction).
 */
const AWAY =
  /^(SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN)|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|08\w{3}|25P0[34]|53\w{3}|55P03|57P\w{2}|58\w{3})$/;

/**
 * A connection could not be opened, or has broken off: thrown by whoever holds it, for everything that fails on it, since
 * the driver has no code for that. `cause` is what the driver said.
 */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('the connection to the database could not be opened or has broken off', { cause });
    this.name = 'ConnectionLost';
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code);

/** Whether a transaction could not begin because another process kept its turn for too long. */
export const isBusy = (error: unknown): boolean => BUSY.has(codeOf(error));

/** Whether a statement failed for the database's sake, not its own: the same statement may pass later. */
export const isAway = (error: unknown): boolean =>
  error instanceof ConnectionLost ||
  (error instanceof ServiceError && error.status === 503) ||
  AWAY.test(codeOf(error));

/** 503 `overloaded`: the database was busy or could not be reached. Nothing was written and nothing could be read. */
export class DatabaseAway extends ServiceError {
  constructor(
    cause: unknown,
    detail = 'The database is busy or cannot be reached: nothing was done. Try again.',
  ) {
    super(503, 'overloaded', detail, { headers: { 'Retry-After': '2' }, cause });
  }
}

/** A commit got no answer, and nobody could be asked in time what became of it: what it wrote may be there. */
export class OutcomeUnknown extends DatabaseAway {
  constructor(cause: unknown) {
    super(cause, 'The database cannot be reached, and what became of this call is not known yet. Try again.');
  }
}

/** For a call whose end finds that it was interrupted: another process took this one for dead. */
export const interruptedMeanwhile = (): DatabaseAway =>
  new DatabaseAway(
    undefined,
    'The service lost its database for so long that this call was interrupted; nothing more of it is kept. Send it again.',
  );

/** What a caller is told of an error: 503 where it was the database's, else the error as it is. */
export const toldOf = (error: unknown): unknown =>
  isAway(error) && !(error instanceof ServiceError) ? new DatabaseAway(error) : error;

/** Whether what failed so may have been written all the same, because nobody heard of its end. */
export const mayBeWritten = (error: unknown): boolean =>
  error instanceof OutcomeUnknown || !(error instanceof ServiceError);
