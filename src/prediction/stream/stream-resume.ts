import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import { RunningCalls } from '../../executions/calls/running-calls.js';
import { Audiences } from './audiences.js';
import { streamTo } from './event-stream.js';
import { FrameLogs } from './frame-logs.js';

/** Lets a client that lost its stream come back to it (contract section 3). */
@Injectable()
export class StreamResume {
  constructor(
    private readonly frameLogs: FrameLogs,
    private readonly running: RunningCalls,
    private readonly audiences: Audiences,
  ) {}

  /**
   * Sends everything after the event that the client saw last, then the rest of the run. Throws 410 `stream_expired`
   * when what it missed is no longer kept, or when it missed nothing.
   */
  resume(flowId: string, lastEventId: string | string[] | undefined, response: Response): void {
    const [token, seen] = readEventId(lastEventId);
    const log = this.frameLogs.find(token);
    if (log?.flowId !== flowId || seen > log.last) throw streamExpired();
    if (seen + 1 < log.first || (log.ended && seen === log.last)) throw streamExpired();
    const life = this.running.find(log.executionId);
    if (life) this.audiences.listen(life, response);
    response.setHeader('X-Execution-Id', log.executionId);
    streamTo(response, log, seen);
  }
}

function readEventId(header: string | string[] | undefined): [token: string, seen: number] {
  const match = /^([0-9a-f]{32}):(\d{1,9})$/.exec(typeof header === 'string' ? header : '');
  if (match) return [match[1]!, Number(match[2])];
  throw new InvalidRequest([
    { path: 'Last-Event-ID', message: 'must be the id of the last event that was received' },
  ]);
}

const streamExpired = (): ServiceError =>
  new ServiceError(410, 'stream_expired', 'Nothing is left of this stream. Send the message again.');
