/** Runs autocannon in a process of its own, so that the load does not share an event loop with the service. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const autocannon = createRequire(import.meta.url).resolve('autocannon');

/** Posts `body` for `seconds` (or `amount` times) on `connections`; returns { perSecond, p50, p99, total }. */
export async function load(url, { body, connections = 32, seconds = 4, amount }) {
  const until = amount ? ['-a', String(amount)] : ['-d', String(seconds)];
  const child = spawn(
    process.execPath,
    [
      autocannon,
      '-j',
      '-n',
      '-c',
      String(connections),
      ...until,
      '-m',
      'POST',
      '-H',
      'Content-Type=application/json',
      '-b',
      JSON.stringify(body),
      url,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [output, faults] = ['', ''];
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (faults += chunk));
  await new Promise((resolve) => child.once('close', resolve));
  const line = output.split('\n').find((text) => text.startsWith('{'));
  if (!line) throw new Error(`the load did not run: ${faults || output}`);
  const result = JSON.parse(line);
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were no success, ${result.errors} calls failed`);
  return {
    perSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    total: result['2xx'],
  };
}
