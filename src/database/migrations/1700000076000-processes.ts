import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Announcements of processes: the marks of their secrets. */
export class AddProcesses1700000076000 implements MigrationInterface {
  name = 'AddProcesses1700000076000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE processes (
      id text PRIMARY KEY NOT NULL,
      secret_marks text NOT NULL,
      announced_at bigint NOT NULL
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE processes');
  }
}
