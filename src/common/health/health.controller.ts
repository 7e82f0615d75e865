import { Controller, Get } from '@nestjs/common';
import { ServiceError } from '../service-error.js';
import { Readiness } from './readiness.js';

/** For load balancers and supervisors (contract section 8). */
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Always 200: the process runs. */
  @Get('live')
  live(): { status: string } {
    return { status: 'live' };
  }

  /** 200 while requests are served; 503 during start and shutdown, and while the database cannot be written. */
  @Get('ready')
  async ready(): Promise<{ status: string }> {
    if (this.readiness.isReady) {
      await this.readiness.check();
      return { status: 'ready' };
    }
    throw new ServiceError('shutting_down', 'The service is starting or stopping. Try again shortly.', {
      headers: { 'Retry-After': '2' },
    });
  }
}
