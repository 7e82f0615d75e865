import { edges, ending, node, run, start, textOf } from '../../../test/fixtures/flows/engine-kinds.js';
import { endedRuns, tokensOf } from '../../../test/fixtures/flows/flow-runs.js';

describe('loops', () => {
  const nodes = [start, node('count', 'count'), node('again', 'loop', { to: 'count', rounds: 3 })];

  it('runs the body again until the loop lets go', async () => {
    const events = await run(nodes, edges('start>count', 'count>again'));
    expect(endedRuns(events, 'count').map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    const [first] = endedRuns(events, 'again');
    expect(endedRuns(events, 'count')[1]!.parent).toBe(first!.runId);
    expect(textOf(events)).toBe('done');
  });

  it('waits for all of the body before it runs again, and joins once a round', async () => {
    const events = await run(
      [...nodes, node('side', 'say', { text: '{{count}}', ms: 5 })],
      edges('start>count', 'count>again', 'count>side'),
    );
    expect(endedRuns(events, 'side')).toHaveLength(3);
    expect(textOf(events)).toBe('done\nround 1\nround 2\nround 3');
    expect(tokensOf(events).join('')).toBe('done\nround 1\nround 2\nround 3');
  });

  const roundKinds = edges('start>a', 'a>inner', 'inner>b', 'b>outer');
  const nested = (inner: number, outer: number) => [
    start,
    node('a', 'quiet', { text: 'x' }),
    node('inner', 'rounds', { to: 'a', max: inner }),
    node('b', 'quiet', { text: '{{loop_count}}' }),
    node('outer', 'rounds', { to: 'a', max: outer }),
  ];

  it('counts an inner loop anew each time an outer one goes back', async () => {
    const events = await run(nested(3, 2), roundKinds);
    expect(endedRuns(events, 'a')).toHaveLength(6);
    expect(endedRuns(events, 'b').map(({ output }) => output)).toEqual([{ text: '2' }, { text: '5' }]);
    expect(textOf(events)).toBe('round 2');
  });

  it('counts each loop of a body that runs for several items at once by itself', async () => {
    const events = await run(
      [
        start,
        node('each', 'iteration', { items: ['x', 'y'] }),
        node('say', 'say', { text: '{{$iteration}}{{loop_count}}', ms: 1 }, 'each'),
        node('again', 'rounds', { to: 'say', max: 3 }, 'each'),
      ],
      edges('start>each', 'say>again'),
    );
    expect(
      endedRuns(events, 'say')
        .map(({ input }) => (input as { text: string }).text)
        .sort(),
    ).toEqual(['x0', 'x1', 'x2', 'y0', 'y1', 'y2']);
  });

  it('does not hold back the answer because of a loop inside an iteration', async () => {
    const events = await run(
      [
        start,
        node('each', 'iteration', { items: ['x'] }),
        node('item', 'quiet', { text: 'i' }, 'each'),
        node('again', 'loop', { to: 'item', rounds: 0 }, 'each'),
        node('if', 'pick', { take: 'else' }),
        node('dead', 'say', { text: 'dead' }),
        node('alive', 'say', { text: 'a b c' }),
      ],
      edges('start>each', 'item>again', 'each>if', 'if>dead on 0', 'if>alive on else'),
    );
    expect(tokensOf(events)).toEqual(['a', ' b', ' c']);
  });

  it('streams what follows once no loop can run again, and holds earlier text back until then', async () => {
    const parts = (rounds: number) => [
      start,
      node('count', 'count'),
      node('if', 'pick', { take: rounds > 0 ? '0' : 'else' }),
      node('note', 'say', { text: 'n' }),
      node('again', 'loop', { to: 'count', rounds }),
      node('late', 'say', { text: 'x y z', ms: 5 }),
    ];
    const ways = edges('start>count', 'count>if', 'count>note', 'if>again on 0', 'if>late on else');
    expect(tokensOf(await run(parts(0), ways))).toEqual(['n', '\nx', ' y', ' z']);
    expect(tokensOf(await run(parts(3), ways)).join('')).toBe('n\nn\nn\ndone');
  });

  it('keeps the text of a leaf that the last round has yet to run when the loop ends', async () => {
    const parts = [
      start,
      node('count', 'count'),
      node('again', 'loop', { to: 'count', rounds: 2 }),
      node('slow', 'say', { text: 'slow', ms: 10 }),
      node('leaf', 'say', { text: '{{count}}' }),
    ];
    const events = await run(parts, edges('start>count', 'count>again', 'count>slow', 'slow>leaf'));
    expect(tokensOf(events)).toEqual(['done', '\nround 1', '\nround', ' 2']);
    expect(textOf(events)).toBe('done\nround 1\nround 2');
  });

  it('names the loop that has no such node to go back to', async () => {
    const bad = [start, node('again', 'loop', { to: 'nowhere', rounds: 3 })];
    expect(ending(await run(bad, edges('start>again')))).toMatchObject({
      type: 'failed',
      failure: { nodeId: 'again' },
    });
  });

  it('ends a loop that never lets go', async () => {
    const endless = [start, node('a', 'quiet', { text: 'x' }), node('again', 'loop', { to: 'a', rounds: 1 })];
    expect(ending(await run(endless, edges('start>a', 'a>again')))).toMatchObject({ type: 'failed' });
  });
});

describe('iterations', () => {
  it('runs the body once for each item, each with its own item and outputs', async () => {
    const events = await run(
      [
        start,
        node('each', 'iteration', { items: [{ n: 'x' }, { n: 'y' }] }),
        node('first', 'quiet', { text: '<{{$iteration.n}}>' }, 'each'),
        node('second', 'say', { text: '{{first}}!', ms: 2 }, 'each'),
        node('after', 'quiet', { text: '{{each}}' }),
      ],
      edges('start>each', 'first>second', 'each>after'),
    );
    expect(textOf(events)).toBe('["<x>!","<y>!"]');
    expect(tokensOf(events).join('')).toBe('["<x>!","<y>!"]');
    expect(endedRuns(events, 'first')[0]!.parent).toBe(endedRuns(events, 'each')[0]!.runId);
  });

  it('answers with the leaves of the body in definition order, and with values of their type', async () => {
    const branches = await run(
      [
        start,
        node('each', 'iteration', { items: [1] }),
        node('slow', 'say', { text: 'first', ms: 5 }, 'each'),
        node('quick', 'say', { text: 'second' }, 'each'),
      ],
      edges('start>each'),
    );
    expect(endedRuns(branches, 'each')[0]!.output).toEqual(['first\nsecond']);
    const typed = await run(
      [start, node('each', 'values', { items: [1, 2] }), node('one', 'same', { of: 7 }, 'each')],
      edges('start>each'),
    );
    expect(endedRuns(typed, 'each')[0]!.output).toEqual([{ of: 7 }, { of: 7 }]);
  });

  it('fails as a whole when a node of the body fails', async () => {
    const nodes = [start, node('each', 'iteration', { items: [1] }), node('bad', 'fail', {}, 'each')];
    expect(ending(await run(nodes, edges('start>each')))).toMatchObject({ failure: { nodeId: 'bad' } });
  });

  it('ends a run whose outputs together would fill the memory', async () => {
    const items = Array.from({ length: 100 }, (_, index) => index);
    const nodes = [
      start,
      node('each', 'iteration', { items }),
      node('say', 'quiet', { text: '{{question}}{{$iteration}}' }, 'each'),
    ];
    const question = 'q'.repeat(1024 * 1024);
    const events = await run(nodes, edges('start>each'), { question });
    expect(ending(events)).toMatchObject({
      type: 'failed',
      failure: { nodeId: 'say', message: expect.stringMatching(/^The outputs of this run are larger than/) },
    });
    const said = endedRuns(events, 'say').filter(({ status }) => status === 'succeeded');
    expect(said.length).toBeLessThan(64);
  });
});
