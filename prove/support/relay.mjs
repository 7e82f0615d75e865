/** A way to a server through this process: each connection is passed on to a connection of its own. */
import { once } from 'node:events';
import net from 'node:net';

/**
 * `wire(pair)` is asked at each new connection, and answers `{ toServer, toClient, closed? }`: functions that are given
 * the chunks of one direction and pass on what they like with `pair.send`. `pair`: `{ client, upstream, send, end }`.
 * Either side is read as fast as the other takes it; where one closes, so does the other, unless the pair `outlives` that.
 */
export async function startRelay({ hostname, port }, wire) {
  const pairs = new Set();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port), hostname);
    const pair = {
      client,
      upstream,
      send(to, chunk) {
        if (to.destroyed || to.writableEnded || to.write(chunk)) return;
        const from = to === client ? upstream : client;
        from.pause();
        to.once('drain', () => from.resume());
      },
      end() {
        pairs.delete(pair);
        client.destroy();
        upstream.destroy();
      },
    };
    pairs.add(pair);
    const { toServer, toClient, closed } = wire(pair);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          if (!pair.outlives) pair.end();
          closed?.();
        });
    }
    client.on('data', toServer);
    upstream.on('data', toClient);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: server.address().port,
    pairs,
    close() {
      server.close();
      for (const pair of pairs) pair.end();
    },
  };
}

/** Ports of servers whose addresses name none. */
const USUAL_PORTS = new Map([
  ['postgres:', 5432],
  ['postgresql:', 5432],
  ['redis:', 6379],
  ['http:', 80],
]);

/** Where a server is. */
export function addressOf(serverUrl) {
  const { protocol, hostname, port } = new URL(serverUrl);
  return { hostname, port: port || USUAL_PORTS.get(protocol) };
}

/** The same server by way of a relay. */
export function urlThrough(serverUrl, { port }) {
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${port}`;
  return url.toString();
}
