import { Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { type Pack, pack } from '../../api/reports.js';
import { answered } from '../../api/route-note.js';
import { AddressBlockGuard } from '../../auth/guards/address-block.guard.js';
import { RenderRateGuard } from '../../auth/guards/render-rate.guard.js';
import { AppConfig } from '../../common/app-config.js';
import { ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { linkOrigin } from '../../common/http/own-origin.js';
import { Documented } from '../../common/http/route-table.js';
import { NotFound } from '../../common/service-error.js';
import { ReportAccess } from '../vault/report-access.js';
import { ReportFiles } from '../vault/report-files.js';
import { ReportVault } from '../vault/report-vault.js';
import { signedFile } from '../vault/signed-file-note.js';
import { Packs } from './packs.js';

const LEAST_BYTES = 10_000;
const MOST_BYTES = 2_000_000_000;

const order = z.object({
  partMaxBytes: z
    .int()
    .min(LEAST_BYTES)
    .max(MOST_BYTES)
    .default(40_000_000)
    .describe('The most bytes of a part, except for one that holds a single larger file.'),
});

/** Packs of reports (contract section 6), for the flow's key and the admin key; a part also for the holder of its address. */
@Controller('api/v1/pdf')
export class PacksController {
  constructor(
    private readonly packs: Packs,
    private readonly vault: ReportVault,
    private readonly access: ReportAccess,
    private readonly files: ReportFiles,
    private readonly config: AppConfig,
  ) {}

  @Documented({
    summary: 'Make a pack of a report, its originals and its evidence list',
    description:
      'The report, the list of evidence and each photograph as it was received, for schemes and mailboxes that take files of a limited size. `index.txt` in the first part says what is where, and names recorded photographs whose file is lost or damaged. A single file larger than `partMaxBytes` is a part of its own. The parts are stored as long as their addresses work (`REPORT_LINK_HOURS`); the same request again returns the same parts.',
    access: 'admin-or-flow',
    errors: [
      'stored_file_damaged',
      'invalid_request',
      'not_found',
      'rate_limited',
      'address_blocked',
      'overloaded',
    ],
    answers: answered('The parts, in order.', pack),
  })
  @Post('reports/:id/pack')
  @HttpCode(200)
  @UseGuards(AddressBlockGuard, RenderRateGuard)
  async pack(
    @Param('id') id: string,
    @ValidBody(order) { partMaxBytes }: z.infer<typeof order>,
    @Req() request: Request,
  ): Promise<Pack> {
    const report = await this.vault.get(id);
    await this.access.requireToRead(request, report.flowIds);
    return this.packs.pack(report, partMaxBytes, linkOrigin(request, this.config));
  }

  @Documented({
    ...signedFile('application/zip'),
    summary: 'Download a part of a pack',
    description:
      'The `url` of a part holds `expires` and `signature`, so that it opens without a key for as long as `REPORT_LINK_HOURS` says.',
  })
  @Get('packs/:id/file')
  async file(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const part = await this.packs.find(id);
    if (!part) throw new NotFound('The part of a pack, which is stored as long as its address works,');
    await this.files.sendLinked('pack', part, request, response);
  }
}
