import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import type { NodeKind, NodeKinds } from '../../flows/engine/node-kind.js';
import { replyNode } from '../../flows/nodes/reply.node.js';
import { setStateNode } from '../../flows/nodes/set-state.node.js';
import { startNode } from '../../flows/nodes/start.node.js';
import { keepsOf } from './flow-execution.js';

type Node = FlowDefinition['nodes'][number];

const silent = { ...replyNode, kind: 'silent' };
delete silent.persists;
const kinds: NodeKinds = new Map(
  [startNode, replyNode, setStateNode, silent].map((kind) => [kind.kind, kind as NodeKind]),
);
const start: Node = { id: 'start', kind: 'start', config: {} };
const reply = (message: string, more: Node['config'] = {}): Node => ({
  id: 'reply',
  kind: 'reply',
  config: { message, ...more },
});
const keeps = (...nodes: Node[]) => keepsOf({ name: 'Any', nodes, edges: [] }, kinds);

describe('what a flow keeps between the runs of a chat', () => {
  it('is its messages alone where no kind sets state and nothing reads it', () => {
    expect(keeps({ id: 'start', kind: 'start' }, reply('Hello'))).toEqual({ state: false, memory: true });
  });

  it.each<[string, Node[]]>([
    ['a start with first values', [{ ...start, config: { state: { name: '' } } }, reply('Hello')]],
    ['a node that sets it', [start, { id: 'set', kind: 'set-state', config: { state: { name: 'x' } } }]],
    ['updateState of any node', [start, reply('Hello', { updateState: { name: '{{output}}' } })]],
    ['a text that reads what a caller may set', [start, reply('Hello {{$flow.state.name}}')]],
    ['a kind that does not say', [start, { id: 'silent', kind: 'silent', config: { message: 'x' } }]],
    ['a kind that is not known', [start, { id: 'other', kind: 'other' }]],
  ])('is state too with %s', (_what, nodes) => {
    expect(keeps(...nodes)).toEqual({ state: true, memory: true });
  });

  it('is no message where the start forgets them', () => {
    expect(keeps({ ...start, config: { ephemeralMemory: true } }, reply('Hello'))).toEqual({
      state: false,
      memory: false,
    });
  });
});
