/**
 * A relay to a server (PostgreSQL, S3, Redis) whose connections are cut, slowed and half-closed while they are used.
 */
import { between } from './random.mjs';
import { addressOf, startRelay, urlThrough } from './relay.mjs';

/** `random` returns numbers from 0 up to 1, which determine the affected connections and the durations. */
export async function startFaultRelay(serverUrl, random) {
  let slow = { until: 0, most: 0 };
  let awayUntil = 0;
  const delay = () => (performance.now() < slow.until ? between(random, 0, slow.most) : 0);
  const relay = await startRelay(addressOf(serverUrl), (pair) => {
    if (performance.now() < awayUntil) pair.end();
    return {
      toServer: inOrder((chunk) => pair.send(pair.upstream, chunk), delay),
      toClient: inOrder((chunk) => pair.send(pair.client, chunk), delay),
    };
  });
  const hit = (share) => {
    const struck = [...relay.pairs].filter(() => random() < share);
    way.struck += struck.length;
    return struck;
  };
  const way = {
    url: urlThrough(serverUrl, relay),
    /** Connections that were cut or half-closed. */
    struck: 0,
    /** Cuts this share of the connections, in both directions, anywhere in a message, and new ones for `forMs`. */
    cut(share, forMs = 0) {
      awayUntil = Math.max(awayUntil, performance.now() + forMs);
      hit(share).forEach((pair) => pair.end());
    },
    /** Delays each packet by up to `most` milliseconds, for `forMs`; packets of one direction stay in order. */
    slow(most, forMs) {
      slow = { until: performance.now() + forMs, most };
    },
    /**
     * Ends this share of the connections towards one side alone. Either the service notices the end while the server's
     * session lives on with its locks, or the server's session ends unnoticed by the service; after `forMs` all of it
     * ends.
     */
    halfClose(share, forMs) {
      for (const pair of hit(share)) {
        pair.outlives = true;
        (random() < 0.5 ? pair.client : pair.upstream).end();
        setTimeout(() => pair.end(), forMs).unref();
      }
    },
    close: () => relay.close(),
  };
  return way;
}

/** Passes on each chunk after its delay, behind those before it. */
function inOrder(send, delay) {
  let last = Promise.resolve();
  let waiting = 0;
  return (chunk) => {
    const ms = delay();
    if (ms === 0 && waiting === 0) return send(chunk);
    waiting++;
    last = last
      .then(() => new Promise((resolve) => setTimeout(resolve, ms)))
      .then(() => {
        waiting--;
        send(chunk);
      });
  };
}
