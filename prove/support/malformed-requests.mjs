import fc from 'fast-check';
import { replyFlow } from './service.mjs';

/** Values that break careless programs, tried in every place. */
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
  JSON.parse('{"__proto__":{"admin":true}}'),
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

const message = {
  question: 'hello',
  chatId: 'chat',
  streaming: false,
  overrideConfig: { sessionId: 's', vars: { name: 'value' }, startState: { a: 'b' } },
  uploads: [{ data: 'data:text/plain;base64,aGVsbG8=', type: 'file', name: 'a.txt', mime: 'text/plain' }],
  history: [{ role: 'user', content: 'x' }],
  leadEmail: 'a@b.c',
};

const report = {
  templateId: 'inspection',
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
};

/**
 * Bodies that the endpoints read to their end, as the starting point of mutations. Members that only an async call or a
 * mail server accepts stand apart: otherwise every other mutation would be refused for the same reason.
 */
const valid = {
  prediction: [
    message,
    { ...message, form: { a: 'b' } },
    { ...message, humanInput: { type: 'proceed', startNodeId: 'n' } },
  ],
  capture: [
    {
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
  ],
  render: [report, { ...report, delivery: { email: { to: ['a@b.c'], subject: 's', text: 't' } } }],
  feedback: [{ chatId: 'chat', messageId: 'm', rating: 'THUMBS_UP', content: 'fine' }],
  change: [{ rating: 'THUMBS_DOWN', content: 'not so fine' }],
  leads: [{ chatflowid: 'fuzzed', chatId: 'chat', name: 'n', email: 'a@b.c', phone: '1' }],
  credentials: [{ name: 'c', kind: 'header', data: { headers: { 'X-Key': 'secret' } } }],
  check: [{ ...replyFlow('made-by-fuzz'), vars: { a: { value: 'b' } }, overrides: ['reply.message'] }],
  flows: [
    {
      ...replyFlow('made-by-fuzz'),
      access: { allowedDomains: ['a.b'], rateLimit: { limit: 1, windowSeconds: 1 } },
      vars: { a: { value: 'b' } },
    },
  ],
};

/** JSON of up to three times the allowed number of values, in a list or as members. */
const wide = fc
  .record({ values: fc.integer({ min: 1, max: 150_000 }), members: fc.boolean() })
  .map(({ values, members }) =>
    members
      ? `{${Array.from({ length: values / 10 }, (_, index) => `"m${index}":{}`).join()}}`
      : `{"question":"x","list":[${'0,'.repeat(values)}0]}`,
  );

const anyValue = fc.oneof(
  fc.constantFrom(...hostile),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Returns every path of members in a body. */
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

const mutationsOf = (body) =>
  fc
    .array(fc.tuple(fc.constantFrom(...paths(body)), fc.option(anyValue, { nil: undefined })), {
      minLength: 1,
      maxLength: 3,
    })
    .map((changes) => changes.reduce((current, [path, value]) => safeChange(current, path, value), body));

const BOUNDARY = 'fuzz';

/** Returns the members of a body as form fields: texts as they are, the rest as JSON, as clients send them. */
function formOf(body) {
  const members = typeof body === 'object' && body !== null ? Object.entries(body) : [['question', body]];
  const fields = members.map(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  });
  return `${fields.join('')}--${BOUNDARY}--\r\n`;
}

/**
 * Returns forms to an endpoint whose fields contain mutated JSON, or which are incomplete. The same seed gives the same
 * ones.
 */
export function malformedForms(endpoint, count, seed) {
  const whole = fc.oneof(...valid[endpoint].map(mutationsOf)).map(formOf);
  const text = fc.oneof(
    { weight: 6, arbitrary: whole },
    {
      weight: 1,
      arbitrary: whole.chain((form) => fc.nat({ max: form.length }).map((at) => form.slice(0, at))),
    },
    {
      weight: 1,
      arbitrary: wide.map((json) => formOf({ question: 'x', form: JSON.parse(json), photographsMeta: json })),
    },
  );
  const type = fc.constant(`multipart/form-data; boundary=${BOUNDARY}`);
  return fc.sample(fc.record({ text, type }), { numRuns: count, seed });
}

/**
 * Returns requests to an endpoint (a name of `valid`) as `{ text, type }`: a mutated body, random JSON, JSON of very
 * many values, or text that is no JSON at all. The same seed gives the same ones.
 */
export function malformedRequests(endpoint, count, seed) {
  const mutated = fc.oneof(...valid[endpoint].map(mutationsOf));
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
    { weight: 1, arbitrary: wide },
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
  return fc.sample(fc.record({ text, type }), { numRuns: count, seed });
}

function safeChange(body, path, value) {
  try {
    return changed(body, path, () => value);
  } catch {
    return body;
  }
}
