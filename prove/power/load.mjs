/**
 * The mixed load of `prove:power`: every kind of call whose answer makes a promise. Each call has a connection of its
 * own, whose port locates its answer in the recording; the promise of the answer is written down with it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { albumFlow, replyFlow } from '../support/service.mjs';

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** A small, unique picture. */
async function photograph(side = 96) {
  const raw = { width: side, height: side, channels: 3 };
  const bytes = await sharp(randomBytes(side * side * 3), { raw })
    .jpeg({ quality: 40 })
    .toBuffer();
  return { sha256: sha256(bytes), base64: bytes.toString('base64') };
}

/** Makes one call over a connection of its own. Resolves to { port, status, json }. */
function call(service, method, path, body, headers = {}) {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    let port;
    const options = { method, agent: false, headers: { 'Content-Type': 'application/json', ...headers } };
    const request = http.request(`${service.url}${path}`, options, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString();
        if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode} ${answer}`));
        else resolve({ port, json: JSON.parse(answer) });
      });
    });
    request.on('socket', (socket) => socket.once('connect', () => (port = socket.localPort)));
    request.on('error', reject);
    request.end(text);
  });
}

export class Load {
  /** The promises of the answers: { life, port, kind, … } in no particular order. */
  acknowledged = [];
  count = 0;

  constructor(recording) {
    this.recording = recording;
  }

  attach(service) {
    this.service = service;
    this.life = this.recording.lives.length - 1;
    this.adminKey = readFileSync(join(this.recording.place.dataDir, 'admin-key'), 'utf8').trim();
  }

  async prepare() {
    for (const flow of [replyFlow('paid'), albumFlow('album')]) {
      await this.asAdmin('/api/v1/flows', flow, () => ({ kind: 'flow', id: flow.id }));
    }
  }

  /** Runs `rounds` rounds, a few concurrently, so that they share commits as real callers do. */
  async run(rounds, width = 3) {
    let left = rounds;
    const worker = async () => {
      while (left-- > 0) await this.round(++this.count);
    };
    await Promise.all(Array.from({ length: width }, worker));
  }

  /** Starts rounds; those unfinished when the process dies have promised nothing. */
  begin(rounds) {
    const running = this.run(rounds).catch(() => undefined);
    return () => running;
  }

  async round(number) {
    const session = `inspection-${number}`;
    await Promise.all([
      this.predict(number),
      this.capture(session, 'Kitchen'),
      this.topUp(number),
      number % 3 === 0 ? this.rare(number) : this.chat(number),
    ]);
    await Promise.all([this.predict(number), number % 2 === 0 ? this.render(session) : this.chat(number)]);
  }

  async predict(number) {
    const key = `prediction-${number}-${randomBytes(6).toString('hex')}`;
    const body = { question: `question ${number}`, chatId: `chat-${number % 4}` };
    await this.send('/api/v1/prediction/paid', body, { 'Idempotency-Key': key }, ({ executionId, text }) => ({
      ...{ kind: 'prediction', executionId, key, body, text },
    }));
  }

  async chat(number) {
    const picture = await photograph();
    const data = `data:image/jpeg;base64,${picture.base64}`;
    const uploads = [{ type: 'file', name: 'picture.jpg', mime: 'image/jpeg', data }];
    const body = { question: 'Hallway', chatId: `album-${number % 3}`, uploads };
    await this.send('/api/v1/prediction/album', body, {}, ({ executionId }) => ({
      ...{ kind: 'message', executionId, photographs: [picture.sha256] },
    }));
  }

  async capture(sessionId, area) {
    const pictures = [await photograph(), await photograph()];
    const body = {
      flowId: 'paid',
      sessionId,
      area,
      photographs: pictures.map(({ base64 }) => ({ data: base64 })),
    };
    await this.send('/api/v1/inspection/capture', body, {}, ({ executionId, recorded }) => ({
      ...{ kind: 'capture', executionId, ids: recorded.map(({ id }) => id) },
      photographs: pictures.map((picture) => picture.sha256),
    }));
  }

  async render(sessionId) {
    const body = { templateId: 'inspection', source: { type: 'inspection', sessionId, meta: {} } };
    await this.send('/api/v1/pdf/render', body, {}, ({ file, executionId }) => ({
      ...{ kind: 'report', executionId, id: file.id, sha256: file.sha256, photographs: file.photographs },
      url: file.url,
    }));
  }

  async topUp(number) {
    const reference = `payment ${number}`;
    const body = { amount: number, reference };
    await this.asAdmin('/api/v1/credit/default/top-ups', body, () => ({
      kind: 'topUp',
      reference,
      amount: number,
    }));
  }

  /** Makes calls that are rare in a service, and must be as durable. */
  async rare(number) {
    const secret = randomBytes(12).toString('hex');
    const credential = { name: `credential ${number}`, kind: 'api-key', data: { apiKey: secret } };
    await this.asAdmin('/api/v1/credentials', credential, ({ id }) => ({ kind: 'credential', id, secret }));
    await this.asAdmin('/api/v1/api-keys', { name: `key ${number}` }, ({ id }) => ({ kind: 'apiKey', id }));
    const picture = await photograph(128);
    const logo = { data: `data:image/jpeg;base64,${picture.base64}` };
    await this.asAdmin('/api/v1/assets', logo, ({ id }) => ({ kind: 'asset', id }));
    const flow = replyFlow(`flow-${number}`);
    await this.asAdmin('/api/v1/flows', flow, () => ({ kind: 'flow', id: flow.id }));
  }

  async asAdmin(path, body, promise) {
    const headers = { Authorization: `Bearer ${this.adminKey}` };
    const dated = (answer) => ({ ...promise(answer), adminKey: this.adminKey });
    await this.send(path, body, headers, dated);
  }

  async send(path, body, headers, promise) {
    const { service, life } = this;
    const { port, json } = await call(service, 'POST', path, body, headers);
    this.acknowledged.push({ life, port, ...promise(json) });
  }
}
