import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** Whether requests are served: not before everything has started, and no longer once the service is stopping. */
@Injectable()
export class Readiness implements OnModuleDestroy {
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

  onModuleDestroy(): void {
    this.state = 'stopping';
  }
}
