import { ChatTurns } from './chat-turns.js';

describe('the line of a chat', () => {
  it('lets runs of one chat go one after another, first come, first served', async () => {
    const turns = new ChatTurns();
    const order: number[] = [];
    const call = async (number: number) => {
      const place = turns.join('flow', 'chat');
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
    const turns = new ChatTurns();
    turns.join('flow', 'chat');
    expect(turns.join('flow', 'other').atFront).toBeUndefined();
    expect(turns.join('other', 'chat').atFront).toBeUndefined();
  });

  it('closes up when somebody in the middle gives up, and twice leaving is leaving once', async () => {
    const turns = new ChatTurns();
    const first = turns.join('flow', 'chat');
    const second = turns.join('flow', 'chat');
    const third = turns.join('flow', 'chat');
    second.leave();
    second.leave();
    first.leave();
    await third.atFront;
    third.leave();
    expect(turns.join('flow', 'chat').atFront).toBeUndefined();
  });
});
