/**
 * A proxy to PostgreSQL that simulates a slow disk: each COMMIT that waits for the disk is delayed on its way to the
 * server, while its transaction holds its locks. The delay begins when the server has answered everything before it on
 * its connection (a disk is written after the statements, however early a pipelined COMMIT was sent); later messages
 * stay behind it; other connections do not wait. The COMMIT of a transaction with `SET LOCAL synchronous_commit = off`
 * does not wait for the disk, and is not delayed.
 */
import { addressOf, startRelay, urlThrough } from './relay.mjs';

const COMMIT = /(?:^|;)\s*COMMIT\b/i;
const NOT_WAITING = /\bSET\s+LOCAL\s+synchronous_commit\s*=\s*off\b/i;
/** Messages whose text is read; of all others only the length is read. */
const [QUERY, PARSE] = ['Q', 'P'].map((letter) => letter.charCodeAt(0));
/** The server answers each of them with one ReadyForQuery. */
const ANSWERED = new Set(['Q', 'S', 'F'].map((letter) => letter.charCodeAt(0)));
const READY = 'Z'.charCodeAt(0);

/** `held`: commits delayed so far. */
export async function startSlowCommits(databaseUrl, milliseconds) {
  const counted = { held: 0 };
  const relay = await startRelay(addressOf(databaseUrl), (pair) => slowWire(pair, milliseconds, counted));
  return {
    url: urlThrough(databaseUrl, relay),
    get held() {
      return counted.held;
    },
    close: () => relay.close(),
  };
}

function slowWire(pair, milliseconds, counted) {
  const { client, upstream } = pair;
  // The answer to the startup messages is the first ReadyForQuery.
  let unanswered = 1;
  let waiting = true;
  let allAnswered = () => undefined;
  const queue = [];
  let passing = false;

  async function pass() {
    if (passing) return;
    passing = true;
    while (queue.length > 0) {
      const { type, bytes } = queue.shift();
      const text = type === QUERY || type === PARSE ? bytes.toString('utf8', 5) : '';
      if (NOT_WAITING.test(text)) waiting = false;
      if (type === QUERY && COMMIT.test(text)) {
        if (waiting) await hold();
        waiting = true;
      }
      if (ANSWERED.has(type)) unanswered++;
      pair.send(upstream, bytes);
    }
    passing = false;
    client.resume();
  }

  async function hold() {
    client.pause();
    if (unanswered > 0) await new Promise((resolve) => (allAnswered = resolve));
    counted.held++;
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  const sent = messagesIn(queue, { untyped: true });
  const queued = [];
  const answered = messagesIn(queued, { untyped: false });
  return {
    toServer(chunk) {
      upstream.cork();
      sent(chunk);
      void pass();
      upstream.uncork();
    },
    toClient(chunk) {
      answered(chunk);
      for (const { type } of queued.splice(0)) if (type === READY) unanswered--;
      pair.send(client, chunk);
      if (unanswered === 0) allAnswered();
    },
    closed: () => allAnswered(),
  };
}

/**
 * Splits the data into whole messages: a type of one byte, a length of four that counts itself. The first one of a
 * client has no type. TLS is not supported: the service uses it only if its address requests it.
 */
function messagesIn(messages, { untyped }) {
  let rest = Buffer.alloc(0);
  let starting = untyped;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const before = starting ? 0 : 1;
      if (rest.length < before + 4) return;
      const length = before + rest.readInt32BE(before);
      if (rest.length < length) return;
      const bytes = rest.subarray(0, length);
      rest = rest.subarray(length);
      messages.push({ type: starting ? undefined : bytes[0], bytes });
      starting = false;
    }
  };
}
