import { Controller, Delete, Get, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { Cancellation } from '../calls/cancellation.js';
import { ExecutionArchive } from './execution-archive.js';
import { ExecutionFeed } from './execution-feed.js';
import {
  type ExecutionFilters,
  executionFilters,
  type ExecutionPage,
  executionPage,
  type StatsQuery,
  statsQuery,
} from './execution-query.js';
import { ExecutionStats } from './execution-stats.js';
import { sendLines } from './ndjson.js';
import { streamRecords } from './record-stream.js';

/** The execution log as admins see it (contract section 8). */
@UseGuards(AdminGuard)
@Controller('api/v1/executions')
export class ExecutionsController {
  constructor(
    private readonly archive: ExecutionArchive,
    private readonly stats: ExecutionStats,
    private readonly feed: ExecutionFeed,
    private readonly cancellation: Cancellation,
  ) {}

  @Get()
  list(@ValidQuery(executionPage) query: ExecutionPage) {
    return this.archive.list(query);
  }

  /** Server-Sent Events: each record when it begins and when it ends. */
  @Get('stream')
  stream(@ValidQuery(executionFilters) filters: ExecutionFilters, @Res() response: Response): void {
    streamRecords(response, this.feed, filters);
  }

  /** One record a line, newest first. */
  @Get('export')
  export(@ValidQuery(executionFilters) filters: ExecutionFilters, @Res() response: Response): Promise<void> {
    return sendLines(response, this.archive.export(filters));
  }

  @Get('stats')
  charts(@ValidQuery(statsQuery) query: StatsQuery) {
    return this.stats.of(query);
  }

  @Get(':id')
  get(@Param('id') id: string) {
    return this.archive.get(id);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  cancel(@Param('id') id: string) {
    return this.cancellation.cancel(id);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(@Param('id') id: string): Promise<void> {
    return this.archive.delete(id);
  }
}
