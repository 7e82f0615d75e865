import { parse as parseEnvFile } from 'dotenv';
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fingerprintOf } from './seals.mjs';

/**
 * Returns the keys that the reader trusts, by fingerprint, each with its name: the given ones, or by default the key of
 * the service that is installed here. Throws, with the remedy, for anything but a key.
 */
export function trustedKeys(given, root) {
  if (given.length > 0) return new Map(given.map((text) => [fingerprintFrom(text), 'given with --key']));
  const own = ownKey(root);
  return own === undefined
    ? new Map()
    : new Map([[own.fingerprint, `the key of this installation, ${own.path}`]]);
}

/** Reads a fingerprint, a public key (base64url), or a file that contains either, the answer of `/pdf/seal`, or PEM. */
function fingerprintFrom(text) {
  const found = readKey(text) ?? readKey(contentOf(text));
  if (found !== undefined) return found;
  throw new Error(
    `--key ${text}: is neither a fingerprint (64 hex digits) nor a public key, nor a file that holds one. Ask whoever made the report for the fingerprint of the service's key.`,
  );
}

function readKey(text) {
  const word = text.trim();
  const digits = word.replaceAll(/[\s:]/g, '').toLowerCase();
  if (/^[0-9a-f]{64}$/.test(digits)) return digits;
  const ofRaw = fingerprintOf(word);
  if (ofRaw !== undefined) return ofRaw;
  try {
    if (word.startsWith('-----BEGIN PUBLIC KEY-----')) return fingerprintOfKey(createPublicKey(word));
    return word.startsWith('{') ? fingerprintOf(JSON.parse(word).publicKey) : undefined;
  } catch {
    return undefined;
  }
}

function contentOf(path) {
  try {
    return readFileSync(path, 'utf8').slice(0, 65_536);
  } catch {
    return '';
  }
}

/** Returns the public half of the service's own seal key; undefined on a machine that has none. */
function ownKey(root) {
  const settings = { ...parseEnvFile(contentOf(join(root, '.env'))), ...set(process.env) };
  if (settings.SEAL_KEY) return ownKeyOf(settings.SEAL_KEY, 'SEAL_KEY');
  const path = join(resolve(root, settings.SECRETS_DIR || settings.DATA_DIR || './data'), 'seal-key');
  try {
    return ownKeyOf(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (error.code === undefined) throw error;
    if (error.code !== 'ENOENT') {
      console.error(`${path} could not be read (${error.code}): name the key with --key.`);
    }
    return undefined;
  }
}

function ownKeyOf(text, path) {
  try {
    const key = Buffer.from(text.trim(), 'base64url');
    const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    return { path, fingerprint: fingerprintOfKey(createPublicKey(privateKey)) };
  } catch {
    throw new Error(
      `${path} holds no key. Restore it from the backup of the secrets, or name the key with --key.`,
    );
  }
}

const fingerprintOfKey = (publicKey) =>
  createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex');

/** An empty value counts as unset, and the environment takes precedence over `.env`, by the service's own rules. */
const set = (variables) => Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
