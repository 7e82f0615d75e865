/** Names of members that hold secrets anywhere, in lower case without `-` and `_`. */
const ANYWHERE =
  /authorization|apikey|password|passwd|secret|accesstoken|refreshtoken|authtoken|bearertoken|privatekey|^token$|^cookie$|^setcookie$/;

/** Words in the names of headers and parameters of addresses that hold secrets. */
const IN_CALLS = ['auth', 'cookie', 'key', 'token', 'secret', 'password', 'passwd', 'signature'];

/** Whole names of parameters that hold secrets. */
const WHOLE: ReadonlySet<string> = new Set(['sig', 'code', 'pwd', 'pass', 'jwt', 'hmac']);

const MOST_NAME = 100;

/** Returns whether a member of a recorded value holds a secret by its name. */
export const isSecretMember = (name: string): boolean =>
  name.length <= MOST_NAME && ANYWHERE.test(plain(name));

/** Returns whether a header or parameter of a call holds a secret by its name; any `key` does. */
export function isSecretParameter(name: string): boolean {
  const bare = plain(name.slice(0, MOST_NAME));
  if (bare === 'idempotencykey') return false;
  return WHOLE.has(bare) || IN_CALLS.some((word) => bare.includes(word)) || ANYWHERE.test(bare);
}

const plain = (name: string): string => name.replaceAll('-', '').replaceAll('_', '').toLowerCase();
