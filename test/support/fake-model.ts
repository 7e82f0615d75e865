import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The fake model's behaviour for one request. */
export interface FakeAnswer {
  /** The answer, token by token. */
  tokens?: readonly string[];
  /** Delay before the first token, and between tokens. */
  firstTokenMs?: number;
  tokenMs?: number;
  /** Sends nothing, or nothing after this many tokens, until the test releases it. */
  held?: Hold;
  heldAfter?: number;
  /** Answers with this status and message instead of a stream. */
  error?: { status: number; message: string; headers?: Record<string, string> };
  /** Breaks the connection after this many tokens. */
  breakAfter?: number;
  /** Reasoning before the answer; not part of it. */
  thinking?: readonly string[];
  /** Tool calls, after the tokens; their arguments arrive interleaved, in chunks of three characters. */
  toolCalls?: readonly FakeToolCall[];
  /** Refuses, in these words. */
  refusal?: string;
  /** `stop` by default, or `tool_calls` with tool calls. */
  finish?: string;
  /** Sends this error within the stream instead of its end. */
  streamError?: unknown;
  /** Sent as they are instead of a stream, one after another. */
  raw?: readonly string[];
  contentType?: string;
  /** Repeats its tokens until the caller leaves. */
  endless?: boolean;
  /** Answers with one body although a stream was requested. */
  whole?: boolean;
  usage?: object | null;
}

/** A call in the model's form: its arguments are a text, which need not be JSON. */
export interface FakeToolCall {
  id?: string;
  name: string;
  arguments: string;
}

/** Holds an answer back until the test releases it. */
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
  /** True if the client left before the answer was complete. */
  aborted: boolean;
  /** Tokens written so far. */
  said?: number;
  /** `performance.now()` when the first token was written. */
  firstTokenAt?: number;
}

export interface FakeModel {
  /** Base URL of an OpenAI-compatible API: `http://127.0.0.1:<port>/v1`. */
  url: string;
  requests: FakeRequest[];
  /** Answers to the next requests, in order; then `otherwise`. */
  answers: FakeAnswer[];
  otherwise: FakeAnswer | ((request: FakeRequest) => FakeAnswer);
  /** Called for each new connection. */
  onConnection?: ((socket: unknown) => void) | undefined;
  close(): Promise<void>;
}

/** The environment of a service whose default model is the fake. */
export const defaultModel = ({ url }: FakeModel): Record<string, string> => ({
  DEFAULT_MODEL_PROVIDER: 'openai-compatible',
  DEFAULT_MODEL_BASE_URL: url,
  DEFAULT_MODEL_NAME: 'fake',
});

/** Starts an OpenAI-compatible model on its own socket, which the test controls. */
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
  server.on('connection', (socket) => model.onConnection?.(socket));
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
  else if (answer.raw) await writeRaw(response, answer);
  else if (seen.body.stream === true && !answer.whole) await stream(response, answer, seen);
  else complete(response, answer);
}

async function writeRaw(
  response: ServerResponse,
  { raw = [], contentType, tokenMs = 0 }: FakeAnswer,
): Promise<void> {
  response.writeHead(200, { 'content-type': contentType ?? 'text/event-stream' });
  for (const piece of raw) {
    if (response.destroyed) return;
    response.write(piece);
    await sleep(tokenMs);
  }
  response.end();
}

function refuse(
  response: ServerResponse,
  { status, message, headers }: NonNullable<FakeAnswer['error']>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { message, type: 'fake', code: null, param: null } }));
}

const usageOf = ({ tokens = [], usage }: FakeAnswer) =>
  usage === undefined
    ? { prompt_tokens: 7, completion_tokens: tokens.length, total_tokens: 7 + tokens.length }
    : usage;

const base = { id: 'fake-1', created: 1, model: 'fake' };

async function stream(response: ServerResponse, answer: FakeAnswer, seen: FakeRequest): Promise<void> {
  const write = (choices: unknown[], more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...more })}\n\n`,
    );
  const delta = (given: object) => write([{ index: 0, delta: given, finish_reason: null }]);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  await sleep(answer.firstTokenMs ?? 0);
  if ((answer.heldAfter ?? 0) === 0) await answer.held?.over;
  for (const reasoning_content of answer.thinking ?? []) delta({ reasoning_content });
  do if (!(await sayTokens(response, answer, seen, delta))) return;
  while (answer.endless);
  for (const piece of callPieces(answer.toolCalls ?? [])) delta({ tool_calls: [piece] });
  if (answer.refusal !== undefined) delta({ refusal: answer.refusal });
  if (answer.streamError === undefined) {
    write([{ index: 0, delta: {}, finish_reason: finishOf(answer) }]);
    if (usageOf(answer) !== null) write([], { usage: usageOf(answer) });
  } else response.write(`data: ${JSON.stringify({ error: answer.streamError })}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** Returns false if the connection is broken. Waits for a slow reader. */
async function sayTokens(
  response: ServerResponse,
  answer: FakeAnswer,
  seen: FakeRequest,
  delta: (given: object) => boolean,
): Promise<boolean> {
  for (const [index, content] of (answer.tokens ?? []).entries()) {
    if (response.destroyed) return false;
    if (index === answer.breakAfter) {
      response.destroy();
      return false;
    }
    if (index > 0) await sleep(answer.tokenMs ?? 0);
    if (index > 0 && index === answer.heldAfter) await answer.held?.over;
    seen.firstTokenAt ??= performance.now();
    seen.said = (seen.said ?? 0) + 1;
    if (!delta({ role: 'assistant', content })) await drained(response);
  }
  return !response.destroyed;
}

/** Resolves when a slow reader has caught up, or has left. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      response.off('drain', over).off('close', over);
      resolve();
    };
    response.on('drain', over).on('close', over);
  });
}

function* callPieces(calls: readonly FakeToolCall[]) {
  for (const [index, { id = `call-${index}`, name }] of calls.entries())
    yield { index, id, type: 'function', function: { name, arguments: '' } };
  const longest = Math.max(0, ...calls.map((call) => call.arguments.length));
  for (let from = 0; from < longest; from += 3)
    for (const [index, call] of calls.entries())
      if (from < call.arguments.length)
        yield { index, function: { arguments: call.arguments.slice(from, from + 3) } };
}

const finishOf = ({ finish, toolCalls = [] }: FakeAnswer): string =>
  finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');

function complete(response: ServerResponse, answer: FakeAnswer): void {
  const { tokens = [], thinking = [], toolCalls = [], refusal } = answer;
  const message = {
    role: 'assistant',
    content: tokens.join(''),
    ...(thinking.length > 0 ? { reasoning_content: thinking.join('') } : {}),
    ...(refusal === undefined ? {} : { refusal }),
    ...(toolCalls.length > 0
      ? {
          tool_calls: toolCalls.map(({ id, name, arguments: given }, index) => ({
            id: id ?? `call-${index}`,
            type: 'function',
            function: { name, arguments: given },
          })),
        }
      : {}),
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finishOf(answer) }],
      usage: usageOf(answer),
    }),
  );
}
