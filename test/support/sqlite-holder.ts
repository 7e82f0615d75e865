import sqlite3 from 'sqlite3';

/** Begins a writing transaction on a SQLite file, prints a line, and commits when its input ends. */
const database = new sqlite3.Database(process.argv[1]!, () => {
  database.exec(
    'PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE; UPDATE migrations SET name = name',
    (error) => {
      if (error) throw error;
      process.stdout.write('held\n');
      process.stdin.resume().once('end', () => database.exec('COMMIT', () => process.exit(0)));
    },
  );
});
