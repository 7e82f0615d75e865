import { P12Signer } from '@libpdf/core';
import { createHash, verify, X509Certificate } from 'node:crypto';

/** The reason why a PKCS #12 file cannot sign. The message continues a sentence that begins with the variable. */
export class SignerFault extends Error {
  constructor(
    readonly variable: 'SIGNING_P12' | 'SIGNING_P12_PASSWORD',
    message: string,
  ) {
    super(message);
    this.name = 'SignerFault';
  }
}

/** A key with its certificates. */
export interface Signer {
  /** The name of the certificate's subject. */
  readonly name: string;
  /** SHA-256 of the key's SPKI, 64 hex digits. */
  readonly fingerprint: string;
  /** DER. */
  readonly certificate: Uint8Array;
  /** The other certificates in the file, in DER. */
  readonly chain: readonly Uint8Array[];
  readonly kind: 'RSA' | 'EC';
  /** Epoch milliseconds of the certificate's first and last instant. */
  readonly validFrom: number;
  readonly validTo: number;
  /** Signs with SHA-256. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

const PROBE = Buffer.from('whose key is this?');

/** Opens a PKCS #12 file, also of old kinds of encryption. Throws `SignerFault`. */
export async function openSigner(p12: Uint8Array, password: string): Promise<Signer> {
  const opened = await P12Signer.create(p12, password).catch((error: unknown) => {
    throw faultOf(String((error as Error).message));
  });
  const sign = (bytes: Uint8Array) => opened.sign(bytes, 'SHA-256');
  const all = [opened.certificate, ...opened.certificateChain];
  const probe = await sign(PROBE);
  // A file lists its certificates in any order.
  const own = all.find((der) => isSignedBy(new X509Certificate(der), probe));
  if (!own) throw new SignerFault('SIGNING_P12', 'holds a key that belongs to none of its certificates.');
  const certificate = new X509Certificate(own);
  const spki = certificate.publicKey.export({ format: 'der', type: 'spki' });
  return {
    name: subjectName(certificate),
    fingerprint: createHash('sha256').update(spki).digest('hex'),
    certificate: own,
    chain: all.filter((der) => der !== own),
    kind: opened.keyType,
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
    sign,
  };
}

function isSignedBy({ publicKey }: X509Certificate, signature: Uint8Array): boolean {
  return (
    ['rsa', 'ec'].includes(publicKey.asymmetricKeyType!) && verify('sha256', PROBE, publicKey, signature)
  );
}

/** Reads the parsed subject, because `subject` escapes commas and quotes of a name. */
function subjectName(certificate: X509Certificate): string {
  const { CN, O } = certificate.toLegacyObject().subject as unknown as SubjectNames;
  return [CN, O].flat().find(Boolean) ?? 'unnamed signer';
}

/** A name that a subject has several times is a list. */
type SubjectNames = Partial<Record<'CN' | 'O', string | string[]>>;

function faultOf(message: string): SignerFault {
  if (/integrity|invalid password/i.test(message))
    return new SignerFault('SIGNING_P12_PASSWORD', 'is not the password of the file in SIGNING_P12.');
  if (message.startsWith('No private key')) return new SignerFault('SIGNING_P12', 'holds no private key.');
  if (message.startsWith('No certificates')) return new SignerFault('SIGNING_P12', 'holds no certificate.');
  if (message.startsWith('Unsupported key'))
    return new SignerFault('SIGNING_P12', 'holds a key of an unsupported kind. Use an RSA or EC key.');
  return new SignerFault('SIGNING_P12', 'is not a readable PKCS #12 file.');
}
