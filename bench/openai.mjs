/**
 * The cost of another protocol: the same question to the same flow as a prediction and through the OpenAI routes, as
 * JSON and streamed, for the smallest flow and for one that calls a model, which answers at once. CPU time of the
 * service under 16 connections, in interleaved rounds. `node bench/openai.mjs [calls per round] [rounds]`
 */
import { askingFlow } from '../prove/support/asking-flow.mjs';
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { replyFlow, startService } from '../prove/support/service.mjs';
import { figure, median } from './support/measure.mjs';
import { processorTimes } from './support/processor-time.mjs';
import { sideProcess } from './support/side-process.mjs';

const calls = Number(process.argv[2] ?? 1500);
const rounds = Number(process.argv[3] ?? 9);
const CONNECTIONS = 16;
const MOST_PERCENT = 5;

const question = 'Hello, what is the weather like today?';

/** The same question in the form of each route. */
const waysOf = (flow, stream) => ({
  prediction: [`/api/v1/prediction/${flow}`, { question, streaming: stream }],
  'chat completion': [
    '/api/v1/openai/chat/completions',
    { model: flow, messages: [{ role: 'user', content: question }], stream },
  ],
  response: ['/api/v1/openai/responses', { model: flow, input: question, stream }],
});

const wayOf = (service, [path, body]) => {
  return async () => {
    const answer = await service.request('POST', path, { body });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  };
};

for (const kind of await databaseKinds()) {
  const place = await makePlace(kind);
  const model = await sideProcess('fake-model.mjs');
  const service = await startService(place, { INITIAL_CREDIT: '1000000000' });
  try {
    await service.createFlow(replyFlow('smallest', { openai: true }));
    await service.createFlow(askingFlow('asking', model, { openai: true }));
    console.log(`\n# Routes for OpenAI's clients, ${kind}`);
    for (const [flow, stream] of [
      ['smallest', false],
      ['smallest', true],
      ['asking', false],
      ['asking', true],
    ]) {
      console.log(`        ${flow}, ${stream ? 'streamed' : 'as a whole'}: processor time a call`);
      const ways = waysOf(flow, stream);
      const taken = await processorTimes(
        service,
        Object.values(ways).map((way) => wayOf(service, way)),
        { calls, rounds: rounds + 1, connections: CONNECTIONS },
      );
      // The first round warms up.
      const [own, ...others] = taken.map((times) => times.slice(1));
      figure('prediction', median(own), ' ms');
      for (const [index, name] of Object.keys(ways).slice(1).entries()) {
        const ratios = others[index].map((time, round) => time / own[round]);
        figure(`a ${name} adds`, (median(ratios) - 1) * 100, ' %', ['<=', MOST_PERCENT]);
      }
    }
  } finally {
    await service.stop();
    await model.stop();
    await place.remove();
  }
}
