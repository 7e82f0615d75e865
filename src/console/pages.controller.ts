import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppConfig } from '../common/app-config.js';
import { linkOrigin } from '../common/http/own-origin.js';
import { Secrets } from '../common/secrets/secrets.js';
import { SAMPLE_CHAT } from '../flows/store/flow-files.js';
import { FlowStore } from '../flows/store/flow-store.js';
import { keyFingerprint } from '../pdf/seal/seal-line.js';
import { ReportSigning } from '../pdf/signing/report-signing.js';
import { sendAsset, sendPage } from './web-pages.js';

/** Public routes: the pages that belong to no flow, and the files of all pages. */
@Controller()
export class PagesController {
  constructor(
    private readonly config: AppConfig,
    private readonly flows: FlowStore,
    private readonly secrets: Secrets,
    private readonly signing: ReportSigning,
  ) {}

  /** The front page: the name of the service and where to read on. Names no flow but the sample. */
  @Get()
  async welcome(@Req() request: Request, @Res() response: Response): Promise<void> {
    const sample = await this.openSample();
    await sendPage(response, 200, 'welcome', {
      origin: linkOrigin(request, this.config),
      sample: sample ?? '',
      // Unset, the shell refuses it: a placeholder that is sent would count toward the address block.
      flow: sample ?? '${FLOW:?}',
    });
  }

  /** The API documentation: the page reads `/openapi.json` and shows it. */
  @Get('docs')
  async docs(@Res() response: Response): Promise<void> {
    await sendPage(response, 200, 'docs', {});
  }

  @Get('web/assets/:name')
  async asset(@Param('name') name: string, @Res() response: Response): Promise<void> {
    await sendAsset(response, name);
  }

  /** The console: one page under each of its addresses. It holds no data; it asks the API for what it shows. */
  @Get(['console', 'console/:area', 'console/:area/:item', 'console/:area/:item/:part'])
  async console(@Res() response: Response): Promise<void> {
    await sendPage(response, 200, 'console', {});
  }

  /** Serves the page that checks a report in the visitor's browser, with the service's public keys. */
  @Get('verify')
  async verify(@Res() response: Response): Promise<void> {
    await sendPage(response, 200, 'verify', {
      fingerprint: keyFingerprint(this.secrets.sealKey),
      signer: this.signing.identity?.fingerprint ?? '',
    });
  }

  /** The id of the sample chat while samples are loaded and its owner has left it open to everybody. */
  private async openSample(): Promise<string | undefined> {
    if (!this.config.samples) return undefined;
    const access = (await this.flows.find(SAMPLE_CHAT))?.access;
    return access?.public && access.apiKeyId === null ? SAMPLE_CHAT : undefined;
  }
}
