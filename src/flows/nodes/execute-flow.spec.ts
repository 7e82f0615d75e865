import { endedRuns, failureOf, resultOf, tokensOf } from '../../../test/fixtures/flows/flow-runs.js';
import { type NodesOptions, runGraph } from '../../../test/fixtures/flows/run-nodes.js';
import type { FlowDefinition } from '../definition/flow-definition.js';
import { Flow } from '../definition/flow.js';
import type { Json } from '../engine/json.js';
import type { FlowInput } from '../engine/run-options.js';

type Flows = NonNullable<NodesOptions['flows']>;
type Node = FlowDefinition['nodes'][number];

const start: Node = { id: 'start', kind: 'start' };
const chain = (nodes: Node[]) => nodes.slice(1).map(({ id }, index) => ({ from: nodes[index]!.id, to: id }));

/** Flows by their ids, each start → its nodes. */
const flowsOf = (stored: Record<string, { nodes: Node[]; vars?: FlowDefinition['vars'] }>): Flows => ({
  find: async (id) => {
    if (!Object.hasOwn(stored, id)) return undefined;
    const nodes = [start, ...stored[id]!.nodes];
    return new Flow(id, 'r1', { name: `The ${id}`, edges: chain(nodes), ...stored[id], nodes }, new Map());
  },
});
const reply = (message: string, id = 'say'): Node => ({ id, kind: 'reply', config: { message } });
const call = (config: Record<string, Json>, id = 'call'): Node => ({
  id,
  kind: 'execute-flow',
  config: { flowId: 'sub', question: '{{question}}', ...config },
});
const run = (nodes: Node[], flows: Flows, input: Partial<FlowInput> = {}) =>
  runGraph([start, ...nodes], chain([start, ...nodes]), { question: 'Hi', ...input }, { flows });

