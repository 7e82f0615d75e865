import { fromBER, ObjectIdentifier, type Sequence } from 'asn1js';
import { createHash } from 'node:crypto';
import type { Signer } from './signer.js';

const OIDS = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
  sha256: '2.16.840.1.101.3.4.2.1',
  RSA: '1.2.840.113549.1.1.11',
  EC: '1.2.840.10045.4.3.2',
} as const;

/** DER: a tag, the length, and the parts as they are, so that bytes that were signed before stay the same. */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const hex = content.length.toString(16);
  const size = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  const length = content.length < 0x80 ? size : Buffer.concat([Buffer.from([0x80 | size.length]), size]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
};

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
/** In DER the members of a set stand in the order of their bytes. */
const set = (...parts: Uint8Array[]) =>
  der(0x31, ...parts.toSorted((one, other) => Buffer.compare(one, other)));
const octets = (bytes: Uint8Array) => der(0x04, bytes);
const oid = (name: keyof typeof OIDS) => new Uint8Array(new ObjectIdentifier({ value: OIDS[name] }).toBER());
const ONE = der(0x02, Buffer.from([1]));
const NULL = der(0x05);
/** The same content under a tag that says its place: 0 or 1. */
const underTag = (place: 0 | 1, [, ...rest]: Uint8Array) => Buffer.from([0xa0 | place, ...rest]);
const wrapped = (place: 0 | 1, content: Uint8Array) => der(0xa0 | place, content);

const attribute = (name: keyof typeof OIDS, value: Uint8Array) => sequence(oid(name), set(value));

/**
 * A detached CMS signature (DER) as PAdES B-B asks for: content type, message digest and the signing certificate are
 * signed, and no time is said: that stands in the file. `stamp` is given the signature's value and answers a time-stamp
 * token (DER) for it, which makes it B-T, or nothing.
 */
export async function signedData(
  digest: Uint8Array,
  signer: Signer,
  stamp: (signature: Uint8Array) => Promise<Uint8Array | undefined>,
): Promise<Uint8Array> {
  // They are signed as the set that they are, not under the tag that they stand under (RFC 5652, 5.4).
  const attributes = set(
    attribute('contentType', oid('data')),
    attribute('messageDigest', octets(digest)),
    attribute('signingCertificateV2', signingCertificate(signer.certificate)),
  );
  const signature = await signer.sign(attributes);
  const token = await stamp(signature);
  const signerInfo = sequence(
    ONE,
    issuerAndSerial(signer.certificate),
    sequence(oid('sha256')),
    underTag(0, attributes),
    signer.kind === 'RSA' ? sequence(oid('RSA'), NULL) : sequence(oid('EC')),
    octets(signature),
    ...(token ? [underTag(1, set(attribute('timeStampToken', token)))] : []),
  );
  const content = sequence(
    ONE,
    set(sequence(oid('sha256'))),
    sequence(oid('data')),
    underTag(0, set(signer.certificate, ...signer.chain)),
    set(signerInfo),
  );
  return sequence(oid('signedData'), wrapped(0, content));
}

/** RFC 5035, with its default hash: SHA-256. */
const signingCertificate = (certificate: Uint8Array) =>
  sequence(sequence(sequence(octets(createHash('sha256').update(certificate).digest()))));

function issuerAndSerial(certificate: Uint8Array): Uint8Array {
  const body = (fromBER(certificate).result as Sequence).valueBlock.value[0] as Sequence;
  const fields = body.valueBlock.value as Sequence[];
  const [serial, , issuer] = fields[0]!.idBlock.tagClass === 3 ? fields.slice(1) : fields;
  return sequence(...[issuer!, serial!].map((field) => new Uint8Array(field.valueBeforeDecodeView)));
}
