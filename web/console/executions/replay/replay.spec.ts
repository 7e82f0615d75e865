import { after, type Replay } from './replay.js';

const begun: Replay = { state: 'running', reconnecting: false, answer: '', nodes: new Map() };
const progress = (data: unknown) => ({ event: 'nextAgentFlow', data });

describe('a run that is followed', () => {
  it('collects the answer and the states of nodes', () => {
    const events = [
      progress({ nodeId: 'a', status: 'INPROGRESS' }),
      { event: 'token', data: 'It is ' },
      { event: 'token', data: 'so.' },
      progress({ nodeId: 'a', status: 'FINISHED' }),
      progress({ nodeId: 'b', status: 'ERROR' }),
    ];
    const { answer, nodes } = events.reduce(after, begun);
    const end = { event: 'metadata', data: { text: 'It is so, at last.' } };
    expect(after({ ...begun, answer }, end).answer).toBe('It is so, at last.');
    expect(after({ ...begun, answer }, { event: 'metadata', data: {} }).answer).toBe(answer);
    expect(answer).toBe('It is so.');
    expect([...nodes]).toEqual([
      ['a', { status: 'succeeded' }],
      ['b', { status: 'failed' }],
    ]);
  });

  it('ignores unknown events', () => {
    const odd = [
      { event: 'token', data: 7 },
      progress(null),
      progress({ nodeId: 1 }),
      { event: 'x', data: {} },
    ];
    expect(odd.reduce(after, begun)).toBe(begun);
    const { nodes } = after(begun, progress({ nodeId: '__proto__', status: 'toString' }));
    expect(nodes.get('__proto__')).toEqual({ status: 'toString' });
  });
});
