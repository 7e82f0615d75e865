/**
 * The load of `prove:kill`: clients that send each photograph and each call under an `Idempotency-Key`, and retry it
 * under the same key until it is answered, whichever process dies meanwhile; now and then also after it was answered,
 * as if its answer had been lost. So everything sent is acknowledged in the end, and must have been done exactly once.
 */
import { createHash, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { CorrectionLoad } from './kill-corrections.mjs';

const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const AGAIN_MS = 50;
const PATIENCE_MS = 60_000;
/** Share of answered calls that are sent again. */
const ANSWER_LOST = 0.1;
/**
 * Worth a retry: the first attempt still runs or the recovery has not ended it yet, the service is shutting down, or
 * its proxy lost it.
 */
const passing = new Set([409, 502, 503]);

const base = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#8899aa' } })
  .jpeg()
  .toBuffer();

/** A unique photograph: with a comment of its own after the picture's first marker. */
export function photograph() {
  const comment = Buffer.from(randomUUID());
  const marker = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  const bytes = Buffer.concat([base.subarray(0, 2), marker, comment, base.subarray(2)]);
  return { sha256: createHash('sha256').update(bytes).digest('hex'), base64: bytes.toString('base64') };
}

export const SESSIONS = ['session-0', 'session-1', 'session-2', 'chat-left', 'chat-right'];

export const renderBody = (sessionId) => ({
  templateId: 'inspection',
  source: { type: 'inspection', sessionId, meta: {} },
});

/** The sent and answered calls: photographs by their SHA-256, and the number of calls that cost a credit. */
export class KillLoad {
  captured = new Set();
  chatted = new Set();
  /** Ids in the answers of captures. */
  ids = [];
  paidCalls = 0;
  retries = 0;
  unexpected = [];
  over = false;
  corrections = new CorrectionLoad(this);

  /** Undefined while nothing may be sent. */
  target;
  underWay = 0;

  /** Resolves when `over` is set and all calls in flight have been answered. */
  begin() {
    const clients = [
      ...Array(3).fill(() => this.predict()),
      ...Array(2).fill(() => this.capture()),
      () => this.chat('chat-left'),
      () => this.chat('chat-right'),
      () => this.render(),
      () => this.corrections.correct(),
    ];
    return Promise.all(clients.map((call) => this.repeat(call)));
  }

  goOn(target) {
    this.target = target;
  }

  /** Sends nothing new; resolves when no call is in flight any more, to the living or the dead. */
  async pause() {
    this.target = undefined;
    while (this.underWay > 0) await pass(10);
  }

  async repeat(call) {
    while (!this.over) await call();
  }

  async predict() {
    const body = { question: 'What is due?', chatId: `questions-${Math.floor(Math.random() * 5)}` };
    if (await this.send('/api/v1/prediction/paid', body)) this.paidCalls++;
  }

  async chat(chatId) {
    const { sha256, base64 } = photograph();
    const data = `data:image/jpeg;base64,${base64}`;
    const uploads = [{ type: 'file', name: 'hallway.jpg', mime: 'image/jpeg', data }];
    if (!(await this.send('/api/v1/prediction/album', { question: 'Hallway', chatId, uploads }))) return;
    this.paidCalls++;
    this.chatted.add(sha256);
  }

  capture() {
    return this.captureIn(SESSIONS[Math.floor(Math.random() * 3)], 'Kitchen', 2);
  }

  async captureIn(sessionId, area, count) {
    const pictures = Array.from({ length: count }, photograph);
    const photographs = pictures.map(({ base64 }) => ({ data: base64 }));
    const body = { flowId: 'paid', sessionId, area, photographs };
    const answer = await this.send('/api/v1/inspection/capture', body);
    if (!answer) return undefined;
    for (const { sha256 } of pictures) this.captured.add(sha256);
    this.ids.push(...answer.json.recorded.map(({ id }) => id));
    return answer;
  }

  async render() {
    const sessionId = SESSIONS[Math.floor(Math.random() * SESSIONS.length)];
    await this.send('/api/v1/pdf/render', renderBody(sessionId));
  }

  /** Returns the answer; undefined for a call that could not be delivered, which is a fault. */
  async send(path, body) {
    const key = randomUUID();
    const answer = await this.deliver(path, body, key);
    if (answer && Math.random() < ANSWER_LOST) await this.deliver(path, body, key);
    return answer;
  }

  async deliver(path, body, key) {
    const until = performance.now() + PATIENCE_MS;
    for (let tries = 0; performance.now() < until;) {
      const service = this.target;
      const headers = { 'Idempotency-Key': key };
      const answer = service && (await this.during(() => service.request('POST', path, { body, headers })));
      if (answer?.status === 200) {
        this.retries += tries;
        return answer;
      }
      if (answer && !passing.has(answer.status)) {
        this.unexpected.push(`${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
        return undefined;
      }
      if (service) tries++;
      await pass(AGAIN_MS);
    }
    this.unexpected.push(`${path}: not answered within ${PATIENCE_MS / 1000} s`);
    return undefined;
  }

  /** Makes a call without a key, once: undefined if the outcome is unknown. */
  async askOnce(method, path, body) {
    let service;
    while (!(service = this.target)) await pass(AGAIN_MS);
    const answer = await this.during(() => service.admin(method, path, body));
    if (!answer || answer.status === 200) return answer;
    if (!passing.has(answer.status))
      this.unexpected.push(`${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
    return undefined;
  }

  async during(call) {
    this.underWay++;
    try {
      return await call();
    } catch {
      return undefined;
    } finally {
      this.underWay--;
    }
  }
}
