import { z } from 'zod';
import {
  endedRuns,
  eventsOf,
  failureOf,
  flowInput,
  resultOf,
  tokensOf,
} from '../../../test/fixtures/flows/flow-runs.js';
import { runGraph } from '../../../test/fixtures/flows/run-nodes.js';
import type { Json } from '../engine/json.js';
import type { NodeKind } from '../engine/node-kind.js';
import { iterationNode } from './iteration.node.js';
import { startNode } from './start.node.js';

const start = { id: 'start', kind: 'start' };

describe('iteration', () => {
  const over = (items: Json, message = '<{{$iteration}}>', more: Record<string, Json> = {}) =>
    runGraph(
      [
        start,
        { id: 'each', kind: 'iteration', config: { items, ...more } },
        { id: 'say', kind: 'reply', config: { message }, parentNode: 'each' },
      ],
      [{ from: 'start', to: 'each' }],
      { vars: new Map<string, Json>([['list', [1, 'two', { n: 3 }]]]), question: '["q"]' },
    );

  it('runs its body for each item in order; its output is a list, its text a line each', async () => {
    const events = await over('{{$vars.list}}');
    expect(resultOf(events).text).toBe('<1>\n<two>\n<{"n":3}>');
    expect(endedRuns(events, 'each')[0]!.output).toEqual(['<1>', '<two>', '<{"n":3}>']);
    expect(tokensOf(events)).toEqual(['<1>\n<two>\n<{"n":3}>']);
    expect(endedRuns(events, 'say').map(({ parent }) => parent)).toEqual(
      Array(3).fill(endedRuns(events, 'each')[0]!.runId),
    );
  });

  it.each<[string, Json, string]>([
    ['a text that is a JSON array', '["a", "b"]', '<a>\n<b>'],
    ['what the caller wrote', '{{question}}', '<q>'],
    ['a list with templates', ['{{question}}', 2], '<["q"]>\n<2>'],
    ['a list of objects with templates', [{ q: '{{question}}' }], '<{"q":"[\\"q\\"]"}>'],
    ['no item', '[]', ''],
  ])('takes %s', async (_name, items, text) => {
    expect(resultOf(await over(items)).text).toBe(text);
  });

  it.each<[Json, string]>([
    ['{"a":1}', '{\"a\":1}'],
    ['apples', '"apples"'],
    ['{{nobody}}', '"{{nobody}}"'],
    ['[1,', '"[1,"'],
  ])('says that %s is no list', async (items, shown) => {
    expect(failureOf(await over(items))).toBe(`"items" must be a JSON array; it is ${shown}.`);
  });

  it('takes no more items than a run may ever work on', async () => {
    expect(failureOf(await over(JSON.stringify(Array(10_001).fill(0))))).toContain('10001 items');
  });

  it('says that its items are too many for a run, where it has no loop', async () => {
    expect(failureOf(await over(Array(10_000).fill(0)))).toMatch(/ran 10000 nodes .*process fewer items/);
  });

  it('works on as many at once as it is told, and answers in their order', async () => {
    for (const concurrency of [1, 3]) {
      let [now, most] = [0, 0];
      const slow: NodeKind<{ ms: string }> = {
        kind: 'slow',
        label: 'Slow',
        icon: '',
        config: z.object({ ms: z.string() }),
        streams: false,
        leafText: 'own',
        run: async ({ config: { ms } }) => {
          most = Math.max(most, ++now);
          await new Promise((resolve) => setTimeout(resolve, Number(ms)));
          now--;
          return { output: ms };
        },
      };
      const kinds = new Map(
        ([startNode, iterationNode, slow] as NodeKind[]).map((kind) => [kind.kind, kind]),
      );
      const nodes = [
        start,
        { id: 'each', kind: 'iteration', config: { items: '[9,1,5,2,7,3]', concurrency } },
        { id: 'wait', kind: 'slow', config: { ms: '{{$iteration}}' }, parentNode: 'each' },
      ];
      const events = await eventsOf({ nodes, edges: [{ from: 'start', to: 'each' }] }, kinds, flowInput());
      expect(resultOf(events).text).toBe('9\n1\n5\n2\n7\n3');
      expect(most).toBe(concurrency);
    }
  });
});

describe('loop', () => {
  const looped = (config: Record<string, Json>, more: Record<string, Json> = {}) =>
    runGraph(
      [
        start,
        { id: 'say', kind: 'reply', config: { message: 'round {{loop_count}}', ...more } },
        { id: 'again', kind: 'loop', config: { backTo: 'say', ...config } },
      ],
      [
        { from: 'start', to: 'say' },
        { from: 'say', to: 'again' },
      ],
    );

  it('runs its body five times in all, and then answers what came before it', async () => {
    const events = await looped({});
    expect(endedRuns(events, 'say').map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
    expect(resultOf(events).text).toBe('round 4');
  });

  it('runs it as often as max says, and says its fallback message in the end', async () => {
    const events = await looped({ max: 2, fallbackMessage: 'Gave up after {{loop_count}}.' });
    expect(endedRuns(events, 'say')).toHaveLength(2);
    expect(resultOf(events).text).toBe('Gave up after 1.');
    expect(tokensOf(events).join('')).toBe('Gave up after 1.');
    const [first] = endedRuns(events, 'again');
    expect(endedRuns(events, 'say')[1]!.parent).toBe(first!.runId);
  });

  it('keeps state from round to round', async () => {
    const events = await looped({ max: 3 }, { updateState: { last: '{{$flow.state.last}}{{output}};' } });
    expect(resultOf(events).state).toMatchObject({ last: '{{$flow.state.last}}round 0;round 1;round 2;' });
  });

  it('ends with a clear failure where loops within loops would not end', async () => {
    const loops = [1, 2, 3, 4].map((n) => ({
      id: `l${n}`,
      kind: 'loop',
      config: { backTo: 'l0', max: 1_000 },
    }));
    const nodes = [start, { id: 'l0', kind: 'set-state', config: { state: {} } }, ...loops];
    const edges = nodes.slice(1).map(({ id }, index) => ({ from: nodes[index]!.id, to: id }));
    expect(failureOf(await runGraph(nodes, edges))).toContain('without coming to an end');
  });
});
