import { SERVICE_KINDS } from '../../../../test/fixtures/flows/service-kinds.js';
import { computedMs } from '../../../../test/support/computed.js';
import type { OutboundHttp } from '../../../common/outbound/outbound-http.js';
import type { CredentialSource } from '../../credentials/credential-source.js';
import { compileGraph } from '../../engine/flow-graph.js';
import type { NodeKind } from '../../engine/node-kind.js';
import type { LanguageModels } from '../../models/language-models.js';
import { conditionNode } from '../../nodes/condition.node.js';
import { httpNode } from '../../nodes/http.node.js';
import { iterationNode } from '../../nodes/iteration.node.js';
import { llmNode } from '../../nodes/llm.node.js';
import { loopNode } from '../../nodes/loop.node.js';
import { replyNode } from '../../nodes/reply.node.js';
import { setStateNode } from '../../nodes/set-state.node.js';
import { startNode } from '../../nodes/start.node.js';
import { definitionSchema } from '../definition-schema.js';
import { isStreamable } from '../flow.js';
import { pickOverrides } from '../node-overrides.js';
import { checkDefinition } from './check-definition.js';

const kinds = new Map<string, NodeKind>(
  (
    [
      ...[startNode, replyNode, conditionNode, setStateNode, iterationNode, loopNode],
      ...[llmNode({} as LanguageModels), httpNode({} as OutboundHttp, {} as CredentialSource)],
    ] as NodeKind[]
  ).map((kind) => [kind.kind, kind]),
);

const start = { id: 'start', kind: 'start' };
const reply = { id: 'reply', kind: 'reply', config: { message: 'Hello' } };
const edge = { from: 'start', to: 'reply' };
const flow = (more: object = {}) => ({ name: 'A flow', nodes: [start, reply], edges: [edge], ...more });

const looped = (config: object) => ({
  ...flow({ nodes: [start, reply, { id: 'again', kind: 'loop', config }] }),
  edges: [edge, { from: 'reply', to: 'again' }],
});

const pathsOf = (value: unknown): string[] => {
  const checked = checkDefinition(value, kinds);
  return 'faults' in checked ? checked.faults.map(({ path }) => path) : [];
};
const definitionOf = (value: unknown) => {
  const checked = checkDefinition(value, kinds);
  if ('faults' in checked) throw new Error(JSON.stringify(checked.faults));
  return checked.definition;
};

