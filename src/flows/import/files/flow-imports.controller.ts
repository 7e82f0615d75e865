import { Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../../../common/app-config.js';
import { readJsonBody } from '../../../common/bodies/request-body.js';
import { AdminGuard } from '../../../common/http/admin.guard.js';
import { Documented } from '../../../common/http/route-table.js';
import { jsonValuesOf } from '../../../common/json/json-limits.js';
import { FlowImports } from './flow-imports.js';
import { importNote } from './import-note.js';

/** Admins import flows of another service (contract section 9). */
@Controller('api/v1/flows')
@UseGuards(AdminGuard)
export class FlowImportsController {
  constructor(
    private readonly imports: FlowImports,
    private readonly config: AppConfig,
  ) {}

  @Documented(importNote)
  @Post('import')
  @HttpCode(200)
  async import(@Req() request: Request) {
    const body = await readJsonBody(request, this.config.maxJsonBytes);
    return this.imports.import(body ?? {}, jsonValuesOf(request));
  }
}
