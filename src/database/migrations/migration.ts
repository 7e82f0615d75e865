import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The databases whose SQL may differ in a migration. */
export type Dialect = 'sqlite' | 'postgres';

export const dialectOf = (type: string): Dialect => (type === 'sqlite' ? 'sqlite' : 'postgres');

/** One step of the schema: a list of statements. Only a backup undoes it. */
export abstract class Migration implements MigrationInterface {
  abstract statements(dialect: Dialect): string[];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements(dialectOf(runner.connection.options.type)))
      await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('a migration is undone by restoring a backup'));
  }
}
