import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';

/** Time that captures have to end by themselves when the service stops (contract section 8). */
const LAST_CALL_MS = 8_000;

/** The captures whose answers have not gone out: photographs that were sent are not lost because the service stops. */
@Injectable()
export class CapturesUnderWay implements OnModuleDestroy {
  /** How long the service waits for them before their connections are cut. */
  lastCallMs = LAST_CALL_MS;
  private readonly answers = new Set<Response>();
  private emptied: (() => void) | undefined;

  /** Counts a capture from here until its answer is sent or its caller is gone. */
  add(answer: Response): void {
    if (answer.closed) return;
    this.answers.add(answer);
    answer.once('close', () => {
      this.answers.delete(answer);
      if (this.answers.size === 0) this.emptied?.();
    });
  }

  async onModuleDestroy(): Promise<void> {
    if (this.answers.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.emptied = resolve;
      timer = setTimeout(resolve, this.lastCallMs);
    });
    clearTimeout(timer);
  }
}
