import * as asn1js from 'asn1js';

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const [COMMON_NAME, ORGANISATION] = ['2.5.4.3', '2.5.4.10'];
const SUBJECT_KEY = '2.5.29.14';

export function parseDer(bytes) {
  const { result, offset } = asn1js.fromBER(bytes);
  if (offset === -1) throw new Error('it is no DER');
  return result;
}

export const oidOf = (value) => value.valueBlock.toString();

const parts = (value) => value.valueBlock.value;
const isTagged = (value, number) => value?.idBlock.tagClass === 3 && value.idBlock.tagNumber === number;
const bytesOf = (value) => new Uint8Array(value.valueBeforeDecodeView);

/**
 * Reads a CMS `SignedData` of one signer (RFC 5652): the signer, by the certificate that it names, and everything
 * needed to check the signature. Bytes after it (the padding of a signature) are ignored. Throws for anything else.
 */
export function readSignedData(bytes) {
  const [type, wrapped] = parts(parseDer(bytes));
  if (oidOf(type) !== SIGNED_DATA) throw new Error('it is no signature');
  const fields = parts(parts(wrapped)[0]);
  const [, , encapsulated] = fields;
  const certificates = fields.filter((field) => isTagged(field, 0)).flatMap(parts);
  const signers = parts(fields.at(-1));
  if (signers.length !== 1) throw new Error('it has no one signer');
  const signer = readSigner(signers[0]);
  const certificate = certificates.map(readCertificate).find((one) => one.isOf(signer.id));
  if (!certificate) throw new Error('its certificate is missing');
  const inner = parts(encapsulated)[1];
  const content = inner === undefined ? undefined : contentOf(parts(inner)[0]);
  return { ...signer, content, name: certificate.name, publicKey: certificate.publicKey };
}

/** An octet string may be split into pieces. */
const contentOf = (octets) =>
  octets.idBlock.isConstructed
    ? Uint8Array.from(parts(octets).flatMap((part) => [...part.valueBlock.valueHexView]))
    : new Uint8Array(octets.valueBlock.valueHexView);

function readSigner(signer) {
  const [, id, digest, ...rest] = parts(signer);
  const attributes = isTagged(rest[0], 0) ? rest.shift() : undefined;
  const [algorithm, signature, unsigned] = rest;
  return {
    id,
    digestOid: oidOf(parts(digest)[0]),
    attributes: attributes && parts(attributes),
    // They are signed as a SET, not under the tag with which they are encoded (RFC 5652, 5.4).
    attributeBytes: attributes && Uint8Array.from([0x31, ...bytesOf(attributes).subarray(1)]),
    algorithm: oidOf(parts(algorithm)[0]),
    signature: new Uint8Array(signature.valueBlock.valueHexView),
    unsigned: unsigned === undefined ? [] : parts(unsigned),
  };
}

/** Returns the first value of an attribute. */
export function attributeOf(attributes, oid) {
  const found = attributes.filter((attribute) => oidOf(parts(attribute)[0]) === oid);
  return found.length === 1 ? parts(parts(found[0])[1])[0] : undefined;
}

function readCertificate(certificate) {
  const fields = [...parts(parts(certificate)[0])];
  if (isTagged(fields[0], 0)) fields.shift();
  const [serial, , issuer, , subject, publicKey, ...extensions] = fields;
  return {
    name: nameOf(subject),
    publicKey: bytesOf(publicKey),
    isOf: (id) =>
      isTagged(id, 0)
        ? isSame(id.valueBlock.valueHexView, keyIdentifier(extensions))
        : isSame(bytesOf(parts(id)[0]), bytesOf(issuer)) && isSame(bytesOf(parts(id)[1]), bytesOf(serial)),
  };
}

function keyIdentifier(extensions) {
  const list = extensions.filter((one) => isTagged(one, 3)).flatMap((one) => parts(parts(one)[0]));
  const found = list.find((extension) => oidOf(parts(extension)[0]) === SUBJECT_KEY);
  return found && parseDer(parts(found).at(-1).valueBlock.valueHexView).valueBlock.valueHexView;
}

function isSame(one, other) {
  return (
    other !== undefined && one.length === other.length && one.every((byte, place) => byte === other[place])
  );
}

function nameOf(subject) {
  const names = new Map(
    parts(subject)
      .flatMap(parts)
      .map((one) => [oidOf(parts(one)[0]), parts(one)[1].valueBlock.value]),
  );
  return String(names.get(COMMON_NAME) ?? names.get(ORGANISATION) ?? 'somebody without a name');
}
