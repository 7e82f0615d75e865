import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import { RunningCalls } from '../../executions/calls/running-calls.js';
import { EVENTS, eventFrame, StreamWriter } from '../../common/http/stream-writer.js';
import { Audiences } from './audiences.js';
import { streamTo } from './event-stream.js';
import { type FrameLog, numberedFrame } from './frame-log.js';
import { FrameLogs } from './frame-logs.js';
import { ResumeTokens } from './resume-tokens.js';
import { StreamEnds } from './stream-ends.js';

/** A client that comes back: to which flow, after which event, and whether it is told why a node failed. */
export interface ComingBack {
  readonly flowId: string;
  readonly lastEventId: string | string[] | undefined;
  readonly seesFailures: boolean;
}

/** Lets a client that lost its stream come back to it (contract section 3). */
@Injectable()
export class StreamResume {
  constructor(
    private readonly frameLogs: FrameLogs,
    private readonly running: RunningCalls,
    private readonly audiences: Audiences,
    private readonly tokens: ResumeTokens,
    private readonly ends: StreamEnds,
  ) {}

  /**
   * Sends everything after the event that the client saw last, then the rest of the run; where what it missed is no
   * longer kept, the end alone, for a day. Throws 410 `stream_expired` while such a run goes on, and after that day.
   */
  async resume({ flowId, lastEventId, seesFailures }: ComingBack, response: Response): Promise<void> {
    const [token, seen] = readEventId(lastEventId);
    const log = this.frameLogs.find(token);
    if (log?.flowId === flowId && isLeftOf(log, seen)) return this.follow(log, seen, response);
    const executionId = this.tokens.executionOf(token);
    const end = executionId && (await this.ends.endOf(flowId, executionId, seesFailures));
    if (!end) throw streamExpired();
    response.setHeader('X-Execution-Id', executionId);
    const events = StreamWriter.begin(response, EVENTS);
    for (const [index, { event, data }] of end.entries())
      events?.write(numberedFrame(token, seen + 1 + index, eventFrame(event, data)));
    events?.end();
  }

  private follow(log: FrameLog, seen: number, response: Response): void {
    const life = this.running.find(log.executionId);
    if (life) this.audiences.listen(life, response);
    response.setHeader('X-Execution-Id', log.executionId);
    streamTo(response, log, seen);
  }
}

/** Whether all that follows this number is kept, or will be, and something is or may be. */
const isLeftOf = (log: FrameLog, seen: number): boolean =>
  seen <= log.last && seen + 1 >= log.first && !(log.ended && seen === log.last);

function readEventId(header: string | string[] | undefined): [token: string, seen: number] {
  const match = /^([0-9a-f]{32}):(\d{1,9})$/.exec(typeof header === 'string' ? header : '');
  if (match) return [match[1]!, Number(match[2])];
  throw new InvalidRequest([
    { path: 'Last-Event-ID', message: 'must be the id of the last event that was received' },
  ]);
}

const streamExpired = (): ServiceError =>
  new ServiceError(410, 'stream_expired', 'Nothing is left of this stream. Send the message again.');
