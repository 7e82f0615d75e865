/**
 * The baseline of throughput: a bare Nest application whose one handler makes one durable TypeORM insert per request.
 * `node bare-nest.mjs <database url>` prints its address.
 */
import 'reflect-metadata';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { randomUUID } from 'node:crypto';
import { EntitySchema } from 'typeorm';
import { serveBare } from './bare-app.mjs';

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

await serveBare({ databaseUrl: process.argv[2], entity: Row, controller: BareController, path: 'bare' });
