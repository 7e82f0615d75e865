import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Clock } from '../../common/clock.js';
import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import { Audiences } from '../../executions/calls/audiences.js';
import { RunningCalls } from '../../executions/calls/running-calls.js';
import { StoredFrames } from '../redis-stream/stored-frames.js';
import { StreamForward, type StreamPlace } from '../replicas/stream-forward.js';
import { streamTo } from '../stream/event-stream.js';
import type { FrameLog } from '../stream/frame-log.js';
import { LiveStreams } from '../stream/live-streams.js';
import { ResumeTokens } from '../stream/resume-tokens.js';
import { sendStoredStream } from './stored-stream.js';
import { type FoundRun, StreamEnds } from './stream-ends.js';

/** A client that resumes a stream. */
export interface StreamPosition {
  readonly flowId: string;
  readonly lastEventId: string | string[] | undefined;
  readonly seesFailures: boolean;
}

/** Resumes streams, whichever process has the run (contract sections 3 and 13). */
@Injectable()
export class StreamResume {
  constructor(
    private readonly liveStreams: LiveStreams,
    private readonly running: RunningCalls,
    private readonly audiences: Audiences,
    private readonly presence: ProcessPresence,
    private readonly forward: StreamForward,
    private readonly tokens: ResumeTokens,
    private readonly ends: StreamEnds,
    private readonly frames: StoredFrames,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends every event after the last one seen, then the rest of the run. If missed events are lost, it sends the end
   * alone, for a day. Throws 410 `stream_expired` while such a run is under way and after that day; 503 `overloaded` if
   * its process cannot be reached.
   */
  async resume({ flowId, lastEventId, seesFailures }: StreamPosition, response: Response): Promise<void> {
    const [token, seen] = readEventId(lastEventId);
    if (this.follow(token, seen, response, flowId)) return;
    const executionId = this.tokens.findExecution(token);
    if (executionId === undefined) throw streamExpired();
    const place = { executionId, token, seen };
    const find = () => this.ends.find(flowId, executionId, seesFailures);
    let found = await find();
    const refusal = await this.forwarded(found, place, response);
    if (refusal === undefined) return;
    // The run may have ended meanwhile.
    if (!found.end) found = await find();
    const { frames, clock } = this;
    const isStored = found.end !== undefined || refusal.status === 503;
    if (isStored && (await sendStoredStream(place, { frames, clock, found, find }, response))) return;
    throw refusal;
  }

  /** Sends a stream of this process after this number. Returns false if a part of it is lost or nothing follows. */
  follow(token: string, seen: number, response: Response, flowId?: string): boolean {
    const log = this.liveStreams.find(token);
    if (!log || (flowId !== undefined && log.flowId !== flowId) || !isLeftOf(log, seen)) return false;
    const context = this.running.find(log.executionId);
    if (context) this.audiences.join(context, response);
    response.setHeader('X-Execution-Id', log.executionId);
    streamTo(response, log, seen);
    return true;
  }

  /** Forwards the stream of another process. Returns the refusal if that fails. */
  private async forwarded(
    { owner, end }: FoundRun,
    place: StreamPlace,
    response: Response,
  ): Promise<ServiceError | undefined> {
    if (owner === undefined || this.presence.ids.includes(owner)) return streamExpired();
    // Not asked, because its machine may be gone too.
    if (end && (await this.presence.isGone(owner))) return streamExpired();
    try {
      return (await this.forward.follow(owner, place, response)) ? undefined : streamExpired();
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
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
  new ServiceError('stream_expired', 'Nothing is left of this stream. Send the message again.');

const isLeftOf = (log: FrameLog, seen: number): boolean =>
  seen <= log.last && seen + 1 >= log.first && !(log.ended && seen === log.last);
