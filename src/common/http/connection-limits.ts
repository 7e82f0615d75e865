import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Budget, declareBudget } from '../budgets/budget.js';
import { ServiceError } from '../service-error.js';
import { problemBody } from './problem.filter.js';

/**
 * For the whole of a call's body, twenty-five megabytes over a weak network included; one that stands still is given up
 * long before (`body-patience`).
 */
const LONGEST_REQUEST_MS = 30 * 60_000;

/** From the connection, or from the first byte of a later call, to the last of its headers. */
const LONGEST_HEADERS_MS = 30_000;

/**
 * Longer than proxies keep an idle connection: they close it, not the service, and so never send on one that is
 * closing.
 */
const RESTING_CONNECTION_MS = 75_000;

const LOOK_MS = 1_000;

const CONNECTIONS = declareBudget({
  name: 'open connections',
  unit: 'calls',
  owner: 'address',
  share: 10_000,
  total: 20_000,
  beyond: 'the connection is closed',
  reason:
    'Five times the calls that may be under way, since connections rest between calls. With TRUST_PROXY there is no share: the connections are the proxy’s.',
});

/**
 * Sets time limits on a connection from its first moment: a silent one is closed, one whose headers drip is answered
 * 408 `request_timeout`. A request that is not HTTP is answered in the one error shape as well.
 */
export function boundConnections(server: Server): void {
  server.requestTimeout = LONGEST_REQUEST_MS;
  server.headersTimeout = LONGEST_HEADERS_MS;
  server.keepAliveTimeout = RESTING_CONNECTION_MS;
  // Read when the server begins to listen; Nest makes the server without asking for it.
  Object.assign(server, { connectionsCheckingInterval: LOOK_MS });
  server.on('clientError', answerBroken);
}

/** Closes connections beyond a share of each address, or beyond the total, before anything is read from them. */
export function limitConnections(
  server: Server,
  behindProxy: boolean,
  { share, total }: { share: number; total: number } = CONNECTIONS,
): void {
  const open = new Budget({ ...CONNECTIONS, share: behindProxy ? total : share, total });
  server.on('connection', (socket: Socket) => {
    try {
      socket.once('close', open.take(socket.remoteAddress ?? '', 1));
    } catch {
      socket.destroy();
    }
  });
}

function answerBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  // No answer to a connection that sent nothing: browsers open connections ahead and might read it as the answer to a
  // call.
  if (!socket.writable || socket.bytesRead === 0 || isAnswering(socket)) return void socket.destroy(error);
  const problem = problemOfConnection(error.code);
  const body = JSON.stringify(problemBody(problem));
  const { title } = problemBody(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${title}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

/**
 * The response that Node is writing on this connection: nothing else may be written then. Node has no public field for
 * it.
 */
const isAnswering = (socket: Socket & { _httpMessage?: ServerResponse | null }): boolean =>
  socket._httpMessage?.headersSent === true;

function problemOfConnection(code: string | undefined): ServiceError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout', 'The call took too long to arrive. Send it again.');
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('invalid_request', 'The headers of the call are too large. Shorten them.');
    default:
      return new ServiceError('invalid_request', 'This is no HTTP call. Check what the client sends.');
  }
}
