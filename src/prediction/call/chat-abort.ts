import { Injectable } from '@nestjs/common';
import { DatabaseReader } from '../../database/database-reader.js';
import { Cancellation } from '../../executions/calls/cancellation.js';
import { RunningCalls } from '../../executions/calls/running-calls.js';

/** Stops the runs of a chat on its user's demand (contract section 3). */
@Injectable()
export class ChatAbort {
  constructor(
    private readonly running: RunningCalls,
    private readonly reader: DatabaseReader,
    private readonly cancellation: Cancellation,
  ) {}

  /**
   * Runs of this process stop at once; those of others within a second, and so does one that outlives this process and is
   * handed over just now.
   */
  async abort(flowId: string, chatId: string): Promise<void> {
    const stopped = new Set(this.running.stopChat(flowId, chatId));
    const running = await this.reader.all<{ id: string; outlivesProcess: number }>(
      `SELECT id, outlives_process AS "outlivesProcess" FROM executions
       WHERE chat_id = ? AND flow_id = ? AND kind = 'prediction' AND status = 'running'`,
      [chatId, flowId],
    );
    for (const { id, outlivesProcess } of running)
      if (outlivesProcess === 1 || !stopped.has(id)) await this.cancellation.cancel(id);
  }
}
