import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Budget, declareBudget } from '../budgets/budget.js';
import { ServiceError } from '../service-error.js';
import { problemBody } from './problem.filter.js';

/**
 * The time limit of a whole call, enough for twenty-five megabytes over a weak network. A body that stalls is given up
 * long before (`body-patience`).
 */
const LONGEST_REQUEST_MS = 30 * 60_000;

/** The time limit from the connection, or from the first byte of a later call, to the end of the headers. */
const LONGEST_HEADERS_MS = 30_000;

/**
 * The longest idle time of a connection, longer than that of proxies: they close it first, and so never send a call on a
 * connection that the service is closing.
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
 * Sets the time limits of connections: a silent one is closed, one whose headers drip is answered 408 `request_timeout`.
 * A request that is not HTTP gets a problem as its answer too.
 */
export function boundConnections(server: Server): void {
  server.requestTimeout = LONGEST_REQUEST_MS;
  server.headersTimeout = LONGEST_HEADERS_MS;
  server.keepAliveTimeout = RESTING_CONNECTION_MS;
  // The server reads this when it begins to listen; Nest has no option for it.
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
  // A connection that sent nothing gets no answer: browsers open connections ahead and might take it for the answer to a
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
 * Returns whether Node is writing a response on this connection: nothing else may be written then. Node has no public
 * field for it.
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
      return new ServiceError('invalid_request', 'This is not an HTTP request. Check what the client sends.');
  }
}
