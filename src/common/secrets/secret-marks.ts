import type { S3Address } from '../storage-address.js';
import { hmacOf } from './constant-time.js';
import { adminKey, credentialsKey, linkSecret, sealKey, type SecretKind } from './secret-kind.js';
import type { Secrets } from './secrets.js';

/**
 * By which processes compare, without showing it, what all of them must have alike: an HMAC of each secret, and of the bucket
 * of blobs where they lie in one, by its variable, base64url.
 */
export type SecretMarks = Readonly<Record<string, string>>;

/**
 * The marks of these secrets, made with the link secret (contract section 13). The admin key may be short enough to be
 * guessed: whoever does not hold the link secret cannot try guesses against its mark. A bucket is its name and prefix: each
 * process may reach it by an endpoint of its own.
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
 * The variables of what is not the same. Where the link secrets differ, the other marks cannot be compared: it alone is
 * named. Only one of two may have a bucket.
 */
export function differingSecrets(own: SecretMarks, other: SecretMarks): string[] {
  const differ = Object.keys({ ...own, ...other }).filter((variable) => own[variable] !== other[variable]);
  return differ.includes(linkSecret.variable) ? [linkSecret.variable] : differ;
}
