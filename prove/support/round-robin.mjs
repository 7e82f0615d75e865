/**
 * A plain HTTP proxy: each request goes to the next of the addresses that `targets()` returns, on a connection of its
 * own. One that refuses the connection is skipped, since it has received nothing; every other break is 502, without a
 * retry. It checks no health: callers of a hanging target hang too.
 */
import { once } from 'node:events';
import http from 'node:http';

export async function startRoundRobin(targets) {
  let next = 0;
  const server = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const call = { request, response, body: Buffer.concat(chunks) };
    const turn = next++;
    const urls = targets();
    for (let tries = 0; tries < urls.length; tries++)
      if (await passedOn(call, urls[(turn + tries) % urls.length])) return;
    response.writeHead(502).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => server.close().closeAllConnections(),
  };
}

/** False if nobody accepted the connection. */
function passedOn({ request, response, body }, url) {
  const { method, headers } = request;
  return new Promise((resolve) => {
    const outgoing = http.request(`${url}${request.url}`, { method, headers, agent: false });
    response.once('close', () => outgoing.destroy());
    outgoing.once('response', (answer) => {
      resolve(true);
      response.writeHead(answer.statusCode, answer.headers);
      answer.on('error', () => response.destroy()).pipe(response);
    });
    outgoing.once('error', (error) => {
      if (error.code === 'ECONNREFUSED') return resolve(false);
      resolve(true);
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    outgoing.end(body);
  });
}
