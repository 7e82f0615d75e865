import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A secret that the service creates once and stores. */
export interface SecretKind {
  /** The name of its file. */
  readonly file: string;
  /** The variable that sets it instead of the file. */
  readonly variable: string;
  fresh(): string;
  /** Returns the reason why a text is not such a secret; undefined for one that is. */
  faultOf(text: string): string | undefined;
  /** The end of a sentence that says what is lost when the file is deleted and created again. */
  readonly lost: string;
}

const SHORTEST_ADMIN_KEY = 16;
const SHORTEST_LINK_SECRET = 32;
const CREDENTIALS_KEY_BYTES = 32;

const CONTROL = /[\x00-\x1f\x7f\ufffd]/;

/** Removes the byte order mark and line end that editors add to a secret. */
export const secretText = (text: string): string => text.replace(/^\ufeff/, '').trim();

function textFault(text: string, shortest: number): string | undefined {
  if (text === '') return 'is empty';
  if (CONTROL.test(text)) return 'is not one line of text in UTF-8';
  return text.length < shortest ? `is too short: it must have at least ${shortest} characters` : undefined;
}

const fresh = (): string => randomBytes(32).toString('base64url');

export const adminKey: SecretKind = {
  file: 'admin-key',
  variable: 'ADMIN_API_KEY',
  fresh: () => `ak_${fresh()}`,
  faultOf: (text) => textFault(text, SHORTEST_ADMIN_KEY),
  lost: 'clients must be given the new one',
};

/** Signs the addresses of reports. */
export const linkSecret: SecretKind = {
  file: 'link-secret',
  variable: 'LINK_SECRET',
  fresh,
  faultOf: (text) => textFault(text, SHORTEST_LINK_SECRET),
  lost: 'addresses of reports given out so far stop working',
};

/** Signs reports: an Ed25519 key, PKCS #8 in base64url. */
export const sealKey: SecretKind = {
  file: 'seal-key',
  variable: 'SEAL_KEY',
  fresh: () =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
  faultOf: (text) =>
    textFault(text, 1) ?? (isEd25519(text) ? undefined : 'is no Ed25519 key (PKCS #8 in base64url)'),
  lost: 'new reports are sealed with another key',
};

/** Encrypts the credentials of flows: an AES-256 key in base64url. */
export const credentialsKey: SecretKind = {
  file: 'credentials-key',
  variable: 'CREDENTIALS_KEY',
  fresh,
  faultOf: (text) =>
    textFault(text, 1) ??
    (Buffer.from(text, 'base64url').length === CREDENTIALS_KEY_BYTES
      ? undefined
      : `is not ${CREDENTIALS_KEY_BYTES} bytes in base64url (43 characters)`),
  lost: 'credentials must be entered again',
};

function isEd25519(text: string): boolean {
  try {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' });
    return key.asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}
