import { edges, ending, node, run, start, textOf } from '../../../test/fixtures/flows/engine-kinds.js';
import { endedRuns, resultOf, tokensOf } from '../../../test/fixtures/flows/flow-runs.js';

describe('running a flow', () => {
  it('streams the leaf and ends with its text', async () => {
    const events = await run([start, node('a', 'say', { text: 'you said {{question}}' })], edges('start>a'));
    expect(events.map(({ type }) => type)).toEqual([
      ...['node-started', 'node-ended', 'node-started'],
      ...['token', 'token', 'token', 'node-ended', 'finished'],
    ]);
    expect(textOf(events)).toBe('you said hi');
  });

  it('emits no token from a node that is no leaf', async () => {
    const events = await run(
      [
        start,
        node('a', 'say', { text: 'inner' }),
        node('b', 'quiet', { text: '<{{a}} {{a.output.content}}>' }),
      ],
      edges('start>a', 'a>b'),
    );
    expect(events.filter(({ type }) => type === 'token')).toEqual([
      { type: 'token', nodeId: 'b', text: '<inner inner>' },
    ]);
  });

  it('runs branches in parallel and a join once', async () => {
    const events = await run(
      [
        start,
        node('a', 'say', { text: 'a', ms: 30 }),
        node('b', 'say', { text: 'b', ms: 1 }),
        node('join', 'quiet', { text: '{{a}}{{b}}' }),
      ],
      edges('start>a', 'start>b', 'a>join', 'b>join'),
    );
    const order = events.flatMap((event) => (event.type === 'node-ended' ? [event.run.nodeId] : []));
    expect(order).toEqual(['start', 'b', 'a', 'join']);
    expect(textOf(events)).toBe('ab');
  });

  it('takes two branches of one condition into one node', async () => {
    const flow = [start, node('if', 'pick', { take: '1' }), node('a', 'quiet', { text: 'here' })];
    const events = await run(flow, edges('start>if', 'if>a on 0', 'if>a on 1'));
    expect(textOf(events)).toBe('here');
    expect(endedRuns(events, 'a')).toHaveLength(1);
  });

  it('lets nothing leak out of an untaken branch, however it fans out', async () => {
    const events = await run(
      [
        start,
        node('if', 'pick', { take: '0' }),
        node('yes', 'quiet', { text: 'yes' }),
        node('no', 'quiet', { text: 'no' }),
        node('n1', 'quiet', { text: 'n1' }),
        node('n2', 'quiet', { text: 'n2' }),
        node('join', 'quiet', { text: '{{yes}} {{no}}' }),
      ],
      edges('start>if', 'if>yes on 0', 'if>no on else', 'no>n1', 'no>n2', 'n1>join', 'yes>join'),
    );
    expect(events.flatMap((event) => (event.type === 'node-started' ? [event.run.nodeId] : []))).toEqual([
      ...['start', 'if', 'yes', 'join'],
    ]);
    expect(textOf(events)).toBe('yes {{no}}');
  });

  it('answers several leaves in definition order, and holds the later tokens until the earlier leaf ends', async () => {
    const events = await run(
      [start, node('slow', 'say', { text: 'one two', ms: 15 }), node('fast', 'say', { text: 'three four' })],
      edges('start>slow', 'start>fast'),
    );
    expect(textOf(events)).toBe('one two\nthree four');
    expect(tokensOf(events).join('')).toBe('one two\nthree four');
    const sent = events.flatMap((event) => (event.type === 'token' ? [event.nodeId] : []));
    expect(sent).toEqual(['slow', 'slow', 'fast']);
  });

  it('lets the next leaf speak as soon as the earlier one cannot run any more', async () => {
    const events = await run(
      [
        start,
        node('if', 'pick', { take: 'else' }),
        node('dead', 'say', { text: 'dead' }),
        node('alive', 'say', { text: 'a b c' }),
      ],
      edges('start>if', 'if>dead on 0', 'if>alive on else'),
    );
    expect(events.filter(({ type }) => type === 'token')).toHaveLength(3);
    expect(textOf(events)).toBe('a b c');
  });

  it('answers what came before a leaf that has no text of its own', async () => {
    const nodes = [start, node('a', 'say', { text: 'kept' }), node('b', 'set', { state: { x: 1 } })];
    const events = await run(nodes, edges('start>a', 'a>b'));
    expect(textOf(events)).toBe('kept');
    expect(tokensOf(events).join('')).toBe('kept');
    expect(textOf(await run([start, nodes[2]!], edges('start>b')))).toBe('');
  });

  it('fails with the name of the node, aborts its siblings, and says nothing afterwards', async () => {
    const events = await run(
      [start, node('bad', 'fail', { ms: 5 }), node('slow', 'say', { text: 'x', ms: 5_000 })],
      edges('start>bad', 'start>slow'),
    );
    expect(ending(events)).toEqual({
      type: 'failed',
      failure: { nodeId: 'bad', label: 'bad', message: 'it broke', cause: new Error('it broke') },
    });
    expect(endedRuns(events, 'bad')[0]).toMatchObject({ status: 'failed', error: 'it broke' });
    expect(endedRuns(events, 'slow')[0]).toMatchObject({ status: 'stopped' });
  });

  it('aborts when its caller says so', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort('the caller left'), 10);
    const nodes = [start, node('slow', 'say', { text: 'x', ms: 5_000 })];
    const events = await run(nodes, edges('start>slow'), {}, controller.signal);
    expect(ending(events)).toEqual({ type: 'aborted', reason: 'the caller left' });
    expect(endedRuns(events, 'slow')[0]).toMatchObject({ status: 'stopped' });
    expect(await run(nodes, edges('start>slow'), {}, controller.signal)).toHaveLength(1);
  });

  it('updates the state with the output of any node, without touching the state it was given', async () => {
    const state = { kept: 'k' };
    const nodes = [
      start,
      node('a', 'quiet', {
        text: 'T',
        updateState: { x: '{{output}}', y: '{{output.text}}!', ['__proto__']: 'p' },
      }),
    ];
    const result = resultOf(await run(nodes, edges('start>a'), { state }));
    expect(result.stateChanged).toBe(true);
    expect(Object.entries(result.state)).toEqual([
      ['kept', 'k'],
      ['x', 'T'],
      ['y', 'T!'],
      ['__proto__', 'p'],
    ]);
    expect(state).toEqual({ kept: 'k' });
  });

  it('fills in a value that the caller set without reading it as a template', async () => {
    const nodeOverrides = new Map([['a', new Map([['text', '{{question}}']])]]);
    const events = await run([start, node('a', 'quiet', { text: 'mine' })], edges('start>a'), {
      nodeOverrides,
    });
    expect(textOf(events)).toBe('{{question}}');
  });

  it('ignores a node that nothing leads to', async () => {
    const nodes = [start, node('a', 'quiet', { text: 'A' }), node('lost', 'quiet', { text: 'L' })];
    expect(textOf(await run(nodes, edges('start>a', 'lost>a')))).toBe('A');
  });
});
