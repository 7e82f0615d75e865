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

  it('fails as a whole when a node of the body fails', async () => {
    const nodes = [start, node('each', 'iteration', { items: [1] }), node('bad', 'fail', {}, 'each')];
    expect(ending(await run(nodes, edges('start>each')))).toMatchObject({ failure: { nodeId: 'bad' } });
  });
});
