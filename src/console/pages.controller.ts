import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pageNote } from '../api/route-note.js';
import { AppConfig } from '../common/app-config.js';
import { linkOrigin } from '../common/http/own-origin.js';
import { Documented } from '../common/http/route-table.js';
import { Secrets } from '../common/secrets/secrets.js';
import { SAMPLE_CHAT } from '../flows/store/flow-files.js';
import { FlowStore } from '../flows/store/flow-store.js';
import { keyFingerprint } from '../pdf/seal/seal-line.js';
import { ReportSigning } from '../pdf/signing/report-signing.js';
import { sendAsset, sendPage } from './web-pages.js';

/** Serves the pages that belong to no flow, and the files of all pages. */
@Controller()
export class PagesController {
  constructor(
    private readonly config: AppConfig,
    private readonly flows: FlowStore,
    private readonly secrets: Secrets,
    private readonly signing: ReportSigning,
  ) {}

  /** Names no flow but the sample. */
  @Documented(pageNote('The front page'))
  @Get()
  async welcome(@Req() request: Request, @Res() response: Response): Promise<void> {
    const sample = await this.openSample();
    await sendPage(response, 200, 'welcome', {
      origin: linkOrigin(request, this.config),
      sample: sample ?? '',
      // The shell refuses it while unset; a placeholder in a request would count toward the address block.
      flow: sample ?? '${FLOW:?}',
    });
  }

  @Documented(pageNote('The API documentation as a page', 'It reads `/openapi.json` and shows it.'))
  @Get('docs')
  async docs(@Res() response: Response): Promise<void> {
    await sendPage(response, 200, 'docs', {});
  }

  @Documented({
    summary: 'Scripts, styles and pictures of the pages',
    errors: ['not_found'],
    answers: { 200: { description: 'The file.' } },
  })
  @Get('web/assets/:name')
  async asset(@Param('name') name: string, @Res() response: Response): Promise<void> {
    await sendAsset(response, name);
  }

  @Documented(
    pageNote(
      'The console',
      'The same page under every address, with no data in it: its calls carry the admin key.',
    ),
  )
  @Get(['console', 'console/:area', 'console/:area/:item', 'console/:area/:item/:part'])
  async console(@Res() response: Response): Promise<void> {
    await sendPage(response, 200, 'console', {});
  }

  @Documented(
    pageNote(
      'The page that checks a report in the browser',
      'The file is sent nowhere. It trusts the key of this service, and those whose fingerprint the reader types.',
    ),
  )
  @Get('verify')
  async verify(@Res() response: Response): Promise<void> {
    await sendPage(response, 200, 'verify', {
      fingerprint: keyFingerprint(this.secrets.sealKey),
      signer: this.signing.identity?.fingerprint ?? '',
    });
  }

  /** Returns the id of the sample chat while samples are loaded and it is open to everybody. */
  private async openSample(): Promise<string | undefined> {
    if (!this.config.samples) return undefined;
    const access = (await this.flows.find(SAMPLE_CHAT))?.access;
    return access?.public && access.apiKeyId === null ? SAMPLE_CHAT : undefined;
  }
}
