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
 * Makes a detached CMS signature (DER) of PAdES level B-B: content type, message digest and the signing certificate are
 * signed; the time is in the file instead. `stamp` gets the value of the signature and may return a time-stamp token (DER),
 * which makes it B-T.
 */
export async function signedData(
  digest: Uint8Array,
  signer: Signer,
  stamp: (signature: Uint8Array) => Promise<Uint8Array | undefined>,
): Promise<Uint8Array> {
  const { issuer, serialNumber } = Certificate.fromBER(signer.certificate);
  // In the DER order of a set, because pkijs does not sort.
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

/** Tags signed attributes with 0, others with 1. */
const attributes = (type: 0 | 1, members: Attribute[]) =>
  new SignedAndUnsignedAttributes({ type, attributes: members });

const sequence = (value: OctetString | Sequence) => new Sequence({ value: [value] });

/** The attribute of RFC 5035, with its default hash SHA-256. */
const signingCertificate = (certificate: Uint8Array) =>
  sequence(
    sequence(sequence(new OctetString({ valueHex: createHash('sha256').update(certificate).digest() }))),
  );

/** Returns the attributes in the form that is signed: with the tag of a set instead of their own (RFC 5652, 5.4). */
function asSet(signed: SignedAndUnsignedAttributes): Uint8Array {
  const bytes = new Uint8Array(signed.toSchema().toBER());
  bytes[0] = 0x31;
  return bytes;
}
