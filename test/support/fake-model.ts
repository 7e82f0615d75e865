import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the fake model does with one request. */
export interface FakeAnswer {
  /** What it says, token by token. */
  tokens?: readonly string[];
  /** Before the first token, and between tokens. */
  firstTokenMs?: number;
  tokenMs?: number;
  /** Nothing is said before the test lets it go, or nothing more after so many tokens. */
  held?: Hold;
  heldAfter?: number;
  /** Answers with this status and message instead of a stream. */
  error?: { status: number; message: string; headers?: Record<string, string> };
  /** Breaks the connection off after so many tokens. */
  breakAfter?: number;
}

/** Keeps an answer back for as long as the test wants. */
export class Hold {
  letGo!: () => void;
  readonly over = new Promise<void>((resolve) => (this.letGo = resolve));
}

export interface FakeRequest {
  path: string;
  authorization: string | undefined;
  /** The body as the client sent it: `model`, `messages`, `stream` … */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
  /** The client went away before the answer was complete. */
  aborted: boolean;
  /** `performance.now()` at which the first token was written. */
  firstTokenAt?: number;
}

export interface FakeModel {
  /** Base URL of an OpenAI-compatible API: `http://127.0.0.1:<port>/v1`. */
  url: string;
  requests: FakeRequest[];
  /** Answers of the next requests, in order; when used up, `otherwise` answers. */
  answers: FakeAnswer[];
  otherwise: FakeAnswer | ((request: FakeRequest) => FakeAnswer);
  close(): Promise<void>;
}

/** An OpenAI-compatible model on a socket of its own, that says what the test tells it to. */
export async function startFakeModel(otherwise: FakeModel['otherwise'] = { tokens: ['Hello', ' there'] }) {
  const server = createServer((request, response) => {
    void serve(model, request, response).catch(() => response.destroy());
  });
  const model: FakeModel = {
    url: '',
    requests: [],
    answers: [],
    otherwise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return model;
}

const sleep = (ms: number) => new Promise<void>((resolve) => (ms > 0 ? setTimeout(resolve, ms) : resolve()));

async function serve(model: FakeModel, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const seen: FakeRequest = {
    path: request.url ?? '',
    authorization: request.headers.authorization,
    body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
    aborted: false,
  };
  model.requests.push(seen);
  response.on('close', () => {
    seen.aborted = !response.writableFinished;
  });
  const { otherwise } = model;
  const answer = model.answers.shift() ?? (typeof otherwise === 'function' ? otherwise(seen) : otherwise);
  if (answer.error) refuse(response, answer.error);
  else if (seen.body.stream === true) await stream(response, answer, seen);
  else complete(response, answer);
}

function refuse(
  response: ServerResponse,
  { status, message, headers }: NonNullable<FakeAnswer['error']>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { message, type: 'fake', code: null, param: null } }));
}

const usageOf = (tokens: readonly string[]) => ({
  prompt_tokens: 7,
  completion_tokens: tokens.length,
  total_tokens: 7 + tokens.length,
});

const base = { id: 'fake-1', created: 1, model: 'fake' };

async function stream(response: ServerResponse, answer: FakeAnswer, seen: FakeRequest): Promise<void> {
  const tokens = answer.tokens ?? [];
  const write = (choices: unknown[], more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...more })}\n\n`,
    );
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  await sleep(answer.firstTokenMs ?? 0);
  const heldAfter = answer.heldAfter ?? 0;
  if (heldAfter === 0) await answer.held?.over;
  for (const [index, content] of tokens.entries()) {
    if (response.destroyed) return;
    if (index === answer.breakAfter) {
      response.destroy();
      return;
    }
    if (index > 0) await sleep(answer.tokenMs ?? 0);
    if (index > 0 && index === heldAfter) await answer.held?.over;
    seen.firstTokenAt ??= performance.now();
    write([{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }]);
  }
  write([{ index: 0, delta: {}, finish_reason: 'stop' }]);
  write([], { usage: usageOf(tokens) });
  response.end('data: [DONE]\n\n');
}

function complete(response: ServerResponse, { tokens = [] }: FakeAnswer): void {
  const message = { role: 'assistant', content: tokens.join('') };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: usageOf(tokens),
    }),
  );
}
