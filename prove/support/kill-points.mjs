/**
 * Loaded into a service (`--import`): kills it at a chosen point of one call. Points are, in order of occurrence:
 * commits (and writes that commit by themselves), names given to files, requests to the ports of `KILL_PORTS`, and the
 * answer. A call chooses its point by the header `x-kill-at: <n>:<before|after>`; `x-kill-at: 0:` only counts, and a
 * call with `x-kill-count` gets the number so far.
 */
import fs from 'node:fs/promises';
import http from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';

const ports = new Set((process.env.KILL_PORTS ?? '').split(',').map(Number));
let armed;

const die = () => process.kill(process.pid, 'SIGKILL');

/** One point: the process dies before it, or after it once the returned function is called. */
function point() {
  if (!armed) return () => undefined;
  const here = ++armed.count === armed.at;
  if (here && armed.when === 'before') die();
  return () => here && die();
}

function throughPoint(object, name, counts) {
  const original = object[name];
  object[name] = function (...given) {
    if (!counts(...given)) return original.apply(this, given);
    const over = point();
    const last = given.at(-1);
    if (typeof last === 'function')
      given[given.length - 1] = function (...told) {
        over();
        return last.apply(this, told);
      };
    const made = original.apply(this, given);
    if (typeof made?.then === 'function') made.then(over, () => undefined);
    return made;
  };
}

const textOf = (query) => (typeof query === 'string' ? query : (query?.text ?? ''));

if (isMainThread && process.argv[1]?.endsWith('main.js')) {
  const require = createRequire(process.argv[1]);
  throughPoint(require('pg').Client.prototype, 'query', (query) => /\bCOMMIT\b/i.test(textOf(query)));
  const { Database } = require('sqlite3');
  for (const name of ['exec', 'run', 'all'])
    throughPoint(Database.prototype, name, (sql) => /^\s*COMMIT\b/i.test(textOf(sql)));
  throughPoint(fs, 'rename', () => true);
  syncBuiltinESMExports();

  const { write } = net.Socket.prototype;
  net.Socket.prototype.write = function (...given) {
    if (!armed || !ports.has(this.remotePort)) return write.apply(this, given);
    const over = point();
    const { push } = this;
    this.push = function (...pushed) {
      this.push = push;
      over();
      return push.apply(this, pushed);
    };
    return write.apply(this, given);
  };

  const { emit } = http.Server.prototype;
  http.Server.prototype.emit = function (event, request, response) {
    if (event !== 'request') return emit.apply(this, arguments);
    if (request.headers['x-kill-count'] !== undefined) {
      response.end(String(armed?.count ?? 0));
      armed = undefined;
      return true;
    }
    const [at, when] = (request.headers['x-kill-at'] ?? '').split(':');
    if (at) {
      armed = { at: Number(at), when, count: 0 };
      const { end } = response;
      response.end = function (...given) {
        response.end = end;
        const over = point();
        const made = end.apply(this, given);
        response.once('finish', over);
        return made;
      };
    }
    return emit.apply(this, arguments);
  };
}
