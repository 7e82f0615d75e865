/** A way to PostgreSQL that counts what a process sends on it, and at one message stops the process and cuts it off. */
import { once } from 'node:events';
import net from 'node:net';
import pg from 'pg';

/**
 * `armed(n, forward, stop)`: at the message that comes after n others `stop()` is called; from then on nothing passes
 * either way, but that message itself where `forward` says so. `cut()` then ends every session, at the server too.
 */
export async function startCountingProxy(databaseUrl) {
  const target = new URL(databaseUrl);
  const pairs = new Set();
  let armed;
  let shut = false;
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port || 5432), target.hostname);
    const pair = { client, upstream };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', () => undefined).on('close', end);
    client.on('data', (chunk) => {
      if (shut) return;
      if (armed && armed.passing-- === 0) {
        const { forward, stop } = armed;
        armed = undefined;
        shut = true;
        stop();
        if (forward) upstream.write(chunk);
        return;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => shut || client.write(chunk));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${server.address().port}`;
  return {
    url: url.toString(),
    arm: (passing, forward, stop) => (armed = { passing, forward, stop }),
    /** True when the message never came. */
    callOff() {
      const waited = armed !== undefined;
      armed = undefined;
      return waited;
    },
    async cut() {
      const ports = [...pairs].map(({ upstream }) => upstream.localPort).filter(Boolean);
      const admin = new pg.Client({ connectionString: databaseUrl });
      await admin.connect();
      await admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND client_port = ANY($1)',
        [ports],
      );
      await admin.end();
      for (const { client, upstream } of pairs) {
        client.destroy();
        upstream.destroy();
      }
      shut = false;
    },
    close() {
      server.close();
      for (const { client, upstream } of pairs) {
        client.destroy();
        upstream.destroy();
      }
    },
  };
}
