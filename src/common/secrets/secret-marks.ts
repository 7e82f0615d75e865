import { hmacOf } from './constant-time.js';
import { adminKey, credentialsKey, linkSecret, sealKey, type SecretKind } from './secret-kind.js';
import type { Secrets } from './secrets.js';

/** By which processes compare their secrets without showing them: an HMAC of each by its variable, base64url. */
export type SecretMarks = Readonly<Record<string, string>>;

/**
 * The marks of these secrets, made with the link secret (contract section 13). The admin key may be short enough to be
 * guessed: whoever does not hold the link secret cannot try guesses against its mark.
 */
export function marksOf(secrets: Secrets): SecretMarks {
  const mark = ({ variable }: SecretKind, secret: string): [string, string] => [
    variable,
    hmacOf(secrets.linkSecret, `announced\n${variable}\n${secret}`),
  ];
  return Object.fromEntries([
    mark(linkSecret, secrets.linkSecret),
    mark(adminKey, secrets.adminKey),
    mark(sealKey, secrets.sealKey),
    mark(credentialsKey, secrets.credentialsKey.toString('base64url')),
  ]);
}

/**
 * The variables of the secrets that are not the same. Where the link secrets differ, the other marks cannot be compared:
 * it alone is named.
 */
export function differingSecrets(own: SecretMarks, other: SecretMarks): string[] {
  const differ = Object.keys(own).filter((variable) => own[variable] !== other[variable]);
  return differ.includes(linkSecret.variable) ? [linkSecret.variable] : differ;
}
