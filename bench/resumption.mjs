/**
 * The added delay when a reader resumes a stream through another process than the one that runs the call: two processes
 * on one PostgreSQL, a continuing stream in each, and a reader that resumes both streams at both processes in rotation,
 * each time over a new connection, after the same event. Measured from the request to the first replayed byte. `node
 * bench/resumption.mjs [resumptions of each kind]`
 */
import http from 'node:http';
import { askingFlow } from '../prove/support/asking-flow.mjs';
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { startService } from '../prove/support/service.mjs';
import { StreamClient } from '../prove/support/stream-client.mjs';
import { startTalkingModel } from '../prove/support/talking-model.mjs';
import { figure, interleaved, median, p99 } from './support/measure.mjs';

const comings = Number(process.argv[2] ?? 600);
/** Longer than the measurement: an hour of tokens. */
const [PIECES, EVERY_MS] = [36_000, 100];
/** Events that a reader has seen before it leaves. */
const SEEN = 5;
/** Warms up the compiler. */
const WARM = 100;

/** Begins a stream at a process, and leaves it; returns the id of the last event. */
async function leftStream(service, question) {
  const client = new StreamClient(service.url, question);
  await client.read(SEEN);
  return client.events.at(-1).id;
}

/** Resumes once; returns the milliseconds until the next event. */
function comeBack(service, lastEventId) {
  const [token, seen] = lastEventId.split(':');
  const next = `id: ${token}:${Number(seen) + 1}\n`;
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const request = http.get(
      `${service.url}/api/v1/prediction/told/stream`,
      { headers: { 'Last-Event-ID': lastEventId }, agent: false },
      (response) => {
        response.once('data', (piece) => {
          const took = performance.now() - startedAt;
          request.destroy();
          const text = String(piece);
          if (response.statusCode === 200 && text.startsWith(next)) resolve(took);
          else reject(new Error(`${response.statusCode}: ${text.slice(0, 200)}`));
        });
        response.on('error', () => undefined);
      },
    );
    request.on('error', reject);
  });
}

if ((await databaseKinds()).includes('postgres')) {
  const place = await makePlace('postgres');
  const model = await startTalkingModel(PIECES, EVERY_MS);
  const env = { INITIAL_CREDIT: '1000000' };
  const services = [await startService(place, env), await startService(place, env)];
  try {
    const [one, two] = services;
    await one.createFlow(askingFlow('told', model));
    const ofOne = await leftStream(one, 'one');
    const ofTwo = await leftStream(two, 'two');
    const ways = [
      () => comeBack(one, ofOne),
      () => comeBack(two, ofOne),
      () => comeBack(two, ofTwo),
      () => comeBack(one, ofTwo),
    ];
    await interleaved(WARM, ...ways);
    const taken = await interleaved(Math.ceil(comings / 2), ...ways);
    const same = [...taken[0], ...taken[2]];
    const other = [...taken[1], ...taken[3]];
    console.log(`\n# Coming back to a stream, postgres, ${same.length} times to each`);
    figure('first replayed byte, the process that runs it, p50', median(same), ' ms');
    figure('the same, p99', p99(same), ' ms');
    figure('first replayed byte, another process, p50', median(other), ' ms');
    figure('the same, p99', p99(other), ' ms');
    figure('another process costs, p50', median(other) - median(same), ' ms', ['<=', 5]);
    figure('another process costs, p99', p99(other) - p99(same), ' ms');
  } finally {
    // Comes first: the runs end with it.
    model.close();
    for (const service of services) await service.stop();
    await place.remove();
  }
}
