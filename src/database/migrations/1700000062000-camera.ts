import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The word of a picture itself on its time, place and device, as JSON. */
export class AddCamera1700000062000 implements MigrationInterface {
  name = 'AddCamera1700000062000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE photographs ADD COLUMN camera text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE photographs DROP COLUMN camera`);
  }
}
