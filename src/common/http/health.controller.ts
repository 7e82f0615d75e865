import { Controller, Get } from '@nestjs/common';
import { health, type Health } from '../../api/health.js';
import { answered } from '../../api/route-note.js';
import { Readiness } from '../health/readiness.js';
import { ServiceError } from '../service-error.js';
import { Documented } from './route-table.js';

/** For load balancers and supervisors (contract section 8). */
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Documented({ summary: 'Check that the process runs', answers: answered('The process runs.', health) })
  @Get('live')
  live(): Health {
    return { status: 'live' };
  }

  /** 200 while requests are served; 503 during start and shutdown, and while the database cannot be written. */
  @Documented({
    summary: 'Check that requests are served',
    errors: ['shutting_down'],
    answers: answered('Requests are served.', health),
  })
  @Get('ready')
  async ready(): Promise<Health> {
    if (this.readiness.isReady) {
      await this.readiness.check();
      return { status: 'ready' };
    }
    throw new ServiceError('shutting_down', 'The service is starting or stopping. Try again shortly.', {
      headers: { 'Retry-After': '2' },
    });
  }
}
