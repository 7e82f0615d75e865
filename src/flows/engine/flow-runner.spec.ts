import { lastValueFrom, toArray } from 'rxjs';
import { z } from 'zod';
import { compileGraph, type FlowSource } from './flow-graph.js';
import { type FlowInput, runFlow } from './flow-runner.js';
import type { Json } from './json.js';
import type { NodeContext, NodeKind, NodeKinds, NodeResult } from './node-kind.js';
import type { RunEvent } from './run-event.js';
import { waitingNodes } from './snapshot.js';
import { textOf as textFormOf } from './template.js';

type Config = Record<string, Json>;
const kind = (
  name: string,
  leafText: NodeKind['leafText'],
  run: (context: NodeContext<Config>) => Promise<NodeResult> | NodeResult,
): NodeKind<Config> => ({
  kind: name,
  config: z.record(z.string(), z.json()),
  streams: leafText === 'own',
  leafText,
  run: async (context) => run(context),
});

const text = (config: Config, name = 'text') => textFormOf(config[name] ?? null);

const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new Error('stopped'));
    });
  });

const list: NodeKind<Config>[] = [
  kind('start', 'previous', ({ run }) => ({ output: run.question, text: '' })),
  kind('say', 'own', async ({ config, token, signal }) => {
    const words = text(config).split(' ');
    for (const [index, word] of words.entries()) {
      if (typeof config.ms === 'number') await sleep(config.ms, signal);
      token(index === 0 ? word : ` ${word}`);
    }
    return { output: { content: text(config) }, text: text(config) };
  }),
  kind('quiet', 'own', ({ config }) => ({ output: config, text: text(config) })),
  kind('set', 'previous', ({ config }) => ({ output: config, state: config.state as Config })),
  kind('pick', 'previous', ({ config }) => ({ output: null, branches: [text(config, 'take')] })),
  kind('fail', 'own', async ({ config, signal }) => {
    await sleep(Number(config.ms ?? 0), signal);
    throw new Error('it broke');
  }),
  kind('loop', 'own', ({ config, state }) =>
    Number(state.round ?? 0) < Number(config.rounds)
      ? { output: null, loopBackTo: text(config, 'to') }
      : { output: null, text: 'done' },
  ),
  kind('count', 'own', ({ state }) => {
    const round = Number(state.round ?? 0) + 1;
    return { output: round, text: `round ${round}`, state: { round } };
  }),
  kind('iteration', 'json', async ({ config, runChildren }) => {
    const items = config.items as Json[];
    const results = await Promise.all(items.map((item, index) => runChildren(item, index)));
    return { output: results.map(({ text }) => text) };
  }),
  kind('ask', 'own', ({ nodeId, run, config }) =>
    run.humanInput?.startNodeId === nodeId
      ? { output: run.humanInput.type, branches: [run.humanInput.type] }
      : { output: null, text: text(config), stop: { action: { id: nodeId } } },
  ),
];
const kinds: NodeKinds = new Map(list.map((item) => [item.kind, item]));

const node = (id: string, kindName: string, config: Config = {}, parentNode?: string) => ({
  id,
  kind: kindName,
  config,
  ...(parentNode === undefined ? {} : { parentNode }),
});
const edges = (...written: string[]): FlowSource['edges'] =>
  written.map((text) => {
    const [path, on] = text.split(' on ');
    const [from, to] = path!.split('>');
    return { from: from!, to: to!, on };
  });

const input = (more: Partial<FlowInput> = {}): FlowInput => ({
  executionId: 'e',
  flowId: 'f',
  chatId: 'c',
  sessionId: 'c',
  question: 'hi',
  uploads: [],
  history: async () => [],
  vars: new Map(),
  publicUrl: '',
  state: {},
  ...more,
});

const run = (
  nodes: FlowSource['nodes'],
  edgeList: FlowSource['edges'],
  more?: Partial<FlowInput>,
  signal = new AbortController().signal,
): Promise<RunEvent[]> => {
  let id = 0;
  const graph = compileGraph({ nodes, edges: edgeList });
  const options = { signal, now: () => 5, newId: () => `run-${++id}` };
  return lastValueFrom(runFlow(graph, kinds, input(more), options).pipe(toArray()));
};

const ending = (events: RunEvent[]) => events.at(-1)!;
const textOf = (events: RunEvent[]) => {
  const last = ending(events);
  return last.type === 'finished' || last.type === 'waiting' ? last.result.text : last;
};
const tokens = (events: RunEvent[]) =>
  events.flatMap((event) => (event.type === 'token' ? [event.text] : [])).join('');
const ended = (events: RunEvent[], id: string) =>
  events.flatMap((event) => (event.type === 'node-ended' && event.run.nodeId === id ? [event.run] : []));

