import type { AppConfig } from '../../common/app-config.js';
import { ChatLocks } from './chat-locks.js';

const config = { maxWaitingPerChat: 100 } as AppConfig;
const WAITS = { callerWaits: true };

describe('the line of a chat', () => {
  it('lets runs of one chat go one after another, first come, first served', async () => {
    const turns = new ChatLocks(config);
    const order: number[] = [];
    const call = async (number: number) => {
      const place = turns.join('flow', 'chat', WAITS);
      await place.atFront;
      order.push(number);
      await new Promise((resolve) => setTimeout(resolve, number % 3));
      order.push(number);
      place.leave();
    };
    await Promise.all([1, 2, 3, 4, 5].map(call));
    expect(order).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  });

  it('makes no other chat wait', () => {
    const turns = new ChatLocks(config);
    turns.join('flow', 'chat', WAITS);
    expect(turns.join('flow', 'other', WAITS).atFront).toBeUndefined();
    expect(turns.join('other', 'chat', WAITS).atFront).toBeUndefined();
  });

  it('closes up when somebody in the middle gives up, and twice leaving is leaving once', async () => {
    const turns = new ChatLocks(config);
    const first = turns.join('flow', 'chat', WAITS);
    const second = turns.join('flow', 'chat', WAITS);
    const third = turns.join('flow', 'chat', WAITS);
    second.leave();
    second.leave();
    first.leave();
    await third.atFront;
    third.leave();
    expect(turns.join('flow', 'chat', WAITS).atFront).toBeUndefined();
  });

  it('takes a burst of a hundred calls, and refuses the caller beyond those that may wait at once', () => {
    const turns = new ChatLocks(config);
    const join = (callerWaits = true) => turns.join('flow', 'chat', { callerWaits });
    const first = join();
    for (let count = 0; count < 20; count++) join(false);
    const burst = Array.from({ length: 100 }, () => join());
    expect(() => join()).toThrow(
      expect.objectContaining({ status: 409, code: 'session_busy', headers: { 'Retry-After': '5' } }),
    );
    expect(() => turns.join('flow', 'other', WAITS)).not.toThrow();
    expect(() => join(false)).not.toThrow();
    burst[50]!.leave();
    first.leave();
    expect(() => join()).not.toThrow();
    expect(() => join()).toThrow();
  });
});
