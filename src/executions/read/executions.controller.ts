import { Controller, Delete, Get, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import {
  cancelled,
  execution,
  executionEvent,
  executionStats,
  executionWithTrace,
} from '../../api/executions.js';
import { answered, eventsOf, NOTHING } from '../../api/route-note.js';
import { pageSchema } from '../../api/shapes.js';
import { ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { Documented } from '../../common/http/route-table.js';
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
import { sendLines, streamRecords } from './sent-records.js';

/** Routes of the execution log, for admins (contract section 8). */
@UseGuards(AdminGuard)
@Controller('api/v1/executions')
export class ExecutionsController {
  constructor(
    private readonly archive: ExecutionArchive,
    private readonly stats: ExecutionStats,
    private readonly feed: ExecutionFeed,
    private readonly cancellation: Cancellation,
  ) {}

  @Documented({
    summary: 'Search the execution log',
    description:
      'Every call to prediction, capture and render, also the refused ones. `chatId` is an id in full; a telephone number ' +
      'of nine digits or more finds every chat that is the same number, however either is written (`+44 7700 900123`, ' +
      '`whatsapp:+447700900123`, `07700 900123`). `q` reads question, answer, chat, code and error. `sort=duration` lists the longest of the newest 50,000 first. A refused call shows ' +
      'the flow id that it asked for and, where its body was small and came within a second after the answer, its chat ' +
      'and the first kibibyte of its question.',
    answers: answered('The newest first.', pageSchema(execution)),
  })
  @Get()
  list(@ValidQuery(executionPage) query: ExecutionPage) {
    return this.archive.list(query);
  }

  /** Server-Sent Events: each record when it begins and when it ends. */
  @Documented({
    summary: 'Stream executions as they change',
    answers: {
      200: {
        description: 'Each record when it begins and when it ends.',
        content: eventsOf(executionEvent),
      },
    },
  })
  @Get('stream')
  stream(@ValidQuery(executionFilters) filters: ExecutionFilters, @Res() response: Response): void {
    streamRecords(response, this.feed, filters);
  }

  /** One record a line, newest first. */
  @Documented({
    summary: 'Export the execution log',
    answers: {
      200: { description: 'One record a line.', content: { 'application/x-ndjson': { type: 'string' } } },
    },
  })
  @Get('export')
  export(@ValidQuery(executionFilters) filters: ExecutionFilters, @Res() response: Response): Promise<void> {
    return sendLines(response, this.archive.export(filters));
  }

  @Documented({
    summary: 'Read statistics of executions',
    description:
      'Counts the records that match the filters, by default of the last seven days. `by` is `minute`, `hour` or `day`; by default the finest that needs at most 200 buckets. ' +
      '`utcOffset` is the number of minutes by which the reader’s clock is ahead of UTC, so that days begin at the reader’s midnight.',
    answers: answered('Counts by minute, hour or day.', executionStats),
  })
  @Get('stats')
  charts(@ValidQuery(statsQuery) query: StatsQuery) {
    return this.stats.count(query);
  }

  @Documented({
    summary: 'Read an execution with its trace',
    errors: ['not_found'],
    answers: answered('The record and the run of every node.', executionWithTrace),
  })
  @Get(':id')
  get(@Param('id') id: string) {
    return this.archive.get(id);
  }

  @Documented({
    summary: 'Cancel a running execution',
    errors: ['not_found'],
    answers: answered('Its status; `cancelled` is false if it had already ended.', cancelled),
  })
  @Post(':id/cancel')
  @HttpCode(200)
  cancel(@Param('id') id: string) {
    return this.cancellation.cancel(id);
  }

  @Documented({
    summary: 'Delete an execution',
    errors: ['not_found', 'execution_running'],
    answers: NOTHING,
  })
  @Delete(':id')
  @HttpCode(204)
  delete(@Param('id') id: string): Promise<void> {
    return this.archive.delete(id);
  }
}
