/**
 * Shared by proofs that kill a service at chosen points of a call (`kill-points.mjs`) and check its external effects.
 */
import { once } from 'node:events';
import http from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startService } from './service.mjs';

export const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const hook = pathToFileURL(join(dirname(fileURLToPath(import.meta.url)), 'kill-points.mjs'));

/** Another service that records its requests: the kind by the path, the session by `?s=`, and the key. */
export async function startTarget() {
  const target = { asked: [], onAsked: undefined };
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://target');
    const [kind, session] = [pathname.slice(1), searchParams.get('s')];
    target.asked.push({ kind, session, key: request.headers['idempotency-key'] });
    target.onAsked?.(kind, session);
    request.resume();
    response.setHeader('content-type', 'application/json').end('{"taken":true}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(target, {
    port: server.address().port,
    close: () => server.close().closeAllConnections(),
  });
}

/** Starts a service that dies at the point that a call chooses; requests to these ports are points too. */
export const startDoomed = (place, env, ports) =>
  startService(place, { ...env, NODE_OPTIONS: `--import ${hook.href}`, KILL_PORTS: ports.join(',') });

/** Returns the number of points since a call chose one; from now on none is chosen. */
export const pointsOf = async (doomed) =>
  Number((await doomed.request('GET', '/', { headers: { 'x-kill-count': '1' } })).text);

/** Retries a call until there is an answer. */
export async function answerOf(send) {
  for (let tries = 0; tries < 120; tries++) {
    const answer = await send().catch(() => undefined);
    const again =
      answer?.status === 503 || (answer?.status === 409 && answer.json.code !== 'already_decided');
    if (answer && !again) return answer;
    await later(250);
  }
  return { status: 'never', json: {} };
}

/** A node that calls the target, under its own id. */
export const asking = (port) => (id, method) => ({
  id,
  kind: 'http',
  config: { method, url: `http://127.0.0.1:${port}/${id}?s={{$flow.chatId}}` },
});

/** Connects the nodes in sequence. */
export const inARow = (nodes) => nodes.slice(1).map(({ id }, index) => ({ from: nodes[index].id, to: id }));
