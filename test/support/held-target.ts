import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request made by a flow. */
export interface TargetRequest {
  method: string | undefined;
  url: string | undefined;
  key: string | undefined;
  body: string;
}

/** A target of `http` tools: it records requests, and answers `{"done":true}`, or nothing while it holds. */
export interface HeldTarget {
  /** `127.0.0.1:<port>` */
  host: string;
  asked: TargetRequest[];
  holds: boolean;
  /** Answers what it holds, and holds no more. */
  letGo(): void;
  close(): void;
}

export async function startHeldTarget(): Promise<HeldTarget> {
  const answer = (response: ServerResponse) =>
    response.setHeader('content-type', 'application/json').end('{"done":true}');
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url } = request;
      const key = request.headers['idempotency-key'] as string | undefined;
      target.asked.push({ method, url, key, body: Buffer.concat(chunks).toString() });
      if (target.holds) held.push(response);
      else answer(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const target: HeldTarget = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    holds: false,
    letGo: () => {
      target.holds = false;
      for (const response of held.splice(0)) answer(response);
    },
    close: () => server.close().closeAllConnections(),
  };
  return target;
}
