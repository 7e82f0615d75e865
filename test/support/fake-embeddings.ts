import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hold } from './fake-model.js';

/** The fake's behaviour for one request; it embeds by default. */
export interface FakeEmbedding {
  error?: { status: number; message: string; headers?: Record<string, string> };
  /** Sent as it is instead of an answer. */
  raw?: string;
  /** Number of dimensions, instead of the usual one. */
  dimensions?: number;
  /** Answers only when the test releases it. */
  held?: Hold;
  /** Replaces the vectors for the texts. */
  vectors?: (texts: readonly string[]) => unknown[];
}

export interface EmbeddingRequest {
  path: string;
  key: string | undefined;
  model: string;
  texts: string[];
  aborted: boolean;
}

export interface FakeEmbeddings {
  /** Base URL of an OpenAI-compatible API, and of Google's (`/batchEmbedContents` below any path). */
  url: string;
  requests: EmbeddingRequest[];
  /** Answers to the next requests, in order; then `otherwise`. */
  answers: FakeEmbedding[];
  otherwise: FakeEmbedding | ((request: EmbeddingRequest) => FakeEmbedding);
  close(): Promise<void>;
}

const USUAL_DIMENSIONS = 64;

/** Returns similar vectors for texts that share words, and the same vector for the same text. */
export function wordVector(text: string, dimensions = USUAL_DIMENSIONS): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  vector[0] = 0.01;
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 2_166_136_261;
    for (const letter of word) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16_777_619);
    vector[(hash >>> 8) % dimensions]! += 1;
  }
  return vector;
}

/** Starts an embedding model on its own socket, which the test controls. */
export async function startFakeEmbeddings(): Promise<FakeEmbeddings> {
  const server = createServer((request, response) => {
    void serve(fake, request, response).catch(() => response.destroy());
  });
  const fake: FakeEmbeddings = {
    url: '',
    requests: [],
    answers: [],
    otherwise: {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return fake;
}

interface Asked {
  model?: string;
  input?: string[];
  requests?: { model: string; content: { parts: { text: string }[] } }[];
}

async function serve(
  fake: FakeEmbeddings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const parsed = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Asked;
  const google = parsed.requests;
  const seen: EmbeddingRequest = {
    path: request.url ?? '',
    key: request.headers.authorization ?? (request.headers['x-goog-api-key'] as string | undefined),
    model: parsed.model ?? google?.[0]?.model ?? '',
    texts: parsed.input ?? google?.map(({ content }) => content.parts[0]!.text) ?? [],
    aborted: false,
  };
  response.on('close', () => (seen.aborted = !response.writableFinished));
  fake.requests.push(seen);
  const { otherwise } = fake;
  const answer = fake.answers.shift() ?? (typeof otherwise === 'function' ? otherwise(seen) : otherwise);
  await answer.held?.over;
  if (answer.error) {
    response.writeHead(answer.error.status, { 'content-type': 'application/json', ...answer.error.headers });
    return void response.end(JSON.stringify({ error: { message: answer.error.message } }));
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  if (answer.raw !== undefined) return void response.end(answer.raw);
  const vectors =
    answer.vectors?.(seen.texts) ?? seen.texts.map((text) => wordVector(text, answer.dimensions));
  const body = google
    ? { embeddings: vectors.map((values) => ({ values })) }
    : {
        object: 'list',
        data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      };
  response.end(JSON.stringify(body));
}
