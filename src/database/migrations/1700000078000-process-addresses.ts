import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The addresses at which processes reach each other. */
export class AddProcessAddresses1700000078000 implements MigrationInterface {
  name = 'AddProcessAddresses1700000078000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE process_addresses (
      process_id text PRIMARY KEY NOT NULL,
      url text NOT NULL
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE process_addresses');
  }
}
