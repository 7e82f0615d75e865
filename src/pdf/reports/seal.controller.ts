import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Secrets } from '../../common/secrets/secrets.js';
import { BlobStore } from '../../storage/blob-store.js';
import { keyFingerprint, publicKeyOf } from '../seal/seal-line.js';
import { ReportSigning } from '../signing/report-signing.js';
import { ReportAccess } from '../vault/report-access.js';
import { ReportVault } from '../vault/report-vault.js';

interface SealKey {
  algorithm: string;
  /** Raw, base64url. */
  publicKey: string;
  /** SHA-256 of the SPKI, 64 hex digits; `signature.fingerprint` has the same form. */
  fingerprint: string;
  signature?: { name: string; fingerprint: string };
}

/** The public key of the seal, and the signed list of evidence of each report. */
@Controller('api/v1/pdf')
export class SealController {
  constructor(
    private readonly secrets: Secrets,
    private readonly signing: ReportSigning,
    private readonly vault: ReportVault,
    private readonly access: ReportAccess,
    private readonly store: BlobStore,
  ) {}

  /** Returns the key of the seal, and `signature` if reports are signed as well. */
  @Get('seal')
  key(): SealKey {
    const { sealKey } = this.secrets;
    const { identity: signature } = this.signing;
    return {
      algorithm: 'Ed25519',
      publicKey: publicKeyOf(sealKey),
      fingerprint: keyFingerprint(sealKey),
      ...(signature ? { signature } : {}),
    };
  }

  /** Returns the list of evidence, for the flow's key and the admin key. */
  @Get('reports/:id/manifest')
  async manifest(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const report = await this.vault.get(id);
    await this.access.requireToRead(request, report.flowIds);
    response.type('application/json').send(await this.store.read(report.manifestKey));
  }
}