const start = node('start', 'start');

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
    expect(ended(events, 'a')).toHaveLength(1);
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
    expect(tokens(events)).toBe('one two\nthree four');
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
    expect(tokens(events)).toBe('kept');
    expect(textOf(await run([start, nodes[2]!], edges('start>b')))).toBe('');
  });

  it('fails with the name of the node, aborts its siblings, and says nothing afterwards', async () => {
    const events = await run(
      [start, node('bad', 'fail', { ms: 5 }), node('slow', 'say', { text: 'x', ms: 5_000 })],
      edges('start>bad', 'start>slow'),
    );
    expect(ending(events)).toEqual({
      type: 'failed',
      failure: { nodeId: 'bad', label: 'bad', message: 'it broke' },
    });
    expect(ended(events, 'bad')[0]).toMatchObject({ status: 'failed', error: 'it broke' });
    expect(ended(events, 'slow')[0]).toMatchObject({ status: 'stopped' });
  });

  it('aborts when its caller says so', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort('the caller left'), 10);
    const nodes = [start, node('slow', 'say', { text: 'x', ms: 5_000 })];
    const events = await run(nodes, edges('start>slow'), {}, controller.signal);
    expect(ending(events)).toEqual({ type: 'aborted', reason: 'the caller left' });
    expect(ended(events, 'slow')[0]).toMatchObject({ status: 'stopped' });
    expect(await run(nodes, edges('start>slow'), {}, controller.signal)).toHaveLength(1);
  });

  it('updates the state with the output of any node, without touching the state it was given', async () => {
    const state = { kept: 'k' };
    const nodes = [
      start,
      node('a', 'quiet', {
        text: 'T',
        updateState: { x: '{{output}}', y: '{{output.text}}!', __proto__: 'p' },
      }),
    ];
    const last = ending(await run(nodes, edges('start>a'), { state }));
    expect(last).toMatchObject({ result: { stateChanged: true, state: { kept: 'k', x: 'T', y: 'T!' } } });
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

describe('loops', () => {
  const nodes = [start, node('count', 'count'), node('again', 'loop', { to: 'count', rounds: 3 })];

  it('runs the body again until the loop lets go', async () => {
    const events = await run(nodes, edges('start>count', 'count>again'));
    expect(ended(events, 'count').map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    const [first] = ended(events, 'again');
    expect(ended(events, 'count')[1]!.parent).toBe(first!.runId);
    expect(textOf(events)).toBe('done');
  });

  it('waits for all of the body before it runs again, and joins once a round', async () => {
    const events = await run(
      [...nodes, node('side', 'say', { text: '{{count}}', ms: 5 })],
      edges('start>count', 'count>again', 'count>side'),
    );
    expect(ended(events, 'side')).toHaveLength(3);
    expect(textOf(events)).toBe('done\nround 1\nround 2\nround 3');
    expect(tokens(events)).toBe('done\nround 1\nround 2\nround 3');
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
    expect(tokens(events)).toBe('["<x>!","<y>!"]');
    expect(ended(events, 'first')[0]!.parent).toBe(ended(events, 'each')[0]!.runId);
  });

  it('fails as a whole when a node of the body fails', async () => {
    const nodes = [start, node('each', 'iteration', { items: [1] }), node('bad', 'fail', {}, 'each')];
    expect(ending(await run(nodes, edges('start>each')))).toMatchObject({ failure: { nodeId: 'bad' } });
  });
});

describe('a human stop', () => {
  const nodes = [
    start,
    node('ask', 'ask', { text: 'May I?' }),
    node('yes', 'quiet', { text: 'yes, {{other}} {{$flow.state.x}}' }),
    node('no', 'quiet', { text: 'no' }),
    node('other', 'quiet', { text: 'O', updateState: { x: '{{output}}' } }),
  ];
  const flow = edges('start>ask', 'start>other', 'ask>yes on proceed', 'ask>no on reject');

  it('waits with a snapshot of plain JSON, and a later run goes on from it', async () => {
    const stopped = ending(await run(nodes, flow));
    if (stopped.type !== 'waiting') throw new Error(stopped.type);
    expect(stopped).toMatchObject({ stop: { nodeId: 'ask', action: { id: 'ask' } } });
    expect(stopped.result.text).toBe('O\nMay I?');

    const resume = JSON.parse(JSON.stringify(stopped.stop.snapshot)) as Json;
    expect(waitingNodes(resume)).toEqual(['ask']);
    const humanInput = { type: 'proceed' as const, startNodeId: 'ask' };
    const events = await run(nodes, flow, { resume, humanInput });
    expect(textOf(events)).toBe('yes, O O');
    expect(ended(events, 'ask')[0]).toMatchObject({ attempt: 2, status: 'succeeded' });
    expect(ended(events, 'other')).toHaveLength(0);
  });

  it('refuses an answer to a node that does not wait', async () => {
    const stopped = ending(await run(nodes, flow));
    if (stopped.type !== 'waiting') throw new Error(stopped.type);
    const humanInput = { type: 'proceed' as const, startNodeId: 'yes' };
    const last = ending(await run(nodes, flow, { resume: stopped.stop.snapshot, humanInput }));
    expect(last).toMatchObject({
      type: 'failed',
      failure: { message: 'This node is not waiting for an answer.' },
    });
  });
});
