/**
 * Streams: 1,000 readers that never read add at most 100 MB to the service's memory, and are disconnected if an answer
 * is large; 500 clients that leave at random end every record, abort the model upstream and leak no handle; the
 * concatenated tokens are the JSON answer.
 */
import './support/short-sizes.mjs';
import { readdirSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { askingFlow } from './support/asking-flow.mjs';
import { databaseKinds, makePlace } from './support/place.mjs';
import { atMost, inParallel, Proof } from './support/report.mjs';
import { residentMb, startService } from './support/service.mjs';

const SILENT = Number(process.env.PROVE_READERS ?? 1000);
/** The answers of one caller's runs, counted twice, are held in at most 96 MB: three of 12 MB. */
const ENDLESS = 3;
const LEAVING = Number(process.env.PROVE_LEAVING ?? 500);
const proof = new Proof('prove:sse');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** An OpenAI-compatible model that streams `tokens` tokens of `size` characters, `everyMs` apart. */
async function startModel() {
  const model = { tokens: 20, size: 10, everyMs: 5, open: 0, aborted: 0 };
  const server = http.createServer((request, response) => {
    request.resume();
    model.open++;
    let sent = 0;
    let finished = false;
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const send = (delta, reason = null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`,
      );
    const timer = setInterval(() => {
      if (sent++ < model.tokens) return void send({ content: 'x'.repeat(model.size - 1) + ' ' });
      send({}, 'stop');
      finished = true;
      clearInterval(timer);
      response.end('data: [DONE]\n\n');
    }, model.everyMs);
    response.on('close', () => {
      clearInterval(timer);
      model.open--;
      if (!finished) model.aborted++;
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  model.url = `http://127.0.0.1:${server.address().port}/v1`;
  model.close = () => (server.closeAllConnections(), server.close());
  return model;
}

const handles = (pid) => readdirSync(`/proc/${pid}/fd`).length;

/** Opens a stream with a raw socket, so that the proof controls its reading. */
function openStream(service, question) {
  const { port } = new URL(service.url);
  const body = JSON.stringify({ question, streaming: true });
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/v1/prediction/streamed HTTP/1.1\r\nHost: proof\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return socket;
}

async function runningRecords(service) {
  return (await service.admin('GET', '/api/v1/executions?status=running&limit=1')).json.data.length;
}

async function untilNoneRuns(service, limitMs) {
  const until = performance.now() + limitMs;
  while (performance.now() < until && (await runningRecords(service)) > 0) await pause(200);
  return runningRecords(service);
}

async function tokensJoined(service) {
  const body = { question: 'the same' };
  const plain = (await service.predict('streamed', body)).json.text;
  const streamed = await service.predict('streamed', { ...body, streaming: true });
  const events = streamed.text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)));
  const joined = events
    .filter(({ event }) => event === 'token')
    .map(({ data }) => data)
    .join('');
  proof.expect('joined tokens are the JSON answer', joined === plain && plain.length > 0, true);
}

/** Returns the service's memory by its own metrics, in MB: the heap and the buffers outside it. */
async function heldMb(service) {
  const { text } = await service.request('GET', '/metrics');
  const figure = (name) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)[1]);
  return (figure('nodejs_heap_size_used_bytes') + figure('nodejs_external_memory_bytes')) / 1024 / 1024;
}

/** Returns the most memory held over any two seconds: the minimum between two garbage collections. */
const mostHeld = (samples) =>
  Math.max(
    ...samples.map((_, index) => Math.min(...samples.slice(Math.max(0, index - 9), index + 1))).slice(9),
  );

/** Opens readers that read all or nothing; resolves to the peak memory of the service meanwhile, in MB. */
async function peakWith(service, model, { reads, size }) {
  Object.assign(model, { tokens: 100, size, everyMs: 20 });
  const sockets = [];
  const samples = [];
  const watch = setInterval(() => void heldMb(service).then((mb) => samples.push(mb)), 200);
  for (let index = 0; index < SILENT; index++) {
    const socket = openStream(service, `reader ${index}`);
    if (reads) socket.resume();
    else socket.pause();
    sockets.push(socket);
    if (index % 50 === 49) await pause(50);
  }
  await pause(8000);
  clearInterval(watch);
  for (const socket of sockets) socket.destroy();
  proof.expect('records still running afterwards', await untilNoneRuns(service, 30_000), 0);
  return mostHeld(samples);
}

