/**
 * The yardstick of throughput: a bare Nest application whose one handler makes one durable TypeORM insert a request.
 * `node bare-nest.mjs <database url>` prints its address.
 */
import 'reflect-metadata';
import { Body, Controller, HttpCode, Inject, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule, getDataSourceToken } from '@nestjs/typeorm';
import { randomUUID } from 'node:crypto';
import { EntitySchema } from 'typeorm';

const Row = new EntitySchema({
  name: 'row',
  tableName: 'bare_rows',
  columns: {
    id: { type: String, primary: true, length: 36 },
    question: { type: 'text' },
    answer: { type: 'text' },
    at: { type: 'bigint' },
  },
});

class BareController {
  constructor(dataSource) {
    this.rows = dataSource.getRepository(Row);
  }

  async answer({ question }) {
    const row = { id: randomUUID(), question, answer: `You said ${question}`, at: Date.now() };
    await this.rows.insert(row);
    return { text: row.answer, chatId: row.id };
  }
}
Inject(getDataSourceToken())(BareController, undefined, 0);
Controller('bare')(BareController);
const descriptor = Object.getOwnPropertyDescriptor(BareController.prototype, 'answer');
Post()(BareController.prototype, 'answer', descriptor);
HttpCode(200)(BareController.prototype, 'answer', descriptor);
Body()(BareController.prototype, 'answer', 0);

const url = process.argv[2];
const database = url.startsWith('sqlite:')
  ? { type: 'sqlite', database: url.slice('sqlite:'.length) }
  : { type: 'postgres', url, poolSize: 12 };

class BareModule {}
Module({
  imports: [TypeOrmModule.forRoot({ ...database, entities: [Row], synchronize: true })],
  controllers: [BareController],
})(BareModule);

const app = await NestFactory.create(BareModule, { logger: false });
if (database.type === 'sqlite') {
  const dataSource = app.get(getDataSourceToken());
  await dataSource.query('PRAGMA journal_mode = WAL');
  await dataSource.query('PRAGMA synchronous = FULL');
}
await app.listen(0, '127.0.0.1');
console.log(`http://127.0.0.1:${app.getHttpServer().address().port}/bare`);
