import { CryptoKeySigner, PDF } from '@libpdf/core';
import * as asn1js from 'asn1js';
import type { webcrypto } from 'node:crypto';
import * as pkijs from 'pkijs';

const DAY_MS = 86_400_000;

/** A person with a key and a self-signed certificate. */
export interface Person {
  readonly key: webcrypto.CryptoKey;
  readonly certificate: pkijs.Certificate;
  readonly kind: 'RSA' | 'EC';
}

const KINDS = {
  RSA: {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  },
  EC: { name: 'ECDSA', namedCurve: 'P-256' },
} as const;

export async function personNamed(name: string, kind: 'RSA' | 'EC' = 'EC', until = 365): Promise<Person> {
  const keys = await crypto.subtle.generateKey(KINDS[kind], true, ['sign', 'verify']);
  const certificate = new pkijs.Certificate();
  certificate.version = 2;
  certificate.serialNumber = new asn1js.Integer({ value: Math.floor(Math.random() * 1e9) + 1 });
  for (const side of [certificate.issuer, certificate.subject]) {
    const value = new asn1js.Utf8String({ value: name });
    side.typesAndValues.push(new pkijs.AttributeTypeAndValue({ type: '2.5.4.3', value }));
  }
  certificate.notBefore.value = new Date(Date.now() - 2 * DAY_MS);
  certificate.notAfter.value = new Date(Date.now() + until * DAY_MS);
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  await certificate.sign(keys.privateKey, 'SHA-256');
  return { key: keys.privateKey, certificate, kind };
}

/** Appends a revision signed by a person with a signing tool of their own. */
export async function signedBy({ key, certificate, kind }: Person, pdf: Buffer): Promise<Buffer> {
  const algorithm = kind === 'RSA' ? 'RSASSA-PKCS1-v1_5' : 'ECDSA';
  const der = new Uint8Array(certificate.toSchema(true).toBER());
  const signer = new CryptoKeySigner(key, der, kind, algorithm);
  const { bytes } = await (await PDF.load(new Uint8Array(pdf))).sign({ signer });
  return Buffer.from(bytes);
}
