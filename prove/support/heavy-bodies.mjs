import { once } from 'node:events';
import { connect } from 'node:net';
import { watchHealth } from './health-watch.mjs';
import { PeakMemory } from './peak-memory.mjs';
import { atMost, countBy } from './report.mjs';
import { ADMIN_KEY } from './service.mjs';

const MEGABYTE = 1024 * 1024;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data; boundary=edge';

const inForm = (name) =>
  `--edge\r\nContent-Disposition: form-data; name="question"\r\n\r\nx\r\n--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;

/**
 * Every kind of route that accepts a body, with its expected answer; only an admin has presented a key. The short form
 * leaves out those that are `alike` to another.
 */
const routes = (flow) => [
  { to: `POST /api/v1/prediction/${flow}`, status: 413 },
  { to: `POST /api/v1/prediction/${flow}`, form: 'overrideConfig', status: 413 },
  { to: 'POST /api/v1/inspection/capture', status: 413 },
  { to: 'POST /api/v1/inspection/capture', form: 'photographsMeta', status: 413 },
  { to: 'POST /api/v1/pdf/render', status: 413 },
  { to: `POST /api/v1/feedback/${flow}`, status: 413, megabytes: 9.5 },
  { to: 'PUT /api/v1/feedback/any', status: 413, megabytes: 9.5, alike: true },
  { to: 'POST /api/v1/leads', status: 413, megabytes: 9.5, alike: true },
  { to: 'POST /api/v1/flows', admin: true, status: 413, megabytes: 9.5 },
  { to: `PUT /api/v1/flows/${flow}`, admin: true, status: 413, megabytes: 9.5, alike: true },
  { to: `POST /api/v1/flows/${flow}/run`, admin: true, status: 413, alike: true },
  { to: 'POST /api/v1/flows', status: 401 },
  { to: `PATCH /api/v1/flows/${flow}`, admin: true, status: 405 },
  { to: 'POST /api/v1/nothing', status: 404 },
  { to: `GET /api/v1/chatflows-streaming/${flow}`, status: 200 },
  { to: 'GET /health/live', status: 200, alike: true },
];

/** A body of small values, each of them a list: the most memory per byte. */
const piece = Buffer.from('[],'.repeat(21_000));

/** Resolves when the socket accepts more, or is closed. */
function drained(socket) {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.once('drain', done).once('close', done);
  });
}

/** Sends one such body to its end, whatever the answer. Resolves to the status. */
async function send(url, { to, form, admin, megabytes = 45 }) {
  const { hostname, port } = new URL(url);
  const begin = Buffer.from(`${form ? inForm(form) : ''}{"question":"x","list":[`);
  const end = Buffer.from(`[]]}${form ? '\r\n--edge--\r\n' : ''}`);
  const pieces = Math.floor((megabytes * MEGABYTE) / piece.length);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const headers = [
    `${to} HTTP/1.1`,
    `Host: ${hostname}`,
    `Content-Type: ${form ? FORM_TYPE : JSON_TYPE}`,
    `Content-Length: ${begin.length + pieces * piece.length + end.length}`,
    ...(admin ? [`Authorization: Bearer ${ADMIN_KEY}`] : []),
  ];
  socket.write(`${headers.join('\r\n')}\r\n\r\n`);
  socket.write(begin);
  for (let sent = 0; sent < pieces && !socket.destroyed; sent++) {
    if (!socket.write(piece)) await drained(socket);
  }
  socket.write(end);
  for (let looks = 0; looks < 3_000 && !/^HTTP/.test(answer) && !socket.destroyed; looks++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}

/**
 * Sends five bodies of 45 MB of small values at once (or as large as the route accepts), to one route after another:
 * each is refused, memory is bounded, the service answers others meanwhile and lives.
 */
export async function heavyBodies(proof, kind, service, flow) {
  for (const route of routes(flow)) {
    if (route.alike && process.env.PROVE_SHORT === '1') continue;
    const what = `${kind}: 5 × ${route.megabytes ?? 45} MB to ${route.to}${route.form ? ` (${route.form})` : ''}${route.admin ? ' by an admin' : ''}`;
    const memory = new PeakMemory(service.child.pid);
    const health = watchHealth(service.url);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(service.url, route)));
    const { slowestMs, failed } = await health.end();
    proof.expect(
      `${what}: answers`,
      JSON.stringify(countBy(answers, (status) => status)),
      JSON.stringify({ [route.status]: 5 }),
    );
    proof.expect('  memory at its peak, MB more', memory.end(), atMost(100));
    proof.measure('  /health/live at its slowest, ms', slowestMs, atMost(100));
    proof.expect('  /health/live unanswered', failed, 0);
  }
  proof.expect(`${kind}: the process lives`, service.child.exitCode, null);
}

const SILENT = 50;
/** Thirty seconds, plus some for the check and the machine. */
const SILENCE_MS = 33_000;

/** Opens silent connections. `left()` resolves to how many of them are still open after their time limit. */
export function silentConnections(url) {
  const { hostname, port } = new URL(url);
  const openedAt = performance.now();
  const sockets = Array.from({ length: SILENT }, () => connect(Number(port), hostname));
  for (const socket of sockets) socket.on('error', () => undefined).resume();
  return {
    async left() {
      const wait = SILENCE_MS - (performance.now() - openedAt);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)));
      const open = sockets.filter((socket) => !socket.closed).length;
      for (const socket of sockets) socket.destroy();
      return open;
    },
  };
}
