import { Overloaded, ServiceError } from '../common/service-error.js';

/** Codes of SQLite after `busy_timeout`, and of PostgreSQL after `lock_timeout`. */
const BUSY: ReadonlySet<string> = new Set(['SQLITE_BUSY', '55P03']);

/**
 * Codes of SQLite, of sockets and of PostgreSQL for a full disk, a failed connection, and a server that starts, stops or
 * has ended the session (classes 08, 53, 57P, 58; 25P03 and 25P04 are time limits of a transaction, 40P01 a deadlock,
 * which a concurrent migration may cause).
 */
const AWAY =
  /^(SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN)|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|08\w{3}|25P0[34]|40P01|53\w{3}|55P03|57P\w{2}|58\w{3})$/;

/**
 * A connection could not be opened or was lost. Every further call on it throws this, since the driver has no code for it.
 * `cause` is the driver's error.
 */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('the connection to the database could not be opened or has broken off', { cause });
    this.name = 'ConnectionLost';
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code);

/** Returns whether a transaction could not begin because another process held the write lock for too long. */
export const isBusy = (error: unknown): boolean => BUSY.has(codeOf(error));

/** Returns whether PostgreSQL ended a transaction because of a deadlock; a retry may succeed. */
export const isDeadlock = (error: unknown): boolean => codeOf(error) === '40P01';

/**
 * Returns whether a statement failed because the database is unavailable; the same statement may succeed later.
 */
export const isAway = (error: unknown): boolean =>
  error instanceof ConnectionLost ||
  (error instanceof ServiceError && error.status === 503) ||
  AWAY.test(codeOf(error));

/** 503 `overloaded`: the database is busy or cannot be reached. Nothing was read or written. */
export class DatabaseAway extends Overloaded {
  constructor(
    cause: unknown,
    detail = 'The database is busy or cannot be reached: nothing was done. Try again.',
  ) {
    super(detail, 2, cause);
  }
}

/** The answer to a COMMIT was lost and its outcome is unknown: the transaction may be committed. */
export class OutcomeUnknown extends DatabaseAway {
  constructor(cause: unknown) {
    super(
      cause,
      'The database cannot be reached, and it is not known yet whether this call was carried out. Try again.',
    );
  }
}

/** Removes the files of a failed write. If its outcome is unknown they stay, because committed rows may name them. */
export async function removeUnlessCommitted(error: unknown, remove: () => Promise<unknown>): Promise<void> {
  if (!(error instanceof OutcomeUnknown)) await remove();
}

/** Returns the error for the caller: 503 when the database is unavailable, else the same error. */
export const callerError = (error: unknown): unknown =>
  isAway(error) && !(error instanceof ServiceError) ? new DatabaseAway(error) : error;

const undone = new WeakSet<object>();

/** Records that the transaction of the unit that threw this error was rolled back. */
export function noteUndone(error: unknown): void {
  if (typeof error === 'object' && error !== null) undone.add(error);
}

/** Returns whether a write that failed with this error may have been committed nevertheless. */
export const mayBeWritten = (error: unknown): boolean =>
  error instanceof OutcomeUnknown ||
  !(error instanceof ServiceError || (typeof error === 'object' && error !== null && undone.has(error)));
