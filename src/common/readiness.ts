import { Injectable } from '@nestjs/common';
import { ServiceError } from './service-error.js';

/** Whether requests are served: not before everything has started, and no longer once the service is stopping. */
@Injectable()
export class Readiness {
  private state: 'starting' | 'ready' | 'stopping' = 'starting';

  get isReady(): boolean {
    return this.state === 'ready';
  }

  get isStopping(): boolean {
    return this.state === 'stopping';
  }

  markReady(): void {
    if (this.state === 'starting') this.state = 'ready';
  }

  /** Must come before anything else of the stop, so that nothing new begins while running calls end. */
  markStopping(): void {
    this.state = 'stopping';
  }
}

/** 503 for a call that comes while the service stops. */
export const shuttingDown = (): ServiceError =>
  new ServiceError(503, 'shutting_down', 'The service is stopping. Send the call again in a moment.', {
    headers: { 'Retry-After': '5' },
  });