describe('execute-flow', () => {
  it('says what the other flow answers, token by token, with its nodes under it in the trace', async () => {
    const events = await run(
      [call({ question: 'Say {{question}}' })],
      flowsOf({ sub: { nodes: [reply('You: {{question}}')] } }),
    );
    expect(resultOf(events).text).toBe('You: Say Hi');
    expect(tokensOf(events)).toEqual(['You: ', 'Say ', 'Hi']);
    const [outer] = endedRuns(events, 'call');
    expect(endedRuns(events, 'say')[0]).toMatchObject({
      parent: outer!.runId,
      flowId: 'sub',
      status: 'succeeded',
    });
    expect(outer).toMatchObject({
      output: { content: 'You: Say Hi' },
      input: { flowId: 'sub', chat: 'own' },
    });
    expect(outer).not.toHaveProperty('flowId');
  });

  it('says nothing by itself where another node follows', async () => {
    const events = await run(
      [call({}), reply('<{{call}}>', 'after')],
      flowsOf({ sub: { nodes: [reply('inner')] } }),
    );
    expect(tokensOf(events).join('')).toBe('<inner>');
  });

  it('fills in the texts inside the variables that it sets', async () => {
    const sub = { nodes: [reply('{{$vars.who}}')], vars: { who: { value: '' } } };
    const events = await run([call({ vars: { who: { name: '{{question}}' } } })], flowsOf({ sub }));
    expect(resultOf(events).text).toBe('{"name":"Hi"}');
  });

  it('sets its variables, but no locked one, and passes none of its own on', async () => {
    const sub = {
      nodes: [reply('{{$vars.a}} {{$vars.b}} {{$vars.c}} {{$form.x}}')],
      vars: { a: { value: 1 }, b: { value: 2, locked: true } },
    };
    const events = await run([call({ vars: { a: '{{question}}', b: 'mine' } })], flowsOf({ sub }), {
      vars: new Map<string, Json>([['c', 'of the outer']]),
      form: { x: 'of the outer' },
    });
    expect(resultOf(events)).toMatchObject({
      text: 'Hi 2 {{$vars.c}} {{$form.x}}',
      warnings: [{ code: 'variable_locked', path: 'vars.b' }],
    });
  });

  it.each([
    ['own', 0, '{{$flow.state.seen}}', false],
    ['same', 1, 'before', true],
  ] as const)('has the %s chat: messages, state and id', async (chat, messages, seen, sameId) => {
    const sub = {
      nodes: [
        reply('{{runtime_messages_length}} {{$flow.state.seen}} {{$flow.chatId}} {{$flow.sessionId}}'),
        { id: 'set', kind: 'set-state', config: { state: { seen: 'after' } } },
      ],
    };
    const events = await run(
      [call({ chat }), reply('{{call}} {{$flow.state.seen}}', 'after')],
      flowsOf({ sub }),
      {
        chatId: 'the-chat',
        sessionId: 'the-session',
        state: { seen: 'before' },
        history: async () => [{ role: 'user', content: 'earlier' }],
      },
    );
    const { text, state } = resultOf(events);
    expect(text.startsWith(`${messages} ${seen} `)).toBe(true);
    expect(text.includes('the-chat the-session')).toBe(sameId);
    expect(state['seen']).toBe(sameId ? 'after' : 'before');
    expect(resultOf(events).stateChanged).toBe(sameId);
  });

  it('fails with the name of the flow and of the node that failed in it', async () => {
    const bad = { id: 'bad', kind: 'missing', label: 'Mail', config: { original: 'gmail' } };
    const events = await run([call({})], flowsOf({ sub: { nodes: [bad] } }));
    expect(failureOf(events)).toMatch(
      /^The flow "The sub" failed at "Mail": "Mail" is a placeholder for "gmail"/,
    );
    expect(endedRuns(events, 'bad')[0]).toMatchObject({ status: 'failed', flowId: 'sub' });
    expect(endedRuns(events, 'call')[0]).toMatchObject({ status: 'failed' });
  });

  it('says that there is no such flow', async () => {
    expect(failureOf(await run([call({ flowId: 'gone' })], flowsOf({})))).toBe('There is no flow "gone".');
  });

  it('runs eight deep and no deeper, also in a circle', async () => {
    const levels = (count: number) =>
      flowsOf({
        ...Object.fromEntries(
          Array.from({ length: count }, (_, n) => [`f${n}`, { nodes: [call({ flowId: `f${n + 1}` })] }]),
        ),
        [`f${count}`]: { nodes: [reply('deep')] },
      });
    expect(resultOf(await run([call({ flowId: 'f1' })], levels(8))).text).toBe('deep');
    expect(failureOf(await run([call({ flowId: 'f0' })], levels(8)))).toContain('more than 8 levels deep');
    const circle = flowsOf({ sub: { nodes: [call({})] } });
    expect(failureOf(await run([call({})], circle))).toContain('The sub → The sub');
  });

  it('counts the nodes of all flows together', async () => {
    const each = (id: string, body: Node): Node[] => [
      { id, kind: 'iteration', config: { items: JSON.stringify(Array(110).fill(0)) } },
      { ...body, parentNode: id },
    ];
    const flows: Flows = {
      find: async (id) => {
        const nodes = [start, ...each('within', reply('x'))];
        return new Flow(
          id,
          'r1',
          { name: 'Sub', nodes, edges: [{ from: 'start', to: 'within' }] },
          new Map(),
        );
      },
    };
    const nodes = [start, ...each('outer', call({}))];
    const events = await runGraph(nodes, [{ from: 'start', to: 'outer' }], {}, { flows });
    expect(failureOf(events)).toContain('without coming to an end');
  });

  it('does not wait for a human', async () => {
    const ask = { id: 'ask', kind: 'human-input', config: { message: 'May I?' } };
    expect(failureOf(await run([call({})], flowsOf({ sub: { nodes: [ask] } })))).toContain('asks a human');
  });

  it('stops with the run, and every node of it stands as stopped', async () => {
    const slow: Node = { id: 'slow', kind: 'function', config: { code: 'for (;;);' } };
    const events = await runGraph(
      [start, call({})],
      [{ from: 'start', to: 'call' }],
      {},
      { flows: flowsOf({ sub: { nodes: [slow] } }), signal: AbortSignal.timeout(300) },
    );
    expect(events.at(-1)).toMatchObject({ type: 'aborted' });
    expect(endedRuns(events, 'slow')[0]).toMatchObject({ status: 'stopped', flowId: 'sub' });
    expect(endedRuns(events, 'call')[0]).toMatchObject({ status: 'stopped' });
  });
});
