/**
 * The load of `prove:replicas`: callers that make calls of every kind through one address. A call with a key is retried
 * under it until it is answered, also after its caller has given up on a suspended process; one without is sent once.
 * The answers are stored, to be compared with the records.
 */
import http from 'node:http';
import { askingFlow } from './asking-flow.mjs';
import { effectFlow } from './effect-load.mjs';
import { photograph, renderBody } from './kill-load.mjs';
import { between, oneOf } from './random.mjs';
import { ADMIN_KEY, replyFlow, sometimesFailingFlow } from './service.mjs';
import { StreamClient } from './stream-client.mjs';

const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const CALLER_WAITS_MS = 8_000;
const KEEPS_TRYING_MS = 150_000;
const AGAIN_MS = 100;
/** Share of calls answered under a key that are sent again. */
const ASKED_AGAIN = 0.1;
const ASYNC = { Prefer: 'respond-async' };
const LOOK_EVERY_MS = 500;
/** Nothing was promised: the first attempt runs, the service is unavailable, or the proxy lost it. */
const passing = new Set([409, 502, 503]);

export const LIMIT = 6;
/** Limited calls come in bursts, or the limit would never be reached. */
const BURST = 5;
export const WINDOW_MS = 2_000;
export const TOP_UP = 7;
export const SESSIONS = Array.from({ length: 5 }, (_, index) => `session-${index}`);
const CHATS = Array.from({ length: 30 }, (_, index) => `chat-${index}`);

/**
 * Adds a stroke to the tally in the chat's state, with a request between reading and writing it, and replies with it.
 * The time that a process is suspended counts toward the timeout of the request, which is longer than any suspension.
 */
const tallyFlow = (port) => ({
  id: 'tally',
  name: 'tally',
  nodes: [
    { id: 'start', kind: 'start', config: { state: { tally: '' } } },
    {
      id: 'look',
      kind: 'http',
      config: { method: 'GET', url: `http://127.0.0.1:${port}/`, timeoutMs: 120_000 },
    },
    { id: 'add', kind: 'set-state', config: { state: { tally: '{{$flow.state.tally}}|' } } },
    { id: 'reply', kind: 'reply', config: { message: '{{$flow.state.tally}}' } },
  ],
  edges: [
    { from: 'start', to: 'look' },
    { from: 'look', to: 'add' },
    { from: 'add', to: 'reply' },
  ],
});

export const flowsOf = (port, model) => [
  tallyFlow(port),
  effectFlow(port),
  askingFlow('told', model, { memory: { kind: 'none' } }),
  sometimesFailingFlow('paid'),
  replyFlow('inspected'),
  replyFlow('limited', { access: { rateLimit: { limit: LIMIT, windowSeconds: WINDOW_MS / 1000 } } }),
];

/** Each kind of call and its frequency. */
const MIX = [
  ['keyedTurn', 18],
  ['turn', 12],
  ['keyedEffect', 10],
  ['asyncEffect', 6],
  ['keyedCall', 8],
  ['call', 6],
  ['failingCall', 6],
  ['limitedCall', 12],
  ['stream', 6],
  ['keyedCapture', 12],
  ['capture', 3],
  ['render', 6],
  ['topUp', 7],
];
const kinds = MIX.flatMap(([kind, weight]) => Array(weight).fill(kind));

export class ReplicaLoad {
  /** Predictions: question → `{ key, told, failing }`; `told` is the text of the answer, if there was one. */
  asked = new Map();
  /** Those with external effects. */
  effects = [];
  /** The async ones of these: `accepted`, and `ended` once their address has reported an end. */
  async = [];
  limited = [];
  overTheLimit = 0;
  /** Clients of streams that received an event. */
  streams = [];
  captured = new Set();
  /** Calls without a key that were not acknowledged. */
  uncertain = new Set();
  /** Id of an acknowledged photograph → SHA-256 of the sent bytes. */
  files = new Map();
  topUps = 0;
  retries = 0;
  /** Calls that were refused because the bucket is unavailable. */
  storeAway = 0;
  sent = 0;
  differing = [];
  unexpected = [];
  /** Keys of calls that nobody answered in time. */
  unanswered = [];