/**
 * Answers of ordinary length add little, however they are read. Long ones are held while they are made in any case: the
 * cost of silence is the excess of silent readers over reading ones.
 */
async function silentReaders(service, model) {
  const { pid } = service.child;
  const before = residentMb(pid);
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, residentMb(pid))), 100);
  await peakWith(service, model, { reads: false, size: 40 });
  clearInterval(watch);
  proof.measure(
    `resident memory of ${SILENT} silent readers of 4,000 characters each, MB more`,
    Math.round(peak - before),
    atMost(100),
  );
  const reading = await peakWith(service, model, { reads: true, size: 400 });
  const silent = await peakWith(service, model, { reads: false, size: 400 });
  proof.note(
    `${SILENT} readers of 40,000 characters each: at most ${reading.toFixed(0)} MB when they read, ${silent.toFixed(0)} MB when not`,
  );
  proof.measure('memory that silence costs, MB more', Math.round(silent - reading), atMost(100));
}

/** Answers larger than the kernel's buffers: a reader who does not read is disconnected before the end. */
async function silentToTheEnd(service, model) {
  Object.assign(model, { tokens: 3000, size: 4000, everyMs: 2 });
  const sockets = Array.from({ length: ENDLESS }, (_, index) => openStream(service, `endless ${index}`));
  for (const socket of sockets) socket.pause();
  await pause(2000);
  proof.expect('records still running of readers that never read', await untilNoneRuns(service, 60_000), 0);
  const complete = await Promise.all(sockets.map(readToTheEnd));
  proof.expect(
    `readers cut off on the way to 12 MB, of ${ENDLESS}`,
    complete.filter((end) => !end).length,
    ENDLESS,
  );
}

/** Resolves to true if the rest of a stream contains its last event. */
function readToTheEnd(socket) {
  return new Promise((resolve) => {
    let tail = '';
    socket.on('data', (chunk) => (tail = (tail + chunk.toString('latin1')).slice(-1000)));
    socket.once('close', () => resolve(tail.includes('[DONE]')));
    setTimeout(() => socket.destroy(), 20_000).unref();
    socket.resume();
  });
}

async function leavingClients(service, model) {
  // Far longer than the proof waits: only an abort ends such a run.
  Object.assign(model, { tokens: 10_000, size: 10, everyMs: 20, aborted: 0 });
  await pause(1500);
  const before = handles(service.child.pid);
  await inParallel(LEAVING, 100, async (index) => {
    const socket = openStream(service, `leaving ${index}`);
    socket.resume();
    await pause(Math.random() * 1000);
    socket.destroy();
  });
  proof.expect('records still running after all have left', await untilNoneRuns(service, 30_000), 0);
  // Longer than the keep-alive of a connection to the model.
  await pause(7000);
  proof.expect('calls still open at the model', model.open, 0);
  proof.note(`${model.aborted} of ${LEAVING} model calls were aborted`);
  // Keep-alive connections to the model and the database may stay; a leak would be one handle per client.
  proof.expect('handles more than before', handles(service.child.pid) - before, atMost(20));
}

for (const kind of await databaseKinds()) {
  proof.note(`on ${kind}`);
  const place = await makePlace(kind);
  const model = await startModel();
  const service = await startService(place, {
    INITIAL_CREDIT: '1000000',
    STREAM_GRACE_SECONDS: '1',
    // A heap that suffices for the runs: uncollected garbage in a larger one would be counted as memory held.
    NODE_OPTIONS: `--max-old-space-size=${200 + Math.ceil(SILENT * 0.6)} --max-semi-space-size=4`,
  });
  await service.createFlow(askingFlow('streamed', model, { memory: { kind: 'none' } }));
  await tokensJoined(service);
  await leavingClients(service, model);
  await silentReaders(service, model);
  await silentToTheEnd(service, model);
  proof.expect('the service still answers', (await service.request('GET', '/health/ready')).status, 200);
  await service.stop();
  model.close();
  await place.remove();
}
proof.end();
