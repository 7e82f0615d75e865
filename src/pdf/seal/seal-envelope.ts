import type { EvidenceManifest } from './evidence-manifest.js';
import { publicKeyOf, signText } from './seal-line.js';

/** The file beside a report. `signature` is Ed25519 over `JSON.stringify(signed)`; keys and signatures are base64url. */
export interface SealEnvelope {
  signed: { file: { bytes: number; sha256: string }; manifest: EvidenceManifest };
  publicKey: string;
  signature: string;
}

/** The list of evidence, signed together with the hash of the file that it describes. */
export function sealEnvelope(
  manifest: EvidenceManifest,
  file: SealEnvelope['signed']['file'],
  privateKey: string,
): SealEnvelope {
  const signed = { file, manifest };
  return {
    signed,
    publicKey: publicKeyOf(privateKey),
    signature: signText(privateKey, JSON.stringify(signed)),
  };
}
