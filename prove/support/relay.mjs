/** A relay to a server through this process: each connection is passed on to a connection of its own. */
import { once } from 'node:events';
import net from 'node:net';

/**
 * `wire(pair)` is called for each new connection, and returns `{ toServer, toClient, closed? }`: functions that get the
 * chunks of one direction and pass on any of them with `pair.send`. `pair`: `{ client, upstream, send, end }`. Either
 * side is read at the pace of the other; if one closes, so does the other, unless the pair `outlives` that.
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

/** Default ports of servers. */
const USUAL_PORTS = new Map([
  ['postgres:', 5432],
  ['postgresql:', 5432],
  ['redis:', 6379],
  ['http:', 80],
]);

/** Returns host and port of a server. */
export function addressOf(serverUrl) {
  const { protocol, hostname, port } = new URL(serverUrl);
  return { hostname, port: port || USUAL_PORTS.get(protocol) };
}

/** Returns the address of the same server through a relay. */
export function urlThrough(serverUrl, { port }) {
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${port}`;
  return url.toString();
}
