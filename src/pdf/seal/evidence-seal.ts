import { Injectable } from '@nestjs/common';
import { generateKeyPairSync } from 'node:crypto';
import { AppConfig } from '../../common/app-config.js';
import type { EvidenceManifest } from './evidence-manifest.js';
import { publicKeyOf, signText } from './seal-line.js';

/** What lies beside a report. `signature` is Ed25519 over `JSON.stringify(signed)`; keys and signatures are base64url. */
export interface SealEnvelope {
  signed: { file: { bytes: number; sha256: string }; manifest: EvidenceManifest };
  publicKey: string;
  signature: string;
}

/** The key that seals reports: made at first start, kept beside the database, never given away. */
@Injectable()
export class EvidenceSeal {
  private kept: string | undefined;

  constructor(private readonly config: AppConfig) {}

  /** PKCS #8, base64url; for the drawing worker. */
  get privateKey(): string {
    return (this.kept ??= this.config.keptSecret('seal-key', freshKey()));
  }

  /** The manifest beside the file, signed together with the file's own hash: over the JSON text of `signed`. */
  envelope(manifest: EvidenceManifest, file: { bytes: number; sha256: string }): SealEnvelope {
    const signed = { file, manifest };
    return {
      signed,
      publicKey: this.publicKey,
      signature: signText(this.privateKey, JSON.stringify(signed)),
    };
  }

  /** Raw Ed25519 public key, base64url: what a sealed report names, to be published where its readers trust it. */
  get publicKey(): string {
    return publicKeyOf(this.privateKey);
  }
}

const freshKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url');
