import { Migration } from './migration.js';

/** Flows, each with its definition as JSON text, and the sealed credentials that their nodes name. */
export class AddFlows1700000002000 extends Migration {
  statements(): string[] {
    return [
      `CREATE TABLE flows (
        id text PRIMARY KEY NOT NULL,
        name text NOT NULL,
        definition text NOT NULL,
        revision text NOT NULL,
        source_hash text,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL
      )`,
      `CREATE INDEX flows_created ON flows (created_at, id)`,
      `CREATE TABLE credentials (
        id text PRIMARY KEY NOT NULL,
        name text NOT NULL,
        kind text NOT NULL,
        sealed text NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL
      )`,
    ];
  }
}
