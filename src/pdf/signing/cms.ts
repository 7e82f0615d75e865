import { fromBER, Null, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import { createHash } from 'node:crypto';
import {
  AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import type { Signer } from './signer.js';

const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
const TIME_STAMP_TOKEN = '1.2.840.113549.1.9.16.2.14';
const SHA256 = '2.16.840.1.101.3.4.2.1';
const RSA_SHA256 = '1.2.840.113549.1.1.11';
const ECDSA_SHA256 = '1.2.840.10045.4.3.2';

/**
 * A detached CMS signature (DER) as PAdES B-B asks for: content type, message digest and the signing certificate are
 * signed; the time stands in the file instead. `stamp` gets the signature's value and returns a time-stamp token (DER) for
 * it, which makes it B-T, or nothing.
 */
export async function signedData(
  digest: Uint8Array,
  signer: Signer,
  stamp: (signature: Uint8Array) => Promise<Uint8Array | undefined>,
): Promise<Uint8Array> {
  const { issuer, serialNumber } = Certificate.fromBER(signer.certificate);
  // In the order that DER gives to the members of a set, which pkijs leaves as they are.
  const signedAttrs = attributes(0, [
    new Attribute({ type: CONTENT_TYPE, values: [new ObjectIdentifier({ value: ContentInfo.DATA })] }),
    new Attribute({ type: MESSAGE_DIGEST, values: [new OctetString({ valueHex: digest })] }),
    new Attribute({ type: SIGNING_CERTIFICATE_V2, values: [signingCertificate(signer.certificate)] }),
  ]);
  const signature = await signer.sign(asSet(signedAttrs));
  const signerInfo = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
    digestAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA256 }),
    signedAttrs,
    signatureAlgorithm: new AlgorithmIdentifier(
      signer.kind === 'RSA'
        ? { algorithmId: RSA_SHA256, algorithmParams: new Null() }
        : { algorithmId: ECDSA_SHA256 },
    ),
    signature: new OctetString({ valueHex: signature }),
  });
  const token = await stamp(signature);
  if (token)
    signerInfo.unsignedAttrs = attributes(1, [
      new Attribute({ type: TIME_STAMP_TOKEN, values: [fromBER(token).result] }),
    ]);
  const content = new SignedData({
    version: 1,
    digestAlgorithms: [new AlgorithmIdentifier({ algorithmId: SHA256 })],
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: ContentInfo.DATA }),
    certificates: [signer.certificate, ...signer.chain]
      .toSorted((one, other) => Buffer.compare(one, other))
      .map((der) => Certificate.fromBER(der)),
    signerInfos: [signerInfo],
  });
  const info = new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content: content.toSchema(true) });
  return new Uint8Array(info.toSchema().toBER());
}

/** Signed attributes stand under the tag 0, others under 1. */
const attributes = (type: 0 | 1, members: Attribute[]) =>
  new SignedAndUnsignedAttributes({ type, attributes: members });

const sequence = (value: OctetString | Sequence) => new Sequence({ value: [value] });

/** RFC 5035, with its default hash: SHA-256. */
const signingCertificate = (certificate: Uint8Array) =>
  sequence(
    sequence(sequence(new OctetString({ valueHex: createHash('sha256').update(certificate).digest() }))),
  );

/** The attributes as they are signed: under the tag of a set, not under the one that they stand under (RFC 5652, 5.4). */
function asSet(signed: SignedAndUnsignedAttributes): Uint8Array {
  const bytes = new Uint8Array(signed.toSchema().toBER());
  bytes[0] = 0x31;
  return bytes;
}
