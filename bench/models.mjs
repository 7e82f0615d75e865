/**
 * A flow that requests 50 tokens from a model, as JSON and streamed, against a bare relay that only makes two durable
 * inserts and the same model call: calls per second at 1, 10 and 50 connections, and the time to the first token. Also
 * the CPU time of reading one such stream. `node bench/models.mjs [seconds per round] [rounds]`
 */
import { askingFlow } from '../prove/support/asking-flow.mjs';
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { startService } from '../prove/support/service.mjs';
import { load } from './support/load.mjs';
import { cpuMs, figure, interleaved, median, timedPost } from './support/measure.mjs';
import { sideProcess } from './support/side-process.mjs';

const seconds = Number(process.argv[2] ?? 3);
const rounds = Number(process.argv[3] ?? 3);
const TOKENS = 50;
const question = 'Hello';

async function compare(ours, relay, connections, streaming) {
  const run = async (url, body, pid) => {
    const before = cpuMs(pid);
    const result = await load(url, { body, connections, seconds });
    return { perSecond: result.perSecond, cpu: (cpuMs(pid) - before) / result.total };
  };
  const bare = () => run(streaming ? `${relay.url}/stream` : relay.url, { question }, relay.pid);
  const whole = () => run(ours.url, { question, ...(streaming ? { streaming } : {}) }, ours.pid);
  await bare();
  await whole();
  const [yardstick, measured] = await interleaved(rounds, bare, whole);
  const of = (results, name) => median(results.map((result) => result[name]));
  const how = `${streaming ? 'streamed' : 'once'}, ${connections} connections`;
  figure(`bare relay, ${how}`, Math.round(of(yardstick, 'perSecond')), '/s');
  figure(`prediction, ${how}`, Math.round(of(measured, 'perSecond')), '/s');
  figure('processor time, relay', of(yardstick, 'cpu'), ' ms');
  figure('processor time, prediction', of(measured, 'cpu'), ' ms');
  figure('of the bare relay by processor time', (of(yardstick, 'cpu') / of(measured, 'cpu')) * 100, ' %');
  figure('of the bare relay', (of(measured, 'perSecond') / of(yardstick, 'perSecond')) * 100, ' %', [
    '>=',
    60,
  ]);
}

async function firstTokens(ours, relay) {
  const until = (text) => text.includes('"event":"token"');
  const bare = () => timedPost(`${relay.url}/stream`, { question }, { until });
  const whole = () => timedPost(ours.url, { question, streaming: true }, { until });
  for (let call = 0; call < 50; call++) await bare().then(whole);
  const [yardstick, measured] = await interleaved(200, bare, whole);
  figure('first token of the bare relay (median)', median(yardstick), ' ms');
  figure('first token of a prediction (median)', median(measured), ' ms');
  figure('times as long', median(measured) / median(yardstick), '', ['<=', 1.5]);
}

/** Reads streams concurrently in this process alone: no flow, no database. */
async function reading(model) {
  const { modelOf } = await import('../dist/flows/models/model-providers.js');
  const modelClient = modelOf({ provider: 'openai-compatible', name: 'fake', baseUrl: model.url });
  const read = async () => {
    let tokens = 0;
    const count = (event) => event.type === 'text' && tokens++;
    await modelClient.ask(
      { messages: [{ role: 'user', content: question }] },
      new AbortController().signal,
      count,
    );
    if (tokens !== TOKENS) throw new Error(`${tokens} tokens came`);
  };
  const many = async (streams) => {
    const before = process.cpuUsage();
    for (let done = 0; done < streams; done += 10) await Promise.all(Array.from({ length: 10 }, read));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / streams;
  };
  await many(500);
  const [costs] = await interleaved(5, () => many(500));
  figure('processor time of reading one stream, 10 at once', median(costs), ' ms');
}

const model = await sideProcess('fake-model.mjs', TOKENS);
try {
  console.log(`\n# A model that says ${TOKENS} tokens`);
  await reading(model);
  for (const kind of await databaseKinds()) {
    const [place, barePlace] = [await makePlace(kind), await makePlace(kind)];
    const relay = await sideProcess('bare-relay.mjs', barePlace.databaseUrl, model.url);
    const service = await startService(place, {
      INITIAL_CREDIT: '1000000000',
      UV_THREADPOOL_SIZE: undefined,
    });
    try {
      await service.createFlow(askingFlow('bench-llm', model));
      const ours = { url: `${service.url}/api/v1/prediction/bench-llm`, pid: service.child.pid };
      console.log(`\n# Predictions that ask it, ${kind}`);
      await firstTokens(ours, relay);
      for (const connections of [1, 10, 50])
        for (const streaming of [false, true]) await compare(ours, relay, connections, streaming);
    } finally {
      await service.stop();
      await relay.stop();
      await place.remove();
      await barePlace.remove();
    }
  }
} finally {
  await model.stop();
}
