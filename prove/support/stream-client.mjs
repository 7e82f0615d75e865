/** A client of one stream that loses its connection now and then, and resumes after the last event that it saw. */
import http from 'node:http';

/** A run that nobody answers for so long has been given up. */
const PATIENCE_MS = 60_000;
/** Longer than a heartbeat. */
const SILENCE_MS = 20_000;
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class StreamClient {
  /** `{ number, event, data }`, in order of arrival. */
  events = [];
  executionId = undefined;
  /** Answers other than a stream, or 503 with Retry-After. */
  refusals = [];
  comings = 0;
  isOver = false;

  /**
   * After `silenceMs` without a byte it resumes elsewhere, for `patienceMs` in total; with `once` it does not repeat a
   * call without any event, since its outcome is unknown.
   */
  constructor(url, question, { silenceMs = SILENCE_MS, patienceMs = PATIENCE_MS, once = false } = {}) {
    Object.assign(this, { url, question, silenceMs, patienceMs, once });
  }

  /**
   * Reads until the end. `cutAfter()`: number of further events before the connection is lost; `away()`: resolves when
   * it may resume.
   */
  async follow({ cutAfter = () => Infinity, away = () => later(Math.random() * 100) } = {}) {
    const until = performance.now() + this.patienceMs;
    while (!this.isOver && performance.now() < until) {
      const status = await this.read(cutAfter());
      if (this.once && this.events.length === 0) return;
      if (status !== undefined && status !== 200) {
        if (status !== 503 && status !== 502) return void this.refusals.push(status);
        await later(150);
      } else if (!this.isOver) await away();
    }
  }

  get tokens() {
    return this.events.filter(({ event }) => event === 'token').map(({ data }) => data);
  }

  /** Returns the status of the answer; undefined without one. */
  read(most) {
    const last = this.events.at(-1);
    const path = '/api/v1/prediction/told';
    const body = last ? undefined : JSON.stringify({ question: this.question, streaming: true });
    const headers = last
      ? { 'Last-Event-ID': last.id }
      : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const method = last ? 'GET' : 'POST';
    if (last) this.comings++;
    return new Promise((resolve) => {
      const request = http.request(`${this.url}${path}${last ? '/stream' : ''}`, {
        method,
        headers,
        agent: false,
      });
      request.setTimeout(this.silenceMs, () => request.destroy());
      request.on('error', () => resolve(undefined));
      request.on('response', (response) => {
        this.executionId ??= response.headers['x-execution-id'];
        const take = this.taker(most);
        response.setEncoding('utf8');
        response.on('data', (text) => {
          if (response.statusCode === 200 && !take(text)) request.destroy();
        });
        response.on('error', () => undefined).on('close', () => resolve(response.statusCode));
      });
      request.end(body);
    });
  }

  /**
   * Returns a function that returns false from the event after which the connection is to break. It never breaks a stream
   * whose end has begun.
   */
  taker(most) {
    let rest = '';
    let left = most;
    return (text) => {
      const frames = (rest + text).split('\n\n');
      rest = frames.pop();
      for (const frame of frames.filter((each) => each.startsWith('id: '))) {
        const [idLine, ...lines] = frame.split('\n');
        const id = idLine.slice(4);
        const { event, data } = JSON.parse(lines.join('\n').slice('data: '.length));
        this.events.push({ id, number: Number(id.split(':')[1]), event, data });
        if (event === 'agentFlowEvent' && data !== 'INPROGRESS') left = Infinity;
        if (event === 'end') this.isOver = true;
        if (--left <= 0) return false;
      }
      return true;
    };
  }
}

/** Returns undefined if a stream is correct: numbers in order, the pieces of the answer in order, one end. */
export function faultOf({ events, tokens, refusals }, pieces) {
  if (refusals.length > 0) return `refused ${refusals}`;
  if (events.some(({ number }, index) => number !== index + 1)) return 'numbers out of order';
  if (tokens.some((token, index) => token !== pieces[index])) return 'not what the model said, in its order';
  const ends = events.filter(({ event, data }) => event === 'agentFlowEvent' && data !== 'INPROGRESS');
  if (ends.length !== 1) return `${ends.length} endings`;
  if (events.filter(({ event }) => event === 'end').length !== 1 || events.at(-1).event !== 'end')
    return 'no single end';
  return undefined;
}