  constructor(url, random, operations) {
    this.url = url;
    this.random = random;
    this.operations = operations;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 1024 });
  }

  /** Resolves when every call was made and every one with a key is answered. */
  async run(callers) {
    const caller = async () => {
      while (this.sent < this.operations) await this[oneOf(this.random, kinds)](this.sent++);
    };
    await Promise.all(Array.from({ length: callers }, caller));
    this.agent.destroy();
  }

  keyedTurn(n) {
    return this.ask('tally', n, { chatId: oneOf(this.random, CHATS) }, `key-${n}`);
  }

  turn(n) {
    return this.ask('tally', n, { chatId: oneOf(this.random, CHATS) });
  }

  /** Retries until it is done, or reported as unknown. */
  async keyedEffect(n) {
    const question = `call-${n}`;
    const note = { question, key: `key-${n}` };
    this.asked.set(question, note);
    this.effects.push(note);
    const body = { question, chatId: `effect-${n}` };
    const answer = await this.until('/api/v1/prediction/effects', body, note.key, [200, 500]);
    note.status = answer?.status;
    if (answer?.status === 200) note.told = JSON.parse(answer.text).text;
  }

  /** Retries until it is accepted, and then polls its address until that reports an end. */
  async asyncEffect(n) {
    const question = `call-${n}`;
    const note = { question, key: `key-${n}`, accepted: false, ended: undefined };
    this.asked.set(question, note);
    this.effects.push(note);
    this.async.push(note);
    const body = { question, chatId: `effect-${n}` };
    const accepted = await this.until('/api/v1/prediction/effects', body, note.key, [202], ASYNC);
    if (!accepted) return;
    note.accepted = true;
    const until = performance.now() + KEEPS_TRYING_MS;
    while (note.ended === undefined && performance.now() < until) {
      await pass(LOOK_EVERY_MS);
      const answer = await this.send('GET', accepted.headers.location);
      const { status, ...end } = answer?.status === 200 ? JSON.parse(answer.text) : { status: 'running' };
      if (status === 'running') continue;
      note.ended = status;
      if (status === 'succeeded') note.told = end.answer.text;
      else note.status = end.error.status;
    }
  }

  keyedCall(n) {
    return this.ask('paid', n, {}, `key-${n}`);
  }

  call(n) {
    return this.ask('paid', n, {});
  }

  /** Its chat identifies the call: the question makes it fail. */
  async failingCall(n) {
    const chatId = `failing-${n}`;
    const note = { key: `key-${n}`, failing: true };
    this.asked.set(chatId, note);
    const answer = await this.until('/api/v1/prediction/paid', { question: 'fail', chatId }, note.key, [500]);
    if (answer) note.told = answer.text;
  }

  async limitedCall(n) {
    await Promise.all(Array.from({ length: BURST }, (_, part) => this.limitedPart(`${n}-${part}`)));
  }

  async limitedPart(n) {
    const sent = performance.now();
    const note = await this.ask('limited', n, {}, undefined, 429);
    if (note.told !== undefined) this.limited.push({ sent, answered: performance.now() });
    else if (note.status === 429) this.overTheLimit++;
  }

  async ask(flow, n, body, key, ...expected) {
    const question = `call-${n}`;
    const note = { key };
    this.asked.set(question, note);
    const path = `/api/v1/prediction/${flow}`;
    const answer = await (key
      ? this.until(path, { question, ...body }, key)
      : this.once(path, { question, ...body }, expected));
    note.status = answer?.status;
    if (answer?.status === 200) note.told = JSON.parse(answer.text).text;
    return note;
  }

  /** Resumes through the proxy, at any process, until it gets an end. */
  async stream(n) {
    const question = `call-${n}`;
    const note = {};
    this.asked.set(question, note);
    const patience = { silenceMs: CALLER_WAITS_MS, patienceMs: KEEPS_TRYING_MS, once: true };
    const client = new StreamClient(this.url, question, patience);
    // Now and then the client's own connection is cut.
    let cuts = 0;
    await client.follow({ cutAfter: () => (cuts++ === 0 ? between(this.random, 1, 60) : Infinity) });
    if (client.events.length === 0) return;
    this.streams.push(client);
    if (client.events.some(({ event, data }) => event === 'agentFlowEvent' && data === 'FINISHED'))
      note.told = client.events.find(({ event }) => event === 'metadata').data.text ?? client.tokens.join('');
  }

  keyedCapture(n) {
    return this.record(n, `key-${n}`);
  }

  capture(n) {
    return this.record(n);
  }

  async record(n, key) {
    const { sha256, base64 } = photograph();
    const sessionId = oneOf(this.random, SESSIONS);
    const body = { flowId: 'inspected', sessionId, area: `Room ${n % 3}`, photographs: [{ data: base64 }] };
    const path = '/api/v1/inspection/capture';
    const answer = await (key ? this.until(path, body, key) : this.once(path, body));
    (answer ? this.captured : this.uncertain).add(sha256);
    if (answer) this.files.set(JSON.parse(answer.text).recorded[0].id, sha256);
  }

  render(n) {
    return this.until('/api/v1/pdf/render', renderBody(oneOf(this.random, SESSIONS)), `key-${n}`);
  }

  /** Its reference is its key. */
  async topUp(n) {
    const path = '/api/v1/credit/default/top-ups';
    if (await this.until(path, { amount: TOP_UP, reference: `payment-${n}` }, undefined)) this.topUps++;
  }

  /** Returns the answer of a call that is sent once, if it is 200 or an expected status. */
  async once(path, body, expected = []) {
    const answer = await this.post(path, body);
    if (!answer || answer.status === 200 || expected.includes(answer.status)) return answer;
    return passing.has(answer.status) ? undefined : this.wrong(path, answer);
  }

  /** Retries a call until its answer has a wanted status. */
  async until(path, body, key, wanted = [200], more = {}) {
    const until = performance.now() + KEEPS_TRYING_MS;
    const told = {};
    for (; performance.now() < until; await pass(AGAIN_MS)) {
      const answer = await this.post(path, body, key, more);
      const outcome = answer
        ? `${answer.status} ${/"code":"(\w+)"/.exec(answer.text)?.[1] ?? ''}`
        : 'nothing';
      told[outcome] = (told[outcome] ?? 0) + 1;
      if (answer && wanted.includes(answer.status)) {
        if (key && this.random() < ASKED_AGAIN) await this.compare(answer, path, body, key, more);
        return answer;
      }
      if (answer && !passing.has(answer.status)) return this.wrong(path, answer);
      this.retries++;
    }
    this.unanswered.push(key);
    this.unexpected.push(
      `${path} ${key}: not answered within ${KEEPS_TRYING_MS / 1000} s, told ${JSON.stringify(told)}`,
    );
    return undefined;
  }

  /** A repeated call under an answered key gets the same answer. */
  async compare(first, path, ...call) {
    const again = await this.post(path, ...call);
    if (!again || passing.has(again.status)) return;
    if (again.status === first.status && bodyOf(again) === bodyOf(first)) return;
    this.differing.push(
      `${path}: ${first.text.slice(0, 200)} and ${again.status} ${again.text.slice(0, 200)}`,
    );
  }

  wrong(path, { status, text }) {
    this.unexpected.push(`${path}: ${status} ${text.slice(0, 300)}`);
    return undefined;
  }

  post(path, body, key, more = {}) {
    const payload = JSON.stringify(body);
    return this.send('POST', path, payload, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(payload),
      ...(key ? { 'Idempotency-Key': key } : {}),
      ...(path.includes('/credit/') ? { Authorization: `Bearer ${ADMIN_KEY}` } : {}),
      ...more,
    });
  }

  /** Undefined if no complete answer came in time. */
  send(method, path, payload, headers) {
    return new Promise((resolve) => {
      const { agent } = this;
      const request = http.request(`${this.url}${path}`, { method, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () => {
          if (response.statusCode === 503 && text.includes('store of the files')) this.storeAway++;
          resolve({ status: response.statusCode, headers: response.headers, text });
        });
        response.on('close', () => resolve(undefined));
      });
      const patience = setTimeout(() => request.destroy(), CALLER_WAITS_MS);
      request.on('close', () => (clearTimeout(patience), resolve(undefined)));
      request.on('error', () => resolve(undefined));
      request.end(payload);
    });
  }
}

/** An error's body names its execution, which is the replay's own. */
function bodyOf({ status, text }) {
  if (status === 200) return text;
  const { executionId: _own, ...rest } = JSON.parse(text);
  return JSON.stringify(rest);
}
