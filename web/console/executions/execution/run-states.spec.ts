import type { NodeTrace } from '../../../../src/api/executions.js';
import { statesOf } from '../../graph/node-states.js';
import { drawingOfTrace, reachedOf } from './run-states.js';

const run = (nodeId: string, status: string, more: Partial<NodeTrace> = {}) =>
  ({
    runId: nodeId,
    nodeId,
    label: nodeId,
    kind: 'reply',
    status,
    durationMs: 5,
    output: null,
    ...more,
  }) as NodeTrace;

describe('the states of nodes', () => {
  const runs = [
    run('start', 'succeeded'),
    run('ask', 'failed'),
    run('way', 'succeeded', { output: { branch: '1' } }),
    run('ask', 'succeeded', { attempt: 2 }),
    run('inner', 'succeeded', { parent: 'each' }),
  ];
  const states = statesOf(runs);

  it('come from their latest run', () => {
    expect(states.get('ask')!.status).toBe('succeeded');
    expect(states.get('way')!.branches).toEqual(['1']);
    expect(states.has('other')).toBe(false);
  });

  it('show which part of a large flow was reached', () => {
    const nodes = ['start', 'way', 'ask', 'other', 'each'].map((id) => ({ id, kind: 'reply' }));
    const flow = {
      nodes: [...nodes, { id: 'inner', kind: 'reply', parentNode: 'each' }],
      edges: [
        { from: 'start', to: 'way' },
        { from: 'way', to: 'ask', on: '1' },
        { from: 'way', to: 'ask', on: 'else' },
        { from: 'way', to: 'other', on: 'else' },
      ],
    };
    const reached = reachedOf(flow, states);
    expect(reached.nodes.map(({ id }) => id)).toEqual(['start', 'way', 'ask', 'each', 'inner']);
    expect(reached.edges).toEqual(flow.edges.slice(0, 2));
  });

  it('are drawn in a row when the flow was deleted', () => {
    const { nodes, edges } = drawingOfTrace(runs);
    expect(nodes.map(({ id }) => id)).toEqual(['start', 'ask', 'way']);
    expect(edges).toEqual([
      { from: 'start', to: 'ask' },
      { from: 'ask', to: 'way' },
    ]);
  });
});
