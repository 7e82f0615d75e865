/**
 * Malformed requests, 10,000 per endpoint, as JSON and as forms: no unexpected 5xx, none slower than 2 s, the same
 * processes throughout (on PostgreSQL three behind a proxy), at most 50 MB more memory in each, never more than 200 MB
 * more at its peak including its children, and every error is answered if `streaming` is absent, true or "true".
 */
import './support/short-sizes.mjs';
import { startDeployment } from './support/deployment.mjs';
import { photograph } from './support/kill-load.mjs';
import { malformedForms, malformedRequests } from './support/malformed-requests.mjs';
import { PeakMemory } from './support/peak-memory.mjs';
import { databaseKinds, makePlace } from './support/place.mjs';
import { atMost, countBy, inParallel, Proof } from './support/report.mjs';
import { ADMIN_KEY, replyFlow, residentMb } from './support/service.mjs';

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

/** Part of the calls suffices for endpoints that share their reader with others. */
const share = (name, calls) =>
  ['prediction', 'capture', 'render', 'flows'].includes(name) ? calls : Math.ceil(calls / 5);

let callers = 0;

/** Gives each call an address of its own: unknown flow ids among the renders would soon have one address blocked. */
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

/** The same fault, as JSON and as a stream: an answer each time, with its real status. */
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

async function capture(member) {
  const body = {
    flowId: 'fuzzed',
    sessionId: 'first',
    area: 'Hall',
    photographs: [{ data: photograph().base64 }],
  };
  const { status, text } = await member.request('POST', '/api/v1/inspection/capture', { body });
  if (status !== 200) throw new Error(`the first photograph: ${status} ${text}`);
}

for (const kind of await databaseKinds()) {
  const place = await makePlace(kind);
  const service = await startDeployment(place, {
    INITIAL_CREDIT: '100000000',
    RENDERS_PER_MINUTE: '1000000',
    TRUST_PROXY: '1',
  });
  proof.note(`on ${kind}, ${service.size}`);
  const processes = service.members.map(({ child }) => child);
  await service.createFlow(replyFlow('fuzzed'));
  await errorsWhateverStreaming(service);
  // Starts the picture decoders of every process: three starts at once would be timed as one slow answer.
  if (service.members.length > 1) for (const member of service.members) await capture(member);
  // Warms up the compiler, the pools and the database caches.
  for (const name of Object.keys(routes)) await attack(service, name, Math.min(CALLS, 1_000));
  const before = processes.map(({ pid }) => residentMb(pid));
  const memories = processes.map(({ pid }) => new PeakMemory(pid));
  for (const name of Object.keys(routes)) await attack(service, name, CALLS);
  proof.expect(
    'memory at its peak, with all that was started, MB more',
    Math.max(...memories.map((memory) => memory.end())),
    atMost(200),
  );
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const more = processes.map(({ pid }, index) => Math.round(residentMb(pid) - before[index]));
  proof.note(`resident memory before: ${before.map(Math.round).join(', ')} MB`);
  proof.measure('resident memory, MB more', Math.max(...more), atMost(50));
  proof.expect('processes that have ended', processes.filter(({ exitCode }) => exitCode !== null).length, 0);
  const ready = await Promise.all(service.members.map((member) => member.request('GET', '/health/ready')));
  proof.expect('that are not ready', ready.filter(({ status }) => status !== 200).length, 0);
  await service.stop();
  await place.remove();
}
proof.end();
