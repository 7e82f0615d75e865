import type { TestApp } from './app.js';
import { type OpenStream, openStream } from './event-source.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Body = any;

export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
  text: string;
}

const isRaw = (body: unknown): body is FormData | string | Uint8Array<ArrayBuffer> =>
  body instanceof FormData || body instanceof Uint8Array || typeof body === 'string';

/** A client of the service under test. It takes the service as a function, since a test may restart it. */
export class ServiceClient {
  constructor(private readonly service: () => Pick<TestApp, 'url' | 'adminKey'>) {}

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const json = body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' };
    const response = await fetch(this.service().url + path, {
      method,
      headers: { ...json, ...headers },
      ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      parsed = undefined;
    }
    return { status: response.status, headers: response.headers, body: parsed, text };
  }

  predict(flowId: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', `/api/v1/prediction/${flowId}`, body, headers);
  }

  stream(flowId: string, body: object, headers: Record<string, string> = {}): Promise<OpenStream> {
    return openStream(`${this.service().url}/api/v1/prediction/${flowId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...body, streaming: true }),
    });
  }

  admin(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.send(method, `/api/v1/${path}`, body, { authorization: `Bearer ${this.service().adminKey}` });
  }

  /** Creates a flow; fails if its definition is refused. */
  async flow(definition: object): Promise<string> {
    const made = await this.admin('POST', 'flows', definition);
    if (made.status !== 200) throw new Error(`the flow was refused: ${made.text}`);
    return made.body.id as string;
  }

  /** Returns the record of an execution with its trace, once it has ended. */
  async ended(id: string): Promise<Body> {
    for (let tries = 0; tries < 1200; tries++) {
      const { body, status } = await this.admin('GET', `executions/${id}`);
      if (status === 200 && body.status !== 'running') return body;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`execution ${id} did not end`);
  }
}
