import { Injectable } from '@nestjs/common';
import { Secrets } from '../../common/secrets/secrets.js';
import { keyFingerprint, publicKeyOf } from './seal-line.js';

/** The key that seals reports: made at first start, kept among the secrets, never given away. */
@Injectable()
export class EvidenceSeal {
  constructor(private readonly secrets: Secrets) {}

  /** PKCS #8, base64url; for the drawing worker. */
  get privateKey(): string {
    return this.secrets.sealKey;
  }

  /** Raw Ed25519 public key, base64url: what a sealed report names, to be published where its readers trust it. */
  get publicKey(): string {
    return publicKeyOf(this.privateKey);
  }

  /** By which readers of a report know the key. */
  get fingerprint(): string {
    return keyFingerprint(this.privateKey);
  }
}
