import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from './signing-people.js';

const pem = (kind: string, der: ArrayBuffer): string =>
  `-----BEGIN ${kind}-----\n${Buffer.from(der)
    .toString('base64')
    .replaceAll(/.{64}/g, '$&\n')}\n-----END ${kind}-----\n`;

const certificateOf = ({ certificate }: Person): string =>
  pem('CERTIFICATE', certificate.toSchema(true).toBER());

/**
 * Variants of a file: with certificates besides the signer's, with another person's key, or with outdated encryption.
 */
export interface P12Manner {
  password?: string;
  chain?: readonly Person[];
  keyOf?: Person;
  certificatesOnly?: boolean;
  legacy?: boolean;
}

/** Writes a PKCS #12 file with `openssl`, and returns its path. */
export async function p12File(
  directory: string,
  name: string,
  person: Person,
  {
    password = 'open sesame',
    chain = [],
    keyOf = person,
    certificatesOnly = false,
    legacy = false,
  }: P12Manner = {},
): Promise<string> {
  const at = (ending: string) => join(directory, `${name}.${ending}`);
  writeFileSync(at('key'), pem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', keyOf.key)), {
    mode: 0o600,
  });
  writeFileSync(at('crt'), certificateOf(person));
  writeFileSync(at('chain'), chain.map(certificateOf).join(''));
  // openssl never writes a certificate beside another's key.
  const isOwn = keyOf === person;
  const key = certificatesOnly ? ['-nokeys', '-in', at('crt')] : ['-inkey', at('key')];
  const own = certificatesOnly
    ? key
    : [...key, ...(isOwn ? ['-in', at('crt')] : ['-nocerts', '-certfile', at('crt')])];
  const others = chain.length > 0 ? ['-certfile', at('chain')] : [];
  const manner = legacy ? ['-legacy'] : [];
  const out = ['-out', at('p12'), '-passout', `pass:${password}`];
  execFileSync('openssl', ['pkcs12', '-export', ...manner, ...own, ...others, ...out], { stdio: 'pipe' });
  return at('p12');
}