describe('a definition', () => {
  it('that can run is taken', () => {
    expect(definitionOf(flow())).toMatchObject({ name: 'A flow', nodes: [start, reply] });
  });

  it.each<[string, unknown, string]>([
    ['is no object', null, ''],
    ['has no name', { ...flow(), name: undefined }, 'name'],
    ['has no nodes', flow({ nodes: [], edges: [] }), 'nodes'],
    ['has an id that is no slug', flow({ id: 'a b' }), 'id'],
    ['has an id that is too short', flow({ id: 'ab' }), 'id'],
    ['has an unknown kind', flow({ nodes: [start, { id: 'reply', kind: 'magic' }] }), 'nodes.1.kind'],
    [
      'has a kind of a later version',
      flow({ nodes: [start, { id: 'reply', kind: 'agent' }] }),
      'nodes.1.kind',
    ],
    ['has an edge from nowhere', flow({ edges: [{ from: 'x', to: 'reply' }] }), 'edges.0.from'],
    ['has an edge to nowhere', flow({ edges: [edge, { from: 'start', to: 'x' }] }), 'edges.1.to'],
    ['has no start', flow({ nodes: [reply], edges: [] }), 'nodes'],
    ['has two starts', flow({ nodes: [start, reply, { id: 's2', kind: 'start' }] }), 'nodes.2.kind'],
    ['uses an id twice', flow({ nodes: [start, reply, { ...reply }] }), 'nodes.2.id'],
    ['lacks a config', flow({ nodes: [start, { id: 'reply', kind: 'reply' }] }), 'nodes.1.config.message'],
    [
      'goes in a circle without a loop node',
      flow({
        nodes: [start, reply, { ...reply, id: 'b' }],
        edges: [edge, { from: 'reply', to: 'b' }, { from: 'b', to: 'reply' }],
      }),
      'edges.2',
    ],
    ['names a branch of a node that has none', flow({ edges: [{ ...edge, on: '0' }] }), 'edges.0.on'],
    ['leads to its start', flow({ edges: [edge, { from: 'reply', to: 'start' }] }), 'edges.1.to'],
    [
      'has a parent that is no iteration',
      flow({ nodes: [start, reply, { ...reply, id: 'b', parentNode: 'reply' }] }),
      'nodes.2.parentNode',
    ],
    [
      'has an iteration without a body',
      flow({ nodes: [start, { id: 'reply', kind: 'iteration', config: { items: '[]' } }] }),
      'nodes.1',
    ],
    ['has a loop that goes back to nothing', looped({ backTo: 'gone' }), 'nodes.2.config.backTo'],
    ['has a loop that does not say where it goes back to', looped({}), 'nodes.2.config.backTo'],
    ['has a loop that goes back to itself', looped({ backTo: 'again' }), 'nodes.2.config.backTo'],
    ['has a loop that runs for ever', looped({ backTo: 'reply', max: 1e9 }), 'nodes.2.config.max'],
    [
      'goes back by an edge of its loop',
      { ...looped({ backTo: 'reply' }), edges: [...looped({}).edges, { from: 'again', to: 'reply' }] },
      'edges.2',
    ],
    [
      'goes back out of an iteration',
      flow({
        nodes: [
          ...[start, reply, { id: 'each', kind: 'iteration', config: { items: '[]' } }],
          { id: 'again', kind: 'loop', parentNode: 'each', config: { backTo: 'reply' } },
        ],
      }),
      'nodes.3.config.backTo',
    ],
    ['has a negative price', flow({ price: -1 }), 'price'],
    ['has a price that is no whole number', flow({ price: 1.5 }), 'price'],
    [
      'has a rate limit without a window',
      flow({ access: { rateLimit: { limit: 1 } } }),
      'access.rateLimit.windowSeconds',
    ],
    [
      'allows a domain with a path',
      flow({ access: { allowedDomains: ['https://a.example/x'] } }),
      'access.allowedDomains.0',
    ],
    ['has a variable that is no object', flow({ vars: { a: 'x' } }), 'vars.a'],
    ['lets callers set what is not there', flow({ overrides: ['gone.message'] }), 'overrides.0'],
    [
      'has a state update that is no object',
      flow({ nodes: [start, { ...reply, config: { message: 'x', updateState: 'y' } }] }),
      'nodes.1.config.updateState',
    ],
  ])('that %s is refused with the path of the fault', (_, value, path) => {
    expect(pathsOf(value)).toContain(path);
  });

  it('has no more references than can be checked at once, however long its texts are', async () => {
    const saying = (message: string) => flow({ nodes: [start, { ...reply, config: { message } }] });
    expect(pathsOf(saying('{{question}} '.repeat(20_000)))).toEqual([]);
    expect(pathsOf(saying('{{question}} '.repeat(50_001)))).toEqual(['nodes.1.config']);
    expect(await computedMs(() => pathsOf(saying('{{a}}'.repeat(2_000_000))), 500)).toBeLessThan(500);
  });

  it('with an unknown kind is refused with the kinds that there are', () => {
    const checked = checkDefinition(flow({ nodes: [start, { id: 'reply', kind: 'magic' }] }), kinds);
    expect(checked).toMatchObject({
      faults: [
        { message: expect.stringMatching(/^"magic" is not a kind of node: there are "start", .*"reply"/) },
      ],
    });
  });

  it('names every fault at once', () => {
    const nodes = [start, { id: 'reply', kind: 'reply' }, { id: 'x', kind: 'nothing' }];
    expect(pathsOf(flow({ nodes, edges: [{ from: 'start', to: 'gone' }] }))).toEqual([
      ...['nodes.1.config.message', 'nodes.2.kind', 'edges.0.to'],
    ]);
  });

  it('hides no fault behind another: of its shape, its nodes, their configs, its edges, its circles', () => {
    const nodes = [
      { id: 'start', kind: 'start', position: { x: 'left', y: 0 } },
      { id: 'reply', kind: 'reply', label: 7 },
      { id: 'x y', kind: 'nothing' },
      { kind: 'reply', config: { message: 'x' } },
      'a node',
    ];
    const edges = [{ from: 'start', to: 'gone' }, { from: 'start', to: 'x y' }, { from: 'reply' }, 7];
    const back = { from: 'reply', to: 'reply' };
    const value = flow({
      ...{ name: '', price: -1, nodes, edges: [...edges, back], overrides: ['a', 'gone.message'] },
    });
    expect(pathsOf(value).sort()).toEqual([
      ...[
        'edges.0.to',
        'edges.2.to',
        'edges.3',
        'edges.4',
        'name',
        'nodes.0.position.x',
        'nodes.1.config.message',
      ],
      ...[
        'nodes.1.label',
        'nodes.2.id',
        'nodes.2.kind',
        'nodes.3.id',
        'nodes.4',
        'overrides.0',
        'overrides.1',
      ],
      'price',
    ]);
    expect(pathsOf({ ...flow(), name: 7, nodes: [{ id: 'a' }], edges: [] })).toEqual([
      'name',
      'nodes.0.kind',
    ]);
    expect(pathsOf({ name: 7 })).toEqual(['name', 'nodes']);
  });

  it('must name a branch on each edge out of a branching node', () => {
    const conditions = [{ type: 'string', value1: 'a', operation: 'equal', value2: 'b' }];
    const nodes = [start, { id: 'if', kind: 'condition', config: { conditions } }, reply];
    const out = (on?: string) => [
      { from: 'start', to: 'if' },
      { from: 'if', to: 'reply', on },
    ];
    expect(pathsOf(flow({ nodes, edges: out('0') }))).toEqual([]);
    expect(pathsOf(flow({ nodes, edges: out('else') }))).toEqual([]);
    expect(pathsOf(flow({ nodes, edges: out('1') }))).toEqual(['edges.1.on']);
    expect(pathsOf(flow({ nodes, edges: out() }))).toEqual(['edges.1.on']);
  });

  it('keeps names such as __proto__ in vars and state', () => {
    const text = JSON.stringify(flow()).replace('{"name"', '{"vars":{"__proto__":{"value":1}},"name"');
    expect(JSON.stringify(definitionOf(JSON.parse(text)))).toContain('"__proto__":{"value":1}');
  });

  it('never lets callers set where a model is reached', () => {
    const nodes = [start, { id: 'llm', kind: 'llm', config: {} }];
    const overrides = ['llm.model.temperature', 'llm.model', 'llm.model.baseUrl', 'llm.model.credentialId'];
    const edges = [{ from: 'start', to: 'llm' }];
    expect(pathsOf(flow({ nodes, edges, overrides }))).toEqual(['overrides.1', 'overrides.2', 'overrides.3']);
  });

  it('never lets callers choose the tools of an agent, and with them flows and credentials', () => {
    const nodes = [start, { id: 'agent', kind: 'agent', config: {} }];
    const overrides = ['agent.maxRounds', 'agent.tools'];
    const given = flow({ nodes, edges: [{ from: 'start', to: 'agent' }], overrides });
    expect(checkDefinition(given, SERVICE_KINDS)).toMatchObject({ faults: [{ path: 'overrides.1' }] });
  });

  it('is described by a JSON Schema with the config of every kind', () => {
    const schema = definitionSchema(kinds);
    const text = JSON.stringify(schema);
    for (const kind of kinds.keys()) expect(text).toContain(`{"const":"${kind}","description":"`);
    expect(text).toContain('"message"');
    expect(text.match(/"updateState"/g)).toHaveLength(kinds.size);
    const references = [...text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name!);
    expect(references.length).toBeGreaterThan(0);
    for (const name of references) expect(schema['$defs']).toHaveProperty(name);
  });
});

