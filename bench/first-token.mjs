/**
 * Time to the first token of an llm flow against the model's own, on one connection: a fake model that answers at once.
 */
import { askingFlow } from '../prove/support/asking-flow.mjs';
import { makePlace } from '../prove/support/place.mjs';
import { startService } from '../prove/support/service.mjs';
import { figure, median, timedPost } from './support/measure.mjs';
import { sideProcess } from './support/side-process.mjs';

const PAIRS = Number(process.argv[2] ?? 300);
const place = await makePlace('sqlite');
const model = await sideProcess('fake-model.mjs');
const service = await startService(place, { INITIAL_CREDIT: '1000000000', UV_THREADPOOL_SIZE: undefined });
try {
  await service.createFlow(askingFlow('bench-llm', model));
  const own = () =>
    timedPost(
      `${model.url}/chat/completions`,
      { model: 'fake', stream: true, messages: [{ role: 'user', content: 'Hello' }] },
      { until: (text) => text.includes('"content":"The ') },
    );
  const ours = () =>
    timedPost(
      `${service.url}/api/v1/prediction/bench-llm`,
      { question: 'Hello', streaming: true },
      { until: (text) => text.includes('"event":"token"') },
    );
  for (let call = 0; call < 100; call++) await own().then(ours);
  const [direct, through] = [[], []];
  for (let pair = 0; pair < PAIRS; pair++) {
    direct.push(await own());
    through.push(await ours());
  }
  console.log('\n# Time to the first token, one connection, sqlite');
  figure("the model's own (median)", median(direct), ' ms');
  figure('through the service (median)', median(through), ' ms');
  figure('added', median(through) - median(direct), ' ms', ['<=', 2]);
} finally {
  await service.stop();
  await model.stop();
  await place.remove();
}
