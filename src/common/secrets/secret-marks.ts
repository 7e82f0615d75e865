import type { S3Address } from '../storage-address.js';
import { hmacOf } from './constant-time.js';
import { adminKey, credentialsKey, linkSecret, sealKey, type SecretKind } from './secret-kind.js';
import type { Secrets } from './secrets.js';

/**
 * HMACs (base64url), by variable, of the secrets and the bucket that all processes must share. Processes compare them
 * without revealing the values.
 */
export type SecretMarks = Readonly<Record<string, string>>;

/**
 * Returns the marks of these secrets, keyed with the link secret (contract section 13): the admin key may be short, and
 * without the link secret nobody can test guesses against its mark. A bucket is marked by its name and prefix, because each
 * process may reach it by another endpoint.
 */
export function marksOf(secrets: Secrets, bucket?: Pick<S3Address, 'bucket' | 'prefix'>): SecretMarks {
  const mark = ({ variable }: Pick<SecretKind, 'variable'>, secret: string): [string, string] => [
    variable,
    hmacOf(secrets.linkSecret, `announced\n${variable}\n${secret}`),
  ];
  return Object.fromEntries([
    mark(linkSecret, secrets.linkSecret),
    mark(adminKey, secrets.adminKey),
    mark(sealKey, secrets.sealKey),
    mark(credentialsKey, secrets.credentialsKey.toString('base64url')),
    ...(bucket ? [mark({ variable: 'STORAGE_URL' }, `${bucket.bucket}/${bucket.prefix}`)] : []),
  ]);
}

/**
 * Returns the variables whose values differ. When the link secrets differ, the other marks cannot be compared and only
 * that variable is returned.
 */
export function differingSecrets(own: SecretMarks, other: SecretMarks): string[] {
  const differ = Object.keys({ ...own, ...other }).filter((variable) => own[variable] !== other[variable]);
  return differ.includes(linkSecret.variable) ? [linkSecret.variable] : differ;
}
