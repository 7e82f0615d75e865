import type sqlite3 from 'sqlite3';

/**
 * Runs a query whose rows need not be in memory together. Rejects where it breaks off: the driver then says that it is
 * complete, and the error only after that, to the callback for rows; the statement ends when both were told.
 */
export function eachRow<Row>(
  database: sqlite3.Database,
  sql: string,
  take: (row: Row) => void,
): Promise<void> {
  return new Promise((fulfil, reject) => {
    let failure: Error | undefined;
    let untold = 2;
    const told = () => {
      if (--untold > 0) return;
      if (failure) reject(failure);
      else fulfil();
    };
    const statement = database.prepare(sql, (error: Error | null) => {
      if (error) reject(error);
    });
    statement.each(
      (error: Error | null, row: Row) => {
        if (error) failure = error;
        else take(row);
      },
      () => told(),
    );
    statement.finalize(() => told());
  });
}
