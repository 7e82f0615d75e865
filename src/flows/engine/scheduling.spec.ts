import fc from 'fast-check';
import { z } from 'zod';
import { eventsOf, flowInput, resultOf, tokensOf } from '../../../test/fixtures/flows/flow-runs.js';
import type { FlowSource } from './flow-graph.js';
import type { NodeContext, NodeKind } from './node-kind.js';

interface Config {
  ticks: number;
  take: string[];
}

const ticking = (kind: string): NodeKind<Config> => ({
  kind,
  label: kind,
  icon: '',
  config: z.object({ ticks: z.number().default(0), take: z.array(z.string()).default([]) }),
  streams: true,
  leafText: 'own',
  run: async ({ nodeId, config, token }: NodeContext<Config>) => {
    for (let tick = 0; tick < config.ticks; tick++) {
      await new Promise((resolve) => setImmediate(resolve));
      token(`${nodeId}.${tick} `);
    }
    return { output: nodeId, text: `${nodeId} ended`, branches: config.take };
  },
});
const kinds = new Map<string, NodeKind>([
  ['start', ticking('start')],
  ['tick', ticking('tick')],
]);

/** Any flow without circles: edges lead from lower to higher numbers, on branch `a`, `b`, or always. */
const flows = fc
  .record({
    nodes: fc.array(fc.record({ ticks: fc.nat(3), take: fc.subarray(['a', 'b']) }), {
      minLength: 1,
      maxLength: 9,
    }),
    edges: fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.constantFrom('a', 'b', undefined)), { maxLength: 25 }),
  })
  .map(({ nodes, edges }): FlowSource => {
    const last = nodes.length;
    return {
      nodes: [
        { id: 'n0', kind: 'start', config: {} },
        ...nodes.map((config, index) => ({ id: `n${index + 1}`, kind: 'tick', config })),
      ],
      edges: edges
        .filter(([from, to]) => from < to && to <= last)
        .map(([from, to, on]) => ({ from: `n${from}`, to: `n${to}`, on })),
    };
  });

/** The nodes that must run: the start, and every node to which one that runs takes an edge. */
function mustRun({ nodes, edges }: FlowSource): Set<string> {
  const running = new Set(['n0']);
  for (const { id, config } of nodes) {
    if (!running.has(id)) continue;
    const take = (config?.['take'] as string[] | undefined) ?? [];
    for (const edge of edges)
      if (edge.from === id && (edge.on === undefined || take.includes(edge.on))) running.add(edge.to);
  }
  return running;
}

describe('any flow without circles', () => {
  it('runs each node that an edge is taken to exactly once, after all that lead to it, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(flows, async (source) => {
        const events = await eventsOf(source, kinds, flowInput({ question: '' }));
        const started: string[] = [];
        const ended = new Set<string>();
        for (const event of events) {
          if (event.type === 'node-ended') ended.add(event.run.nodeId);
          if (event.type !== 'node-started') continue;
          started.push(event.run.nodeId);
          const before = source.edges.filter(({ to }) => to === event.run.nodeId).map(({ from }) => from);
          const due = mustRun(source);
          for (const from of before) expect(ended.has(from) || !due.has(from)).toBe(true);
        }
        expect([...started].sort()).toEqual([...mustRun(source)].sort());

        expect(tokensOf(events).join('')).toBe(resultOf(events).text);
      }),
      { numRuns: 200 },
    );
  });
});
