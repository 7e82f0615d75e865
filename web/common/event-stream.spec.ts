import { EventReader } from './event-stream.js';

const frame = (n: number, event: string, data: unknown) =>
  `id: abc:${n}\ndata: ${JSON.stringify({ event, data })}\n\n`;

describe('a streamed answer', () => {
  const text = `${frame(1, 'agentFlowEvent', 'INPROGRESS')}:heartbeat\n\n${frame(2, 'token', 'line\n\nline')}${frame(3, 'end', '[DONE]')}`;
  const events = [
    { id: 'abc:1', event: 'agentFlowEvent', data: 'INPROGRESS' },
    { id: 'abc:2', event: 'token', data: 'line\n\nline' },
    { id: 'abc:3', event: 'end', data: '[DONE]' },
  ];

  it('is read event by event', () => {
    expect(new EventReader().read(text)).toEqual(events);
  });

  it('is the same wherever the network splits it', () => {
    for (const size of [1, 2, 3, 7, 30]) {
      const reader = new EventReader();
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size),
      );
      expect(pieces.flatMap((piece) => reader.read(piece))).toEqual(events);
    }
  });

  it('keeps back an event that is not complete', () => {
    const reader = new EventReader();
    expect(reader.read(frame(1, 'token', 'a').slice(0, -1))).toEqual([]);
    expect(reader.read('\n')).toHaveLength(1);
  });

  it('ignores unknown events', () => {
    expect(
      new EventReader().read('data: nonsense\n\ndata: {"no":"event"}\n\nevent: x\ndata: null\n\n'),
    ).toEqual([]);
  });
});
