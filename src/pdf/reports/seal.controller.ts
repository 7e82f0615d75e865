import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BlobStore } from '../../storage/blob-store.js';
import { EvidenceSeal } from '../seal/evidence-seal.js';
import { ReportSigning } from '../signing/report-signing.js';
import { ReportAccess } from '../vault/report-access.js';
import { ReportVault } from '../vault/report-vault.js';

interface SealKey {
  algorithm: string;
  /** Raw, base64url. */
  publicKey: string;
  /** SHA-256 of the SPKI, 64 hex digits; so is that of the signature's key. */
  fingerprint: string;
  signature?: { name: string; fingerprint: string };
}

/** The proof of a report: the key of the seal, and the signed list of evidence beside each file. */
@Controller('api/v1/pdf')
export class SealController {
  constructor(
    private readonly seal: EvidenceSeal,
    private readonly signing: ReportSigning,
    private readonly vault: ReportVault,
    private readonly access: ReportAccess,
    private readonly store: BlobStore,
  ) {}

  /** `signature` is whose signature reports bear besides, where they bear one. */
  @Get('seal')
  key(): SealKey {
    const { publicKey, fingerprint } = this.seal;
    const { identity: signature } = this.signing;
    return { algorithm: 'Ed25519', publicKey, fingerprint, ...(signature ? { signature } : {}) };
  }

  /** For the flow's key and the admin key. */
  @Get('reports/:id/manifest')
  async manifest(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const report = await this.vault.get(id);
    await this.access.requireToRead(request, report.flowIds);
    response.type('application/json').send(await this.store.read(report.manifestKey));
  }
}
