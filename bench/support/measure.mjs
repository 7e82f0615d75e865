/** Small statistics, and figures that are compared with their targets. */
import { readFileSync } from 'node:fs';
import http from 'node:http';

export function quantile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const median = (values) => quantile(values, 0.5);
export const p99 = (values) => quantile(values, 0.99);

/** Runs each way `rounds` times in rotation, so that other load on the machine hits all alike. */
export async function interleaved(rounds, ...ways) {
  const taken = ways.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, way] of ways.entries()) taken[index].push(await way(round));
  return taken;
}

/** Prints one figure; the process fails if it misses its target, `['<=' | '>=', limit]`. */
export function figure(what, value, unit = '', target) {
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(2);
  if (!target) return console.log(`          ${what}: ${shown}${unit}`);
  const [relation, limit] = target;
  const reached = relation === '<=' ? value <= limit : value >= limit;
  if (!reached) process.exitCode = 1;
  console.log(
    `  ${reached ? 'ok    ' : 'MISSED'}  ${what}: ${shown}${unit} (target ${relation} ${limit}${unit})`,
  );
}

/**
 * Returns the milliseconds of CPU time that a process has used so far, if /proc is available: comparable even on a busy
 * machine.
 */
export function cpuMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

/**
 * Makes one POST on a keep-alive connection. Resolves to milliseconds until `until(textSoFar)` holds, or until the
 * answer's end.
 */
export function timedPost(url, body, { until, headers = {} } = {}) {
  const payload = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const request = http.request(
      url,
      {
        method: 'POST',
        agent,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(payload),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        let reached;
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
          if (until?.(text)) reached ??= performance.now() - startedAt;
        });
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode !== 200) reject(new Error(`${response.statusCode}: ${text}`));
          else if (until && reached === undefined) reject(new Error(`never came: ${text.slice(0, 500)}`));
          else resolve(reached ?? performance.now() - startedAt);
        });
      },
    );
    request.on('error', reject);
    request.end(payload);
  });
}
