import { fromBER, Integer, Null, OctetString, type Sequence } from 'asn1js';
import { constants, createHash, randomBytes, verify, X509Certificate } from 'node:crypto';
import {
  AlgorithmIdentifier,
  Certificate,
  type ContentInfo,
  IssuerAndSerialNumber,
  MessageImprint,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { postToAdminTarget } from '../../common/outbound/admin-target.js';

const SHA256 = '2.16.840.1.101.3.4.2.1';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const RSA_PSS = '1.2.840.113549.1.1.10';
const DIGESTS: Readonly<Record<string, string>> = {
  [SHA256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
const GRANTED = [0, 1];
const LARGEST_BYTES = 256 * 1024;

/** The reason why there is no time stamp: a sentence for the caller of a render. */
export class NoTimeStamp extends Error {}

/**
 * Requests a token (DER) over bytes from an RFC 3161 server. Throws `NoTimeStamp` if the answer is not granted, is for other
 * bytes or another request, or is not signed by the certificate in it; and `FetchFailed`.
 */
export async function timeStampOf(bytes: Uint8Array, url: string, timeoutMs: number): Promise<Uint8Array> {
  const hash = createHash('sha256').update(bytes).digest();
  // Positive, and of a fixed length in DER.
  const nonce = randomBytes(16);
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  const { status, body } = await postToAdminTarget(url, {
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: requestFor(hash, nonce),
    maxBytes: LARGEST_BYTES,
    timeoutMs,
  });
  if (status !== 200) throw new NoTimeStamp(`It answered with the status ${status}.`);
  try {
    return checkedToken(body, { hash, nonce });
  } catch (error) {
    // Any other error comes from parsing an answer that is no time stamp.
    throw error instanceof NoTimeStamp ? error : new NoTimeStamp('Its answer is not a time stamp.');
  }
}

function requestFor(hash: Uint8Array, nonce: Uint8Array): Uint8Array {
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA256, algorithmParams: new Null() }),
      hashedMessage: new OctetString({ valueHex: hash }),
    }),
    nonce: new Integer({ valueHex: nonce }),
    certReq: true,
  });
  return new Uint8Array(request.toSchema().toBER());
}

/** Checks the token and returns its bytes exactly as sent. */
function checkedToken(body: Uint8Array, sent: { hash: Uint8Array; nonce: Uint8Array }): Uint8Array {
  const { response, token } = read(body);
  const { status } = response.status;
  if (!GRANTED.includes(status)) throw new NoTimeStamp(`It did not grant the stamp (status ${status}).`);
  const { signed, info } = tokenOf(response.timeStampToken);
  const { messageImprint, nonce } = info;
  const isOfBytes =
    messageImprint.hashAlgorithm.algorithmId === SHA256 &&
    same(messageImprint.hashedMessage.valueBlock.valueHexView, sent.hash);
  if (!isOfBytes) throw new NoTimeStamp('It stamped other bytes than those sent.');
  if (!nonce || !same(nonce.valueBlock.valueHexView, sent.nonce))
    throw new NoTimeStamp('It answered another request.');
  if (!token || !isSigned(signed)) throw new NoTimeStamp('The signature of its stamp is wrong.');
  return token;
}

function read(body: Uint8Array): { response: TimeStampResp; token: Uint8Array | undefined } {
  const { result } = fromBER(body);
  const [, token] = (result as Sequence).valueBlock.value;
  return {
    response: new TimeStampResp({ schema: result }),
    token: token && new Uint8Array((token as Sequence).valueBeforeDecodeView),
  };
}

function tokenOf(token: ContentInfo | undefined): { signed: SignedData; info: TSTInfo } {
  const signed = new SignedData({ schema: token!.content });
  const { eContentType, eContent } = signed.encapContentInfo;
  if (eContentType !== TST_INFO) throw new Error('it is a signature of something else');
  return { signed, info: TSTInfo.fromBER(eContent!.getValue()) };
}

/** Verifies the signature over the attributes by the certificate that the token names, and the digest of its content. */
function isSigned({ signerInfos, certificates = [], encapContentInfo }: SignedData): boolean {
  const [signer] = signerInfos;
  const digest = signer && DIGESTS[signer.digestAlgorithm.algorithmId];
  if (!signer?.signedAttrs || digest === undefined) return false;
  const actual = createHash(digest).update(new Uint8Array(encapContentInfo.eContent!.getValue())).digest();
  const named = signer.signedAttrs.attributes.find(({ type }) => type === MESSAGE_DIGEST);
  const value = named?.values[0] as OctetString | undefined;
  if (!value || !same(value.valueBlock.valueHexView, actual)) return false;
  const isPss = signer.signatureAlgorithm.algorithmId === RSA_PSS;
  const signature = signer.signature.valueBlock.valueHexView;
  const attributes = new Uint8Array(signer.signedAttrs.encodedValue);
  return certificates
    .filter((one) => one instanceof Certificate)
    .filter((certificate) => isNamed(certificate, signer.sid))
    .some((certificate) => {
      const { publicKey: key } = new X509Certificate(new Uint8Array(certificate.toSchema().toBER()));
      const manner = isPss ? { key, padding: constants.RSA_PKCS1_PSS_PADDING } : key;
      return verify(digest, attributes, manner, signature);
    });
}

/** Accepts any certificate if the signer is named by the identifier of its key; the right one verifies the signature. */
const isNamed = ({ issuer, serialNumber }: Certificate, sid: unknown): boolean =>
  !(sid instanceof IssuerAndSerialNumber) ||
  (issuer.isEqual(sid.issuer) && serialNumber.isEqual(sid.serialNumber));

const same = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
