import { Injectable } from '@nestjs/common';
import { generateKeyPairSync } from 'node:crypto';
import { AppConfig } from '../../common/app-config.js';
import { publicKeyOf } from './seal-line.js';

/** The key that seals reports: made at first start, kept beside the database, never given away. */
@Injectable()
export class EvidenceSeal {
  private kept: string | undefined;

  constructor(private readonly config: AppConfig) {}

  /** PKCS #8, base64url; for the drawing worker. */
  get privateKey(): string {
    return (this.kept ??= this.config.keptSecret('seal-key', freshKey()));
  }

  /** Raw Ed25519 public key, base64url: what a sealed report names, to be published where its readers trust it. */
  get publicKey(): string {
    return publicKeyOf(this.privateKey);
  }
}

const freshKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url');
