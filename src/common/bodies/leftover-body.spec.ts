import type { Request, Response } from 'express';
import { EventEmitter } from 'node:events';
import { PATIENCE_MS } from './body-patience.js';
import { discardLeftovers } from './leftover-body.js';

const MOST = 1_000_000;

describe('the rest of the body of an answered call', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Answers a call before its body has arrived. */
  const answered = () => {
    const socket = { bytesRead: 500, destroyed: false, destroy: () => (socket.destroyed = true) };
    const request = { complete: false, socket };
    const response = Object.assign(new EventEmitter(), { shouldKeepAlive: true, getHeader: () => undefined });
    discardLeftovers(MOST)(request as unknown as Request, response as unknown as Response, () => undefined);
    response.emit('prefinish');
    response.emit('finish');
    const arrive = (bytes: number) => {
      socket.bytesRead += bytes;
      jest.advanceTimersByTime(PATIENCE_MS);
    };
    return { arrive, request, socket };
  };

  it('is read while it arrives, up to the largest body of a call', () => {
    const { arrive, request, socket } = answered();
    arrive(MOST / 2);
    arrive(MOST / 2);
    expect(socket.destroyed).toBe(false);
    request.complete = true;
    arrive(MOST);
    expect(socket.destroyed).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is given up where it has no end', () => {
    const { arrive, socket } = answered();
    arrive(MOST);
    arrive(MOST);
    expect(socket.destroyed).toBe(true);
    arrive(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is given up where it drips', () => {
    const { arrive, socket } = answered();
    arrive(100);
    expect(socket.destroyed).toBe(true);
  });
});
