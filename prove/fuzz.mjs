/**
 * Malformed requests, 10,000 an endpoint: no unexpected 5xx, none slower than 2 s, the same process throughout, at most
 * 50 MB of memory more, and every error answered whether `streaming` is absent, true or "true".
 */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { makePlace } from './support/place.mjs';
import { atMost, countBy, inParallel, Proof } from './support/report.mjs';
import { replyFlow, startService } from './support/service.mjs';

const CALLS = Number(process.env.PROVE_CALLS ?? 10_000);
const SEED = Number(process.env.PROVE_SEED ?? 20261025);
const proof = new Proof('prove:fuzz');

const hostile = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  '__proto__',
  'constructor',
  'toString',
  '{{question}}',
  '$&',
  '%s',
  '../../etc/passwd',
  "'; DROP TABLE flows; --",
  '<b>',
  'x'.repeat(100_000),
  '🏠'.repeat(1000),
  -1,
  0,
  1e308,
  -0,
  1.5,
  9007199254740993,
  true,
  false,
  null,
  [],
  {},
  [[]],
  [null],
  { __proto__: null },
  'data:',
  'data:image/jpeg;base64,',
  'data:image/jpeg;base64,!!!!',
  'data:text/html,<script>',
  'http://127.0.0.1/',
  'file:///etc/passwd',
  '2026-13-45T99:99:99Z',
  '99999999999999999999',
  'NaN',
];

/** Bodies that the endpoints take, as the starting point of mutations. */
const valid = {
  prediction: {
    question: 'hello',
    chatId: 'chat',
    streaming: false,
    overrideConfig: { sessionId: 's', vars: { name: 'value' }, startState: { a: 'b' } },
    uploads: [{ data: 'data:text/plain;base64,aGVsbG8=', type: 'file', name: 'a.txt', mime: 'text/plain' }],
    form: { a: 'b' },
    history: [{ role: 'user', content: 'x' }],
    humanInput: { type: 'proceed', startNodeId: 'n' },
    leadEmail: 'a@b.c',
  },
  capture: {
    flowId: 'fuzzed',
    sessionId: 's',
    area: 'Kitchen',
    areaType: 'room',
    captureTs: '1504902988',
    remark: 'fine',
    messageId: 'm',
    photographs: [
      {
        data: 'data:image/png;base64,iVBORw0KGgo=',
        name: 'a.png',
        mime: 'image/png',
        caption: 'c',
        captureTs: 1,
        messageId: 'm',
      },
    ],
  },
  render: {
    templateId: 'inspection',
    delivery: { email: { to: ['a@b.c'], subject: 's', text: 't' } },
    source: {
      type: 'inspection',
      sessionId: 's',
      flowId: 'fuzzed',
      requireComplete: false,
      forceFinish: false,
      meta: {
        address: 'a',
        assessor: 'b',
        tenant: 'c',
        company: 'd',
        reportType: 'checkin',
        guided: true,
        propertyNo: '1',
        postcode: 'AB1',
        logo: 'x',
        geo: { latitude: 51, longitude: 0 },
        areaComments: { Kitchen: ['x'] },
        keyDetails: { numberOfKeys: 2, takenFrom: 'a', handedTo: 'b' },
        skippedAreas: 'keys|detectors',
      },
    },
  },
  flows: {
    ...replyFlow('made-by-fuzz'),
    access: { allowedDomains: ['a.b'], rateLimit: { limit: 1, windowSeconds: 1 } },
    vars: { a: { value: 'b' } },
  },
};

const anyValue = fc.oneof(
  fc.constantFrom(...hostile),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Every path of members in a body. */
function paths(value, prefix = []) {
  if (typeof value !== 'object' || value === null) return [prefix];
  return [prefix, ...Object.entries(value).flatMap(([name, member]) => paths(member, [...prefix, name]))];
}

function changed(body, path, change) {
  const copy = structuredClone(body);
  if (path.length === 0) return change(copy);
  let parent = copy;
  for (const name of path.slice(0, -1)) parent = parent[name];
  const last = path.at(-1);
  const value = change(parent[last]);
  if (value === undefined) delete parent[last];
  else Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** One malformed request: a mutated body, random JSON, or text that is no JSON at all. */
function requestArbitrary(body) {
  const mutated = fc
    .array(fc.tuple(fc.constantFrom(...paths(body)), fc.option(anyValue, { nil: undefined })), {
      minLength: 1,
      maxLength: 3,
    })
    .map((changes) => changes.reduce((current, [path, value]) => safeChange(current, path, value), body));
  const json = fc
    .oneof({ weight: 6, arbitrary: mutated }, { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 5 }) })
    .map((value) => JSON.stringify(value) ?? '');
  const broken = json.chain((text) =>
    fc.nat({ max: Math.max(0, text.length - 1) }).map((at) => text.slice(0, at)),
  );
  const deep = fc.integer({ min: 60, max: 100_000 }).map((depth) => '['.repeat(depth));
  const text = fc.oneof(
    { weight: 8, arbitrary: json },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: deep },
  );
  const type = fc.oneof(
    { weight: 9, arbitrary: fc.constant('application/json') },
    fc.constantFrom(
      'text/plain',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/xml',
      '',
    ),
  );
  return fc.record({ text, type });
}

function safeChange(body, path, value) {
  try {
    return changed(body, path, () => value);
  } catch {
    return body;
  }
}

const routes = {
  prediction: '/api/v1/prediction/fuzzed',
  capture: '/api/v1/inspection/capture?flowId=fuzzed',
  render: '/api/v1/pdf/render',
  flows: '/api/v1/flows',
};

const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

async function attack(service, name, calls) {
  const cases = fc.sample(requestArbitrary(valid[name]), { numRuns: calls, seed: SEED });
  const answers = await inParallel(calls, 16, async (index) => {
    const { text, type } = cases[index];
    const started = performance.now();
    const headers = {
      'Content-Type': type,
      Authorization: name === 'flows' ? 'Bearer ak_the_admin_key_of_the_proofs' : '',
    };
    const answer = await service
      .request('POST', routes[name], { body: text, headers })
      .catch((error) => ({ status: `no answer (${error.code})`, headers: {} }));
    return { status: answer.status, ms: performance.now() - started, body: text };
  });
  proof.note(`${name}: ${JSON.stringify(countBy(answers, ({ status }) => status))}`);
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

const place = await makePlace('sqlite');
const service = await startService(place, { INITIAL_CREDIT: '100000000', RENDERS_PER_MINUTE: '1000000' });
await service.createFlow(replyFlow('fuzzed'));
await errorsWhateverStreaming(service);
// Warm: the compiler's and the pools' memory is not what is looked for.
for (const name of Object.keys(routes)) await attack(service, name, 300);
const before = residentMb(service.child.pid);
for (const name of Object.keys(routes)) await attack(service, name, CALLS);
await new Promise((resolve) => setTimeout(resolve, 3000));
const after = residentMb(service.child.pid);
proof.note(`resident memory ${before.toFixed(0)} → ${after.toFixed(0)} MB`);
proof.measure('resident memory, MB more', Math.round(after - before), atMost(50));
proof.expect('the same process still runs', service.child.exitCode, null);
proof.expect('and is ready', (await service.request('GET', '/health/ready')).status, 200);
await service.stop();
await place.remove();
proof.end();
