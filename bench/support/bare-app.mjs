import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule, getDataSourceToken } from '@nestjs/typeorm';

/**
 * Serves one controller over one TypeORM table and prints the address of its path. As durable as the service: on SQLite
 * each insert is synced.
 */
export async function serveBare({ databaseUrl, entity, controller, path }) {
  const database = databaseUrl.startsWith('sqlite:')
    ? { type: 'sqlite', database: databaseUrl.slice('sqlite:'.length) }
    : { type: 'postgres', url: databaseUrl, poolSize: 12 };

  class BareModule {}
  Module({
    imports: [TypeOrmModule.forRoot({ ...database, entities: [entity], synchronize: true })],
    controllers: [controller],
  })(BareModule);

  const app = await NestFactory.create(BareModule, { logger: false });
  if (database.type === 'sqlite') {
    const dataSource = app.get(getDataSourceToken());
    await dataSource.query('PRAGMA journal_mode = WAL');
    await dataSource.query('PRAGMA synchronous = FULL');
  }
  await app.listen(0, '127.0.0.1');
  console.log(`http://127.0.0.1:${app.getHttpServer().address().port}/${path}`);
}