describe('streaming', () => {
  const streams = (nodes: object[], edges: object[]) =>
    isStreamable(compileGraph(definitionOf({ name: 'x', nodes, edges })), kinds);
  const set = { id: 'set', kind: 'set-state', config: { state: {} } };

  it('is possible when a node without outgoing edges is of a streaming kind', () => {
    expect(streams([start, reply], [edge])).toBe(true);
    expect(streams([start, reply, set], [edge, { from: 'start', to: 'set' }])).toBe(true);
  });

  it('is not when none is', () => {
    expect(streams([start, set], [{ from: 'start', to: 'set' }])).toBe(false);
    expect(streams([start, reply, set], [edge, { from: 'reply', to: 'set' }])).toBe(false);
    expect(streams([start], [])).toBe(false);
  });
});

describe('overrideConfig', () => {
  const nodes = [start, reply, { ...reply, id: 'other' }];
  const definition = definitionOf(flow({ nodes, overrides: ['reply.message'] }));
  const pick = (given: object) => {
    const { nodeOverrides, refused } = pickOverrides(definition, new Map(Object.entries(given)));
    return { set: [...nodeOverrides].map(([id, values]) => [id, ...values]), refused };
  };

  it('gets in only where the flow allows it, however it is written', () => {
    const set = [['reply', ['message', 'x']]];
    expect(pick({ message: 'x' })).toEqual({ set, refused: [] });
    expect(pick({ reply: { message: 'x' } })).toEqual({ set, refused: [] });
    expect(pick({ message: { reply: 'x' } })).toEqual({ set, refused: [] });
    expect(pick({ 'reply.message': 'x' })).toEqual({ set, refused: [] });
    expect(pick({ 'other.message': 'x' })).toEqual({ set: [], refused: ['other.message'] });
  });

  it('gets in by the name that Flowise has for it, where the flow allows its place', () => {
    const set = [['reply', ['message', 'x']]];
    expect(pick({ directReplyMessage: 'x' })).toEqual({ set, refused: [] });
    expect(pick({ reply: { directReplyMessage: 'x' } })).toEqual({ set, refused: [] });
    expect(pick({ directReplyMessage: { reply: 'x' } })).toEqual({ set, refused: [] });
    expect(pick({ modelName: 'x', other: { directReplyMessage: 'x' }, constructor: 'x' })).toEqual({
      set: [],
      refused: ['modelName', 'other', 'constructor'],
    });
  });

  it('names what did not get in', () => {
    expect(pick({ message: { other: 'x' }, other: { message: 'y' }, url: 'z' })).toEqual({
      set: [],
      refused: ['message', 'other', 'url'],
    });
  });
});
