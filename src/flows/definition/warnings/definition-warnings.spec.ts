import { SERVICE_KINDS as kinds } from '../../../../test/fixtures/flows/service-kinds.js';
import { computedMs } from '../../../../test/support/computed.js';
import { atOnce } from '../../../common/pausing.js';
import { FLOW_NAMES, RunScope } from '../../engine/run-scope.js';
import { RUN_WORDS } from '../../engine/surroundings.js';
import { checkDefinition } from '../checks/check-definition.js';
import { definitionWarnings } from './definition-warnings.js';

const warningsOf = (written: object) => {
  const checked = checkDefinition(written, kinds);
  if ('faults' in checked) throw new Error(JSON.stringify(checked.faults));
  return atOnce(definitionWarnings(written, checked.definition, kinds));
};

const start = { id: 'start', kind: 'start' };
const say = (message: string, more: object = {}) => ({
  id: 'say',
  kind: 'reply',
  config: { message },
  ...more,
});
const flowOf = (...nodes: { id: string; [member: string]: unknown }[]) => ({
  name: 'A flow',
  nodes: [start, ...nodes],
  edges: nodes.map(({ id }) => ({ from: 'start', to: id })),
});
const referencesOf = (message: string, more: object = {}) =>
  warningsOf({ ...flowOf(say(message)), ...more }).map(({ path, suggestion }) => [path, suggestion]);

