/**
 * A proxy to PostgreSQL that counts the messages of a process, and at one message suspends the process and cuts it off.
 */
import pg from 'pg';
import { addressOf, startRelay, urlThrough } from './relay.mjs';

/**
 * `arm(n, forward, stop)`: at the message after n others `stop()` is called; from then on nothing passes in either
 * direction, except that message itself if `forward`. Only messages with the text `counted` count. `cut()` then
 * terminates every session, on the server too.
 */
export async function startCountingProxy(databaseUrl, counted = '') {
  let armed;
  let shut = false;
  const relay = await startRelay(addressOf(databaseUrl), ({ client, upstream, send }) => ({
    toServer(chunk) {
      if (shut) return;
      if (armed && chunk.includes(counted) && armed.passing-- === 0) {
        const { forward, stop } = armed;
        armed = undefined;
        shut = true;
        stop();
        if (forward) send(upstream, chunk);
        return;
      }
      send(upstream, chunk);
    },
    toClient: (chunk) => shut || send(client, chunk),
  }));
  return {
    url: urlThrough(databaseUrl, relay),
    arm: (passing, forward, stop) => (armed = { passing, forward, stop }),
    /** True if the message never came. */
    callOff() {
      const waited = armed !== undefined;
      armed = undefined;
      return waited;
    },
    async cut() {
      const ports = [...relay.pairs].map(({ upstream }) => upstream.localPort).filter(Boolean);
      const admin = new pg.Client({ connectionString: databaseUrl });
      await admin.connect();
      await admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND client_port = ANY($1)',
        [ports],
      );
      await admin.end();
      for (const pair of relay.pairs) pair.end();
      shut = false;
    },
    close: () => relay.close(),
  };
}
