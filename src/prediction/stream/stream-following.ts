import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { RunningCalls } from '../../executions/calls/running-calls.js';
import { Audiences } from './audiences.js';
import { streamTo } from './event-stream.js';
import type { FrameLog } from './frame-log.js';
import { FrameLogs } from './frame-logs.js';

/** Lets readers follow the streams of this process's runs. */
@Injectable()
export class StreamFollowing {
  constructor(
    private readonly frameLogs: FrameLogs,
    private readonly running: RunningCalls,
    private readonly audiences: Audiences,
  ) {}

  /** Sends everything after the event of this number; false where a part of that is not kept, or nothing follows. */
  follow(token: string, seen: number, response: Response, flowId?: string): boolean {
    const log = this.frameLogs.find(token);
    if (!log || (flowId !== undefined && log.flowId !== flowId) || !isLeftOf(log, seen)) return false;
    const life = this.running.find(log.executionId);
    if (life) this.audiences.listen(life, response);
    response.setHeader('X-Execution-Id', log.executionId);
    streamTo(response, log, seen);
    return true;
  }
}

const isLeftOf = (log: FrameLog, seen: number): boolean =>
  seen <= log.last && seen + 1 >= log.first && !(log.ended && seen === log.last);