describe('what is probably not meant in a definition', () => {
  it('is a reference to no node and no variable, told with its place and what is nearest', () => {
    expect(warningsOf(flowOf(say('{{questoin}}', { label: 'Say it' })))).toEqual([
      {
        code: 'unknown_reference',
        message:
          '"Say it" (say): {{questoin}} stays as written: there is no node "questoin", and nothing else has this name.',
        path: 'nodes[1].config.message',
        suggestion: 'question',
      },
    ]);
    expect(referencesOf('{{llm}} {{llm.output.a}}')).toEqual([
      ['nodes[1].config.message', undefined],
      ['nodes[1].config.message', undefined],
    ]);
    expect(
      referencesOf('{{sya.output.a}} {{say.a}} {{question.a}}').map(([, suggestion]) => suggestion),
    ).toEqual(['say.output.a', 'say.output.a', undefined]);
  });

  it('is a state that nothing sets, a variable or field that is not there', () => {
    const state = [
      { id: 'set', kind: 'set-state', config: { state: { name: '{{$flow.state.nam}}', toString: '' } } },
      say('{{$flow.state.name}} {{$flow.state.told}} {{$flow.state.town}} {{$flow.chatid}} {{$flow.state}}', {
        config: {
          message: '{{$flow.state.name}} {{$flow.state.told}} {{$flow.state.town}} {{$flow.chatid}}',
          updateState: { told: '{{output}}', more: '{{output.content}} {{outptu}}' },
        },
      }),
    ];
    expect(warningsOf(flowOf(...state)).map(({ path, suggestion }) => [path, suggestion])).toEqual([
      ['nodes[1].config.state.name', '$flow.state.name'],
      ['nodes[2].config.message', undefined],
      ['nodes[2].config.message', '$flow.chatId'],
      ['nodes[2].config.updateState.more', undefined],
    ]);
    expect(referencesOf('{{$vars.town}} {{$vars.towm}}', { vars: { town: { value: 1 } } })).toEqual([
      ['nodes[1].config.message', '$vars.town'],
    ]);
    const form = { inputType: 'form', form: { inputs: [{ name: 'size' }] } };
    const asks = { ...flowOf(say('{{$form.size}} {{$form.sizes}}')) };
    asks.nodes[0] = { ...start, config: form };
    expect(warningsOf(asks).map(({ suggestion }) => suggestion)).toEqual(['$form.size']);
    expect(referencesOf('{{$form.size}}')).toHaveLength(1);
  });

  it('is a member that the output of a node cannot have', () => {
    const nodes = [
      { id: 'get', kind: 'http', config: { url: 'https://example.com' } },
      {
        id: 'ask',
        kind: 'llm',
        config: { messages: [], structuredOutput: [{ key: 'town' }], updateState: { t: '{{output.twon}}' } },
      },
      {
        id: 'open',
        kind: 'llm',
        config: { messages: [], structuredOutput: { type: 'object', $ref: '#/x' } },
      },
      { id: 'each', kind: 'iteration', config: { items: '[]' } },
      { id: 'make', kind: 'function', config: { code: 'return 1' } },
      { id: 'body', kind: 'reply', config: { message: 'x' }, parentNode: 'each' },
    ];
    const known = [
      ...[
        'get.output',
        'get.output.data.any.thing',
        'get.output.status',
        'ask.output.town',
        'ask.output.content',
      ],
      ...[
        'open.output.any',
        'each.output.0.any',
        'each.output.length',
        'make.output.content',
        'say.output.content',
      ],
    ].map((path) => `{{${path}}}`);
    const unknown = [
      ...['get.output.http.data.items', 'get.output.boddy', 'ask.output.twon.name', 'each.output.content'],
      'start.output.files',
    ].map((path) => `{{${path}}}`);
    const whole = flowOf(...nodes, say([...known, ...unknown].join(' ')));
    const flow = { ...whole, edges: whole.edges.filter(({ to }) => to !== 'body') };
    expect(
      warningsOf(flow)
        .filter(({ code }) => code === 'unknown_reference')
        .map(({ path, suggestion }) => [path, suggestion]),
    ).toEqual([
      ['nodes[2].config.updateState.t', 'output.town'],
      ['nodes[7].config.message', 'get.output.data.items'],
      ['nodes[7].config.message', undefined],
      ['nodes[7].config.message', 'ask.output.town.name'],
      ['nodes[7].config.message', undefined],
      ['nodes[7].config.message', undefined],
    ]);
  });

  it('is an item or an output where there is none', () => {
    const nodes = [
      { id: 'each', kind: 'iteration', config: { items: '{{nothing}}' } },
      say('{{$iteration.name}} {{output}}', { parentNode: 'each' }),
      { ...say('{{$iteration}}'), id: 'after' },
    ];
    const flow = {
      ...flowOf(...nodes),
      edges: [
        { from: 'start', to: 'each' },
        { from: 'each', to: 'after' },
      ],
    };
    expect(warningsOf(flow).map(({ path }) => path)).toEqual([
      'nodes[1].config.items',
      'nodes[2].config.message',
      'nodes[3].config.message',
    ]);
  });

  it('is an argument that a tool does not declare, or one outside of a tool', () => {
    const settings = {
      tool: 'http',
      url: 'https://example.com/{{$args.city}}/{{$args.ctiy}}',
      parameters: { type: 'object', properties: { city: { description: '{{nobody}}' } } },
    };
    const gone = { tool: 'missing', original: 'x', settings: { text: '{{nobody}} {{$args.x}}' } };
    const nodes = [
      {
        id: 'ask',
        kind: 'agent',
        config: { messages: [], tools: [settings, gone], userMessage: '{{$args.city}}' },
      },
      { id: 'get', kind: 'tool', config: { ...settings, arguments: { city: '{{questoin}}' } } },
    ];
    expect(warningsOf(flowOf(...nodes)).map(({ path, suggestion }) => [path, suggestion])).toEqual([
      ['nodes[1].config.tools[1]', undefined],
      ['nodes[1].config.tools[0].url', '$args.city'],
      ['nodes[1].config.userMessage', undefined],
      ['nodes[2].config.url', '$args.city'],
      ['nodes[2].config.arguments.city', 'question'],
    ]);
  });

  it('is a member that a tool does not have, in an agent and as a node', () => {
    const settings = { tool: 'http', url: 'https://example.com', descripton: 'x', body: { any: 1 } };
    const nodes = [
      {
        id: 'ask',
        kind: 'agent',
        config: { messages: [], tools: [settings, { tool: 'missing', original: 'x' }] },
      },
      { id: 'get', kind: 'tool', config: { ...settings, argments: {} } },
    ];
    expect(warningsOf(flowOf(...nodes)).map(({ path, suggestion }) => [path, suggestion])).toEqual([
      ['nodes[1].config.tools[0].descripton', 'description'],
      ['nodes[2].config.descripton', 'description'],
      ['nodes[2].config.argments', 'arguments'],
      ['nodes[1].config.tools[1]', undefined],
    ]);
  });

  it('is not what braces mean elsewhere, nor a text that is no template', () => {
    expect(referencesOf('{{"a": 1}} {{ a, b }} {{}} {{ say it }}')).toEqual([]);
    const model = { provider: 'openai', name: '{{nobody}}' };
    const nodes = [
      { id: 'ask', kind: 'llm', config: { model, messages: [{ role: 'user', content: '{{nobody}}' }] } },
      { id: 'gone', kind: 'missing', config: { original: 'x', settings: { text: '{{nobody}}' } } },
      {
        id: 'either',
        kind: 'condition',
        config: { conditions: [{ value1: '{{nobody}}', operation: 'isEmpty' }] },
      },
    ];
    expect(warningsOf(flowOf(...nodes)).map(({ path }) => path)).toEqual([
      'nodes[2]',
      'nodes[1].config.messages[0].content',
      'nodes[3].config.conditions[0].value1',
    ]);
  });

  it('is a node that nothing leads to, without its body', () => {
    const nodes = [
      say('x'),
      { id: 'each', kind: 'iteration', config: { items: [] } },
      { ...say('y'), id: 'inner', parentNode: 'each' },
      { ...say('z'), id: 'behind' },
    ];
    const edges = [
      { from: 'start', to: 'say' },
      { from: 'each', to: 'behind' },
    ];
    expect(warningsOf({ ...flowOf(...nodes), edges })).toEqual([
      {
        code: 'unreached_node',
        message: '"each": no edge leads to it, so it never runs.',
        path: 'nodes[2]',
      },
      expect.objectContaining({ path: 'nodes[4]' }),
    ]);
  });

  it('is a member that nobody reads, wherever it stands', () => {
    const flow = {
      ...flowOf(
        {
          id: 'ask',
          kind: 'llm',
          config: { mesages: [], model: { provider: 'openai', name: 'm', temprature: 1 } },
        },
        {
          id: 'get',
          kind: 'http',
          config: {
            url: 'https://example.com',
            headers: { any: 'x' },
            body: { whatever: [{ it: 'is' }] },
            query: [{ key: 'a', value: { free: 1 }, vale: '' }],
            retires: 3,
          },
        },
        say('x', { lable: 'Say', position: { x: 1, y: 2 } }),
      ),
      price: 1,
      prise: 2,
      chat: { anything: { at: 'all' } },
      vars: { a: { value: { free: 1 } } },
      ...{ revision: 'r', isStreaming: true, createdAt: 'c', updatedAt: 'u', warnings: [] },
    };
    expect(warningsOf(flow).map(({ path, suggestion }) => [path, suggestion])).toEqual([
      ['prise', 'price'],
      ['nodes[3].lable', 'label'],
      ['nodes[1].config.mesages', 'messages'],
      ['nodes[1].config.model.temprature', 'temperature'],
      ['nodes[2].config.retires', undefined],
      ['nodes[2].config.query[0].vale', 'value'],
    ]);
    expect(warningsOf(flow)[2]).toMatchObject({
      code: 'unknown_member',
      message: '"ask": nodes of the kind "llm" have no "mesages": it is ignored.',
    });
  });

  it('knows every name that a run answers', async () => {
    const input = { question: '', uploads: [], history: async () => [], vars: new Map(), publicUrl: '' };
    const ids = { executionId: 'e', flowId: 'f', chatId: 'c', sessionId: 's' };
    const scope = new RunScope({ ...input, ...ids }, {}, () => 0);
    await scope.loadHistory();
    const answered = [...RUN_WORDS].filter((word) => scope.lookup(word, []) !== undefined);
    expect([...answered, 'loop_count'].sort()).toEqual([...RUN_WORDS].sort());
    for (const name of FLOW_NAMES) expect(scope.lookup('$flow', [name])).toBeDefined();
  });

  it('is told a hundred times at most, in bounded time', async () => {
    const nodes = Array.from({ length: 999 }, (_, index) => ({
      ...say(`{{nobody${index}}} {{$flow.state.x${index}}} `.repeat(20)),
      id: `node-${index}`,
    }));
    const flow = flowOf(...nodes);
    expect(warningsOf(flow)).toHaveLength(101);
    expect(await computedMs(() => warningsOf(flow), 2_000)).toBeLessThan(2_000);
  });
});
