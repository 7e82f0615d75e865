import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { EvidenceSeal } from '../pdf/seal/evidence-seal.js';
import { ReportSigning } from '../pdf/signing/report-signing.js';
import { WebPages } from './web-pages.js';

/** The page that checks a report in the browser of whoever opens it: it is told the service's own keys and nothing else. */
@Controller('verify')
export class VerifyPageController {
  constructor(
    private readonly pages: WebPages,
    private readonly seal: EvidenceSeal,
    private readonly signing: ReportSigning,
  ) {}

  @Get()
  async open(@Res() response: Response): Promise<void> {
    await this.pages.send(response, 200, 'verify', {
      fingerprint: this.seal.fingerprint,
      signer: this.signing.identity?.fingerprint ?? '',
    });
  }
}
