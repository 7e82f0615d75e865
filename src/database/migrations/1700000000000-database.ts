import { Migration } from './migration.js';

/** The processes that use the database, with the marks of their secrets. */
export class AddDatabase1700000000000 extends Migration {
  statements(): string[] {
    return [
      `CREATE TABLE processes (
        id text PRIMARY KEY NOT NULL,
        secret_marks text NOT NULL,
        announced_at bigint NOT NULL
      )`,
    ];
  }
}
