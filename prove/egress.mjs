/**
 * Outbound rules: 40 spellings of forbidden addresses, redirects to them and a rebinding name server; not one
 * connection reaches a forbidden address. Runs itself again in a network namespace (needs root and iproute2), in which
 * listeners on every local address count connections.
 */
import './support/short-sizes.mjs';
import { spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import http from 'node:http';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { makePlace } from './support/place.mjs';
import { atLeast, Proof, skip } from './support/report.mjs';
import { startService } from './support/service.mjs';

const inside = process.env.PROVE_EGRESS_INSIDE === '1';

if (!inside) {
  const self = fileURLToPath(import.meta.url);
  const setUp = [
    'ip link set lo up',
    // A stand-in for the internet: a public address, reachable only in here.
    'ip addr add 93.184.215.14/32 dev lo',
    'ip addr add 169.254.169.254/32 dev lo',
    'ip addr add 10.1.2.3/32 dev lo',
    'ip addr add 192.168.7.7/32 dev lo',
    'ip addr add 172.16.5.5/32 dev lo',
    'ip addr add 100.64.1.1/32 dev lo',
    'ip -6 addr add fd00::1/128 dev lo nodad',
    // Names are resolved by the proof's own server.
    'mkdir -p /tmp/egress-etc && printf "nameserver 127.0.0.53\\noptions timeout:1 attempts:1\\n" > /tmp/egress-etc/resolv.conf',
    'mount --bind /tmp/egress-etc/resolv.conf /etc/resolv.conf',
    `exec ${process.execPath} ${self}`,
  ].join(' && ');
  if (!canIsolate()) skip('no network namespace could be made here (it takes root, unshare and ip)');
  const { status } = spawnSync('unshare', ['--net', '--mount', 'sh', '-c', setUp], {
    stdio: 'inherit',
    env: { ...process.env, PROVE_EGRESS_INSIDE: '1' },
  });
  process.exit(status ?? 1);
}

/** Returns true if a network namespace can be made. */
function canIsolate() {
  const tried = spawnSync('unshare', ['--net', '--mount', 'ip', 'link', 'set', 'lo', 'up']);
  return tried.error === undefined && tried.status === 0;
}

const proof = new Proof('prove:egress');
const PORT = 8080;
const PUBLIC = '93.184.215.14';
const reached = { forbidden: 0, public: 0 };

/** Listens on every address of the namespace; a connection to any but the public one is a breach. */
async function listen(host) {
  const server = http.createServer((request, response) => {
    // One connection per request, so that every call resolves the name again.
    response.shouldKeepAlive = false;
    const target = new URL(request.url, 'http://x').searchParams.get('to');
    // Sent as raw bytes, since some spellings are not ASCII.
    if (target) response.writeHead(302, { Location: Buffer.from(target).toString('latin1') }).end();
    else response.writeHead(200, { 'Content-Type': 'text/plain' }).end('reached');
  });
  server.on('connection', (socket) => {
    const local = socket.localAddress.replace('::ffff:', '');
    if (local === PUBLIC) reached.public++;
    else reached.forbidden++;
  });
  await new Promise((resolve) => server.listen(PORT, host, resolve));
  return server;
}

/**
 * A name server: `public.test` is public, `private.test` is not, `rebind.test` is public at first and 127.0.0.1 then.
 */
function startNameServer() {
  const counts = new Map();
  const socket = dgram.createSocket('udp4');
  socket.on('message', (query, peer) => {
    const labels = [];
    let at = 12;
    while (query[at] !== 0) {
      labels.push(query.subarray(at + 1, at + 1 + query[at]).toString());
      at += query[at] + 1;
    }
    const name = labels.join('.').toLowerCase();
    const type = query.readUInt16BE(at + 1);
    const times = counts.get(name) ?? 0;
    if (type === 1) counts.set(name, times + 1);
    const address = {
      'public.test': PUBLIC,
      'private.test': '10.1.2.3',
      'local.test': '127.0.0.1',
      'metadata.test': '169.254.169.254',
      'rebind.test': times % 2 === 0 ? PUBLIC : '127.0.0.1',
    }[name];
    const question = query.subarray(12, at + 5);
    const header = Buffer.from([
      query[0],
      query[1],
      0x81,
      0x80,
      0,
      1,
      0,
      address && type === 1 ? 1 : 0,
      0,
      0,
      0,
      0,
    ]);
    const answer = Buffer.from([
      0xc0,
      0x0c,
      0,
      1,
      0,
      1,
      0,
      0,
      0,
      0,
      0,
      4,
      ...(address ?? '0.0.0.0').split('.').map(Number),
    ]);
    socket.send(
      Buffer.concat(address && type === 1 ? [header, question, answer] : [header, question]),
      peer.port,
      peer.address,
    );
  });
  return new Promise((resolve) => socket.bind(53, '127.0.0.53', () => resolve(socket)));
}

const spellings = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '0177.0.0.01',
  '017700000001',
  '127.127.127.127',
  '0.0.0.0',
  '0',
  '0x0',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fd00::1]',
  '[::ffff:10.1.2.3]',
  '[::ffff:169.254.169.254]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'foo.localhost',
  '10.1.2.3',
  '0xa.1.2.3',
  '167838211',
  '192.168.7.7',
  '172.16.5.5',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '100.64.1.1',
  'private.test',
  'local.test',
  'metadata.test',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  'local.test.',
];

const flow = {
  id: 'outbound',
  name: 'outbound',
  nodes: [
    { id: 'start', kind: 'start', config: {} },
    { id: 'http', kind: 'http', config: { method: 'GET', url: '{{question}}', timeoutMs: 5000 } },
  ],
  edges: [{ from: 'start', to: 'http' }],
};

const servers = [await listen('0.0.0.0')];
const v6 = net.createServer((socket) => (reached.forbidden++, socket.destroy()));
await new Promise((resolve) => v6.listen({ port: PORT, host: '::', ipv6Only: true }, resolve));
const names = await startNameServer();
const place = await makePlace('sqlite');
const service = await startService(place, { FETCH_ALLOW_HTTP: 'true', INITIAL_CREDIT: '100000' });
await service.createFlow(flow);

const fetchBy = {
  'http node': (url) => service.predict('outbound', { question: url }),
  'capture url': (url) =>
    service.request('POST', '/api/v1/inspection/capture', {
      body: { flowId: 'outbound', sessionId: 's', photographs: [{ url }] },
    }),
};

for (const [how, call] of Object.entries(fetchBy)) {
  await call(`http://public.test:${PORT}/`);
  proof.expect(`${how}: a public address is reached`, reached.public, atLeast(1));
  reached.public = 0;
  for (const spelling of spellings) await call(`http://${spelling}:${PORT}/`);
  proof.expect(`${how}: connections by ${spellings.length} spellings`, reached.forbidden, 0);
  for (const spelling of spellings)
    await call(`http://public.test:${PORT}/?to=${encodeURIComponent(`http://${spelling}:${PORT}/`)}`);
  proof.expect(`${how}: connections by redirects to them`, reached.forbidden, 0);
  for (let turn = 0; turn < 20; turn++) await call(`http://rebind.test:${PORT}/`);
  proof.expect(`${how}: connections by a rebinding name`, reached.forbidden, 0);
  proof.expect(`${how}: the public address was reached on the way`, reached.public, atLeast(1));
  reached.public = 0;
}
proof.expect('the service still runs', service.child.exitCode, null);
await service.stop();
await place.remove();
names.close();
v6.close();
for (const server of servers) (server.closeAllConnections(), server.close());
proof.end();
