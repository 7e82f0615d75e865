import { Migration } from './migration.js';

/**
 * Flows: their settings, immutable versions of their definitions (JSON text), drafts, changes of settings, and the sealed
 * credentials that their nodes name.
 */
export class AddFlows1700000002000 extends Migration {
  statements(): string[] {
    return [
      `CREATE TABLE flows (
        id text PRIMARY KEY NOT NULL,
        name text NOT NULL,
        settings text NOT NULL,
        version integer NOT NULL,
        revision text NOT NULL,
        source_hash text,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL
      )`,
      `CREATE INDEX flows_created ON flows (created_at, id)`,
      `CREATE TABLE flow_versions (
        flow_id text NOT NULL,
        version integer NOT NULL,
        definition text NOT NULL,
        name text,
        note text,
        author text NOT NULL,
        published_at bigint NOT NULL,
        PRIMARY KEY (flow_id, version)
      )`,
      `CREATE TABLE flow_drafts (
        flow_id text PRIMARY KEY NOT NULL,
        definition text NOT NULL,
        revision text NOT NULL,
        based_on integer NOT NULL,
        author text NOT NULL,
        updated_at bigint NOT NULL
      )`,
      `CREATE TABLE flow_setting_changes (
        flow_id text NOT NULL,
        changed_at bigint NOT NULL,
        setting text NOT NULL,
        was text,
        became text,
        author text NOT NULL,
        PRIMARY KEY (flow_id, changed_at, setting)
      )`,
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
