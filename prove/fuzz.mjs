/**
 * Malformed requests, 10,000 an endpoint, as JSON and as forms: no unexpected 5xx, none slower than 2 s, the same process
 * throughout, at most 50 MB of memory more, never more than 200 MB more at its peak with all that it has started, and every
 * error answered whether `streaming` is absent, true or "true".
 */
import { malformedForms, malformedRequests } from './support/malformed-requests.mjs';
import { PeakMemory } from './support/peak-memory.mjs';
import { databaseKinds, makePlace } from './support/place.mjs';
import { atMost, countBy, inParallel, Proof } from './support/report.mjs';
import { ADMIN_KEY, replyFlow, residentMb, startService } from './support/service.mjs';

const CALLS = Number(process.env.PROVE_CALLS ?? 10_000);
const SEED = Number(process.env.PROVE_SEED ?? 20261025);
const proof = new Proof('prove:fuzz');

const routes = {
  prediction: { to: '/api/v1/prediction/fuzzed' },
  'prediction, forms': { to: '/api/v1/prediction/fuzzed', body: 'prediction', form: true },
  capture: { to: '/api/v1/inspection/capture?flowId=fuzzed' },
  'capture, forms': { to: '/api/v1/inspection/capture?flowId=fuzzed', body: 'capture', form: true },
  render: { to: '/api/v1/pdf/render' },
  feedback: { to: '/api/v1/feedback/fuzzed' },
  change: { to: '/api/v1/feedback/none', method: 'PUT' },
  leads: { to: '/api/v1/leads' },
  flows: { to: '/api/v1/flows', admin: true },
  check: { to: '/api/v1/flows/check', admin: true },
  credentials: { to: '/api/v1/credentials', admin: true },
};

/** A part of the calls is enough for what shares its reader with others. */
const share = (name, calls) =>
  ['prediction', 'capture', 'render', 'flows'].includes(name) ? calls : Math.ceil(calls / 5);

let callers = 0;

/** Each call from an address of its own: unknown flow ids among the renders would soon have one address blocked. */
function nextAddress() {
  callers++;
  return ['100', ...[16, 8, 0].map((shift) => (callers >> shift) & 255)].join('.');
}

async function attack(service, name, most) {
  const { to, body: kind = name, form = false, method = 'POST', admin = false } = routes[name];
  const calls = share(name, most);
  const cases = (form ? malformedForms : malformedRequests)(kind, calls, SEED);
  const answers = await inParallel(calls, 16, async (index) => {
    const { text, type } = cases[index];
    const started = performance.now();
    const headers = {
      'Content-Type': type,
      'X-Forwarded-For': nextAddress(),
      Authorization: admin ? `Bearer ${ADMIN_KEY}` : '',
    };
    const answer = await service
      .request(method, to, { body: text, headers })
      .catch((error) => ({ status: `no answer (${error.code})`, headers: {} }));
    return { status: answer.status, ms: performance.now() - started, body: text };
  });
  proof.note(`${name}: ${JSON.stringify(countBy(answers, ({ status }) => status))}`);
  const refused = answers.filter(({ status }) => status === 429).length;
  proof.measure(`${name}: refused before anything was read`, refused, atMost(calls / 100));
  const unexpected = answers.filter(
    ({ status }) => typeof status !== 'number' || (status >= 500 && status !== 503),
  );
  proof.expect(`${name}: unexpected 5xx or no answer, of ${calls}`, unexpected.length, 0);
  for (const { status, body } of unexpected.slice(0, 3)) proof.note(`  ${status}: ${body.slice(0, 300)}`);
  proof.measure(
    `${name}: slowest answer, ms`,
    Math.round(Math.max(...answers.map(({ ms }) => ms))),
    atMost(2000),
  );
}

/** The same fault, asked for plainly and as a stream: an answer each time, with its real status. */
async function errorsWhateverStreaming(service) {
  const faults = [
    ['missing question', {}, 400],
    ['question of a wrong type', { question: 5 }, 400],
    ['broken upload', { question: 'x', uploads: [{ data: 'nonsense' }] }, 400],
    ['chatId too long', { question: 'x', chatId: 'c'.repeat(300) }, 400],
    ['question too long', { question: 'x'.repeat(1024 * 1024 + 1) }, 413],
  ];
  for (const [what, body, status] of faults) {
    const seen = [];
    for (const streaming of [undefined, true, 'true']) {
      seen.push(
        (await service.predict('fuzzed', { ...body, ...(streaming === undefined ? {} : { streaming }) }))
          .status,
      );
    }
    proof.expect(`${what}: streaming absent, true, "true"`, seen.join(' '), `${status} ${status} ${status}`);
  }
}

for (const kind of await databaseKinds()) {
  proof.note(`on ${kind}`);
  const place = await makePlace(kind);
  const service = await startService(place, {
    INITIAL_CREDIT: '100000000',
    RENDERS_PER_MINUTE: '1000000',
    TRUST_PROXY: '1',
  });
  await service.createFlow(replyFlow('fuzzed'));
  await errorsWhateverStreaming(service);
  // Warm: what the compiler, the pools and the databases' caches take once is not what is looked for.
  for (const name of Object.keys(routes)) await attack(service, name, Math.min(CALLS, 1_000));
  const before = residentMb(service.child.pid);
  const memory = new PeakMemory(service.child.pid);
  for (const name of Object.keys(routes)) await attack(service, name, CALLS);
  proof.expect('memory at its peak, with all that was started, MB more', memory.end(), atMost(200));
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const after = residentMb(service.child.pid);
  proof.note(`resident memory ${before.toFixed(0)} → ${after.toFixed(0)} MB`);
  proof.measure('resident memory, MB more', Math.round(after - before), atMost(50));
  proof.expect('the same process still runs', service.child.exitCode, null);
  proof.expect('and is ready', (await service.request('GET', '/health/ready')).status, 200);
  await service.stop();
  await place.remove();
}
proof.end();
