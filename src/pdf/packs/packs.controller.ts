import { Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { AddressBlockGuard } from '../../auth/guards/address-block.guard.js';
import { RenderRateGuard } from '../../auth/guards/render-rate.guard.js';
import { AppConfig } from '../../common/app-config.js';
import { ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { linkOrigin } from '../../common/http/own-origin.js';
import { NotFound } from '../../common/service-error.js';
import { ReportAccess } from '../vault/report-access.js';
import { ReportFiles } from '../vault/report-files.js';
import { ReportVault } from '../vault/report-vault.js';
import { type PackPart, Packs } from './packs.js';

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

  @Post('reports/:id/pack')
  @HttpCode(200)
  @UseGuards(AddressBlockGuard, RenderRateGuard)
  async pack(
    @Param('id') id: string,
    @ValidBody(order) { partMaxBytes }: z.infer<typeof order>,
    @Req() request: Request,
  ): Promise<{ parts: PackPart[] }> {
    const report = await this.vault.get(id);
    await this.access.requireToRead(request, report.flowIds);
    return this.packs.pack(report, partMaxBytes, linkOrigin(request, this.config));
  }

  @Get('packs/:id/file')
  async file(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const part = await this.packs.find(id);
    if (!part) throw new NotFound('The part of a pack, which is stored as long as its address works,');
    await this.files.sendLinked('pack', part, request, response);
  }
}
