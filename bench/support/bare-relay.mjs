/**
 * The baseline of flows that call a model: a bare Nest application whose one handler makes a durable insert, calls the
 * model with the service's own reader, relays its tokens, as a whole (`/relay`) or as they come (`/relay/stream`), and
 * makes another durable insert. `node bare-relay.mjs <database url> <model url>` prints its address.
 */
import 'reflect-metadata';
import { Body, Controller, HttpCode, Inject, Post, Res } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { randomUUID } from 'node:crypto';
import { EntitySchema } from 'typeorm';
import { modelOf } from '../../dist/flows/models/model-providers.js';
import { serveBare } from './bare-app.mjs';

const [url, modelUrl] = process.argv.slice(2);

const Row = new EntitySchema({
  name: 'row',
  tableName: 'bare_rows',
  columns: {
    id: { type: String, primary: true, length: 36 },
    text: { type: 'text' },
    at: { type: 'bigint' },
  },
});

const model = modelOf({ provider: 'openai-compatible', name: 'fake', baseUrl: modelUrl });
const ask = (question, tell) =>
  model.ask(
    {
      messages: [
        { role: 'system', content: 'Answer briefly.' },
        { role: 'user', content: question },
      ],
    },
    new AbortController().signal,
    (event) => event.type === 'text' && tell(event.text),
  );

class RelayController {
  constructor(dataSource) {
    this.rows = dataSource.getRepository(Row);
  }

  keep(text) {
    return this.rows.insert({ id: randomUUID(), text, at: Date.now() });
  }

  async answer({ question }) {
    await this.keep(question);
    let text = '';
    await ask(question, (word) => (text += word));
    await this.keep(text);
    return { text };
  }

  async stream({ question }, response) {
    await this.keep(question);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    let text = '';
    await ask(question, (word) => {
      text += word;
      response.write(`data: ${JSON.stringify({ event: 'token', data: word })}\n\n`);
    });
    await this.keep(text);
    response.end('data: {"event":"end","data":"[DONE]"}\n\n');
  }
}
Inject(getDataSourceToken())(RelayController, undefined, 0);
Controller('relay')(RelayController);
for (const [name, path] of [
  ['answer', ''],
  ['stream', 'stream'],
]) {
  const descriptor = Object.getOwnPropertyDescriptor(RelayController.prototype, name);
  Post(path)(RelayController.prototype, name, descriptor);
  HttpCode(200)(RelayController.prototype, name, descriptor);
  Body()(RelayController.prototype, name, 0);
}
Res()(RelayController.prototype, 'stream', 1);

await serveBare({ databaseUrl: url, entity: Row, controller: RelayController, path: 'relay' });
