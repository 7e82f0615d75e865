import type { Response } from 'express';
import { EventEmitter } from 'node:events';
import { Logger } from '../../common/logger.js';
import { SessionChanges } from '../session.js';
import type { InspectionSessions } from './inspection-sessions.js';
import { streamSession } from './session-stream.js';

/** A minimal response that records everything written to it. */
class Reader extends EventEmitter {
  readonly destroyed = false;
  readonly frames: string[] = [];

  constructor(readonly closed: boolean) {
    super();
  }

  readonly req = { method: 'GET' };

  setHeader(): void {}

  flushHeaders(): void {}

  write(frame: string): boolean {
    return this.frames.push(frame) > 0;
  }
}

describe('the live view of a session', () => {
  const summary = jest.fn(async () => ({ pending: 1 }));
  const sessions = { summary } as unknown as InspectionSessions;
  const open = (reader: Reader) =>
    streamSession(sessions, new SessionChanges(), new Logger('silent'), reader as unknown as Response, {
      flowId: 'f',
      sessionId: 's',
    });

  beforeEach(() => {
    jest.useFakeTimers();
    summary.mockClear();
  });

  afterEach(() => jest.useRealTimers());

  it('says what a session holds at once, and again only when it has changed', async () => {
    const reader = new Reader(false);
    open(reader);
    await jest.advanceTimersByTimeAsync(10_000);
    const told = () => reader.frames.filter((frame) => frame.startsWith('data: '));
    expect(told()).toEqual([
      'data: {"event":"session","data":{"flowId":"f","sessionId":"s","pending":1}}\n\n',
    ]);
    summary.mockImplementationOnce(async () => ({ pending: 2 }));
    await jest.advanceTimersByTimeAsync(2_000);
    expect(told()).toHaveLength(2);
    reader.emit('close');
  });

  it('asks the database no more once its reader has left', async () => {
    const reader = new Reader(false);
    open(reader);
    await jest.advanceTimersByTimeAsync(5_000);
    reader.emit('close');
    summary.mockClear();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(summary).not.toHaveBeenCalled();
  });

  it('asks it nothing for a reader who left before it was opened', async () => {
    const reader = new Reader(true);
    open(reader);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(summary).not.toHaveBeenCalled();
    expect(reader.frames).toEqual([]);
  });
});
