/**
 * 2,000 concurrent streams of a model that sends 50 tokens, one every 200 ms: all are complete; the gaps between tokens
 * against those of the model read directly, and the memory per stream. `node bench/streams.mjs [streams]`
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { askingFlow } from '../prove/support/asking-flow.mjs';
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { residentMb, startService } from '../prove/support/service.mjs';
import { figure } from './support/measure.mjs';
import { sideProcess } from './support/side-process.mjs';

const streams = Number(process.argv[2] ?? 2_000);
const readers = fileURLToPath(new URL('./support/stream-readers.mjs', import.meta.url));

async function readAll(url, form, many, watch = () => undefined) {
  const child = spawn(process.execPath, [readers, url, String(many), form], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  const timer = setInterval(watch, 250);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(timer);
  return JSON.parse(output);
}

for (const kind of await databaseKinds()) {
  const place = await makePlace(kind);
  const model = await sideProcess('slow-model.mjs');
  const service = await startService(place, {
    INITIAL_CREDIT: '1000000000',
    OUTBOUND_ALLOW: new URL(model.url).host,
  });
  try {
    await service.createFlow(askingFlow('bench-streams', model));
    const url = `${service.url}/api/v1/prediction/bench-streams`;
    await readAll(url, 'flow', 50);
    const before = residentMb(service.child.pid);
    let most = before;
    const direct = await readAll(`${model.url}/chat/completions`, 'openai', streams);
    const ours = await readAll(url, 'flow', streams, () => {
      most = Math.max(most, residentMb(service.child.pid));
    });
    console.log(`\n# ${streams} streams at once, ${kind}`);
    figure('streams of the model that came whole', direct.whole);
    figure('streams that came whole', ours.whole, '', ['>=', streams]);
    figure('gap between tokens of the model, p99', direct.p99, ' ms');
    figure('gap between tokens, p99', ours.p99, ' ms');
    figure('of the gap of the model', ours.p99 / direct.p99, ' ×', ['<=', 2]);
    figure('memory a stream', ((most - before) * 1024) / streams, ' kB', ['<=', 60]);
  } finally {
    await service.stop();
    await model.stop();
    await place.remove();
  }
}
