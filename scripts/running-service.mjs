import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Ends a program before anything was sent, or because no service answers. */
export class NotSent extends Error {}

/** Returns the admin key of the service: `ADMIN_API_KEY`, or the file beside its data. */
export function adminKey({ ADMIN_API_KEY, SECRETS_DIR, DATA_DIR }) {
  if (ADMIN_API_KEY?.trim()) return ADMIN_API_KEY.trim();
  const file = join(SECRETS_DIR || DATA_DIR || 'data', 'admin-key');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new NotSent(
      `There is no admin key: set ADMIN_API_KEY, or DATA_DIR so that ${basename(file)} is found in it.`,
    );
  }
}

/** Returns the address of the service on this machine. */
export function address({ HOST, PORT }) {
  const host = !HOST || HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT || 3000}`;
}

/** Sends a call with the admin key. Throws `NotSent` if no service answers or the key is wrong, and an error with its faults if it is refused. */
export async function callService(method, path, body, { url, key }) {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new NotSent(`No service answers at ${url}. Start it with npm start, or name its --url.`);
  });
  const answer = await response.json().catch(() => ({}));
  if (response.status === 401) throw new NotSent(answer.detail ?? 'The admin key is not the right one.');
  if (response.ok) return answer;
  const faults = (answer.errors ?? []).map(({ path: at, message }) => `\n  ${at}: ${message}`);
  throw new Error(`${answer.detail ?? `the service answered ${response.status}`}${faults.join('')}`);
}
