import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { NotFound } from '../../common/service-error.js';
import { ReportFiles } from '../vault/report-files.js';
import { Previews } from './previews.js';

/** The file of a preview (contract section 6), for an hour: for whoever holds its address, the flow's key or the admin key. */
@Controller('api/v1/pdf/previews')
export class PreviewsController {
  constructor(
    private readonly previews: Previews,
    private readonly files: ReportFiles,
  ) {}

  @Get(':id/file')
  async file(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const preview = await this.previews.find(id);
    if (!preview) throw new NotFound('The preview, which lives for an hour,');
    await this.files.sendLinked('preview', preview, request, response);
  }
}
