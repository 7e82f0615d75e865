import type { NodeStep, PredictionEvent } from '../../../../src/api/predictions.js';
import { after, type Replay } from './replay.js';

const begun: Replay = { state: 'running', reconnecting: false, answer: '', nodes: new Map() };
const step = (nodeId: string, status: NodeStep['status']): PredictionEvent => ({
  event: 'nextAgentFlow',
  data: { nodeId, nodeLabel: nodeId, status },
});
const metadata = (data: object) => ({ event: 'metadata', data }) as PredictionEvent;

describe('a run that is followed', () => {
  it('collects the answer and the states of nodes', () => {
    const events: PredictionEvent[] = [
      step('a', 'INPROGRESS'),
      { event: 'token', data: 'It is ' },
      { event: 'token', data: 'so.' },
      step('a', 'FINISHED'),
      step('b', 'ERROR'),
    ];
    const { answer, nodes } = events.reduce(after, begun);
    const whole = metadata({ text: 'It is so, at last.' });
    expect(after({ ...begun, answer }, whole).answer).toBe('It is so, at last.');
    expect(after({ ...begun, answer }, metadata({})).answer).toBe(answer);
    expect(answer).toBe('It is so.');
    expect([...nodes]).toEqual([
      ['a', { status: 'succeeded', order: 0 }],
      ['b', { status: 'failed', order: 1 }],
    ]);
  });

  it('ignores unknown events', () => {
    expect(after(begun, { event: 'x', data: {} } as unknown as PredictionEvent)).toBe(begun);
    const { nodes } = after(begun, step('__proto__', 'STOPPED'));
    expect(nodes.get('__proto__')).toEqual({ status: 'waiting', order: 0 });
  });
});
