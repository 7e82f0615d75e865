import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sealedManifest, publicSealKey, type PublicSealKey } from '../../api/reports.js';
import { answered } from '../../api/route-note.js';
import { Documented } from '../../common/http/route-table.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { BlobStore } from '../../storage/blob-store.js';
import { keyFingerprint, publicKeyOf } from '../seal/seal-line.js';
import { readEvidence } from '../seal/stored-evidence.js';
import { ReportSigning } from '../signing/report-signing.js';
import { ReportAccess } from '../vault/report-access.js';
import { ReportVault } from '../vault/report-vault.js';

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

  @Documented({
    summary: 'Read the public key of the seals',
    answers: answered('The key that checks every seal of this service.', publicSealKey),
  })
  @Get('seal')
  key(): PublicSealKey {
    const { sealKey } = this.secrets;
    const { identity: signature } = this.signing;
    return {
      algorithm: 'Ed25519',
      publicKey: publicKeyOf(sealKey),
      fingerprint: keyFingerprint(sealKey),
      ...(signature ? { signature } : {}),
    };
  }

  @Documented({
    summary: 'Download the evidence list of a report',
    access: 'admin-or-flow',
    errors: ['not_found', 'stored_file_damaged'],
    answers: answered('The list, with its seal.', sealedManifest),
  })
  @Get('reports/:id/manifest')
  async manifest(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const report = await this.vault.get(id);
    await this.access.requireToRead(request, report.flowIds);
    response.type('application/json').send((await readEvidence(this.store, report.manifestKey)).bytes);
  }
}
