import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Metrics } from './metrics.js';
import { Documented } from './route-table.js';

/** Figures in Prometheus' text format (contract section 8). */
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Documented({
    summary: 'Read metrics for Prometheus',
    answers: { 200: { description: 'Text format.', content: { 'text/plain': { type: 'string' } } } },
  })
  @Get()
  async all(@Res() response: Response): Promise<void> {
    response
      .setHeader('Content-Type', this.metrics.registry.contentType)
      .send(await this.metrics.registry.metrics());
  }
}
