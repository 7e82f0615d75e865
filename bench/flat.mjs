import { statSync } from 'node:fs';
import { join } from 'node:path';
/**
 * The cost of a prediction on an empty database against one with 50,000 executions, and at turn 1 against turn 300 of a
 * chat; and the storage growth per turn. `node bench/flat.mjs [executions]`
 */
import sqlite3 from 'sqlite3';
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { replyFlow, startService } from '../prove/support/service.mjs';
import { load } from './support/load.mjs';
import { figure, median, timedPost } from './support/measure.mjs';

const EXECUTIONS = Number(process.argv[2] ?? 50_000);
const TURNS = 300;
const PAIRS = 400;
let copies = 0;
const env = { INITIAL_CREDIT: '1000000000', UV_THREADPOOL_SIZE: undefined };

const started = async (kind) => {
  const place = await makePlace(kind);
  const service = await startService(place, env);
  await service.createFlow(replyFlow('bench-reply'));
  return { place, service, url: `${service.url}/api/v1/prediction/bench-reply` };
};

for (const kind of await databaseKinds()) {
  const [fresh, full] = [await started(kind), await started(kind)];
  try {
    console.log(`\n# Flat, ${kind}`);
    const body = { question: 'Hello' };
    await load(full.url, { body, amount: EXECUTIONS, connections: 64 });
    await load(fresh.url, { body, amount: 300, connections: 8 });
    await pairs(fresh, full);
    await turns(fresh);
    if (kind === 'sqlite') await storage(fresh);
  } finally {
    for (const each of [fresh, full]) {
      await each.service.stop();
      await each.place.remove();
    }
  }
}

async function pairs(fresh, full) {
  const [few, many] = [[], []];
  for (let pair = 0; pair < PAIRS; pair++) {
    few.push(await timedPost(fresh.url, { question: 'Hello' }));
    many.push(await timedPost(full.url, { question: 'Hello' }));
  }
  figure('median with few executions', median(few), ' ms');
  figure(`median after ${EXECUTIONS} executions`, median(many), ' ms');
  figure('ratio', median(many) / median(few), ' ×', ['<=', 1.1]);
}

async function turns({ url }) {
  for (let turn = 0; turn < TURNS; turn++) await timedPost(url, { question: 'Hello', chatId: 'long' });
  const [first, late] = [[], []];
  for (let pair = 0; pair < PAIRS; pair++) {
    first.push(await timedPost(url, { question: 'Hello', chatId: `new-${pair}` }));
    late.push(await timedPost(url, { question: 'Hello', chatId: 'long' }));
  }
  figure('median of a first turn', median(first), ' ms');
  figure(`median of turns after ${TURNS}`, median(late), ' ms');
  figure('ratio', median(late) / median(first), ' ×', ['<=', 1.1]);
}

/** Bytes that a hundred turns add to the vacuumed database: the third hundred against the first. */
async function storage({ url, place }) {
  const sizes = [await packedSize(place)];
  for (let hundred = 0; hundred < 3; hundred++) {
    for (let turn = 0; turn < 100; turn++)
      await timedPost(url, { question: 'Hello', chatId: 'measured-chat' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    sizes.push(await packedSize(place));
  }
  const grown = sizes.slice(1).map((size, index) => size - sizes[index]);
  figure('storage of turns 1-100', Math.round(grown[0] / 100), ' bytes a turn');
  figure('storage of turns 201-300', Math.round(grown[2] / 100), ' bytes a turn');
  figure('ratio', grown[2] / grown[0], ' ×', ['<=', 1.1]);
}

async function packedSize({ dataDir }) {
  const copy = join(dataDir, `packed-${copies++}.sqlite`);
  const database = new sqlite3.Database(join(dataDir, 'service.sqlite'), sqlite3.OPEN_READONLY);
  await new Promise((resolve, reject) =>
    database.exec(`VACUUM INTO '${copy}'`, (error) => (error ? reject(error) : resolve())),
  );
  await new Promise((resolve) => database.close(resolve));
  return statSync(copy).size;
}
