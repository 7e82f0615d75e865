import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import { EVENTS, eventFrame, StreamWriter } from '../../common/http/stream-writer.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import { StreamForward, type StreamPlace } from '../replicas/stream-forward.js';
import { numberedFrame } from './frame-log.js';
import { ResumeTokens } from './resume-tokens.js';
import { StreamEnds } from './stream-ends.js';
import { StreamFollowing } from './stream-following.js';
import type { WireEvent } from './wire-events.js';

/** A client that comes back: to which flow, after which event, and whether it is told why a node failed. */
export interface ComingBack {
  readonly flowId: string;
  readonly lastEventId: string | string[] | undefined;
  readonly seesFailures: boolean;
}

/** Lets a client that lost its stream come back to it, in whatever process the run is (contract sections 3 and 13). */
@Injectable()
export class StreamResume {
  constructor(
    private readonly streams: StreamFollowing,
    private readonly presence: ProcessPresence,
    private readonly forward: StreamForward,
    private readonly tokens: ResumeTokens,
    private readonly ends: StreamEnds,
  ) {}

  /**
   * Sends everything after the event that the client saw last, then the rest of the run; where what it missed is no
   * longer kept, the end alone, for a day. Throws 410 `stream_expired` while such a run goes on, and after that day; 503
   * `overloaded` where the process that runs it cannot be reached.
   */
  async resume({ flowId, lastEventId, seesFailures }: ComingBack, response: Response): Promise<void> {
    const [token, seen] = readEventId(lastEventId);
    if (this.streams.follow(token, seen, response, flowId)) return;
    const executionId = this.tokens.executionOf(token);
    if (executionId === undefined) throw streamExpired();
    const place = { executionId, token, seen };
    const told = () => this.ends.find(flowId, executionId, seesFailures);
    let found = await told();
    const { owner } = found;
    if (owner !== undefined && !this.presence.ids.includes(owner)) {
      if (await this.forward.follow(owner, place, response)) return;
      // It may have ended meanwhile.
      found = await told();
    }
    if (!found.end) throw streamExpired();
    tellEnd(found.end, place, response);
  }
}

function tellEnd(
  end: readonly WireEvent[],
  { executionId, token, seen }: StreamPlace,
  response: Response,
): void {
  response.setHeader('X-Execution-Id', executionId);
  const events = StreamWriter.begin(response, EVENTS);
  for (const [index, { event, data }] of end.entries())
    events?.write(numberedFrame(token, seen + 1 + index, eventFrame(event, data)));
  events?.end();
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
