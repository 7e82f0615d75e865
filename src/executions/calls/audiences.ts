import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { AppConfig } from '../../common/app-config.js';
import type { CallContext } from './call-context.js';

interface Audience {
  listeners: number;
  grace?: NodeJS.Timeout;
}

/**
 * Counts the listeners of this process's runs. A run without listeners continues for a grace period, in which a client
 * can return; then it is cancelled (contract section 3).
 */
@Injectable()
export class Audiences {
  private readonly audiences = new WeakMap<CallContext, Audience>();

  constructor(private readonly config: AppConfig) {}

  /** Counts the caller as a listener until its response closes. */
  listen(context: CallContext, response: Response): void {
    const audience = this.audiences.get(context) ?? { listeners: 0 };
    this.audiences.set(context, audience);
    audience.listeners++;
    clearTimeout(audience.grace);
    // A response that is already closed emits no further `close`.
    if (response.closed) this.leave(context, audience);
    else response.once('close', () => this.leave(context, audience));
  }

  /** Counts the caller as a listener, unless the run depends on no connection: then its reader only listens. */
  join(context: CallContext, response: Response): void {
    if (this.audiences.has(context)) this.listen(context, response);
  }

  private leave(context: CallContext, audience: Audience): void {
    if (--audience.listeners > 0 || context.isOver) return;
    audience.grace = setTimeout(() => context.cancel('caller_left'), this.config.streamGraceMs).unref();
  }
}
