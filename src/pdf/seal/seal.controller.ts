import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { NotFound } from '../../common/service-error.js';
import { BlobStore } from '../../storage/blob-store.js';
import { RenderAccess } from '../render-access.js';
import { ReportVault } from '../report-vault.js';
import { EvidenceSeal } from './evidence-seal.js';

/** What proves a report: the key of the seal, and the signed list of evidence beside each file. */
@Controller('api/v1/pdf')
export class SealController {
  constructor(
    private readonly seal: EvidenceSeal,
    private readonly vault: ReportVault,
    private readonly access: RenderAccess,
    private readonly store: BlobStore,
  ) {}

  @Get('seal')
  key(): { algorithm: string; publicKey: string; fingerprint: string } {
    const { publicKey, fingerprint } = this.seal;
    return { algorithm: 'Ed25519', publicKey, fingerprint };
  }

  /** For the flow's key and the admin key. */
  @Get('reports/:id/manifest')
  async manifest(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const report = await this.vault.find(id);
    if (!report) throw new NotFound('The report');
    const refusal = await this.access.refusalToRead(request, report.flowIds);
    if (refusal) throw refusal;
    response.type('application/json').send(await this.store.read(report.manifestKey));
  }
}
