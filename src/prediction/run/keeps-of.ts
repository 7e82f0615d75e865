import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import type { Keeps, NodeKinds } from '../../flows/engine/node-kind.js';

const known = new WeakMap<FlowDefinition, Keeps>();

/**
 * State and memory that a flow keeps between the runs of a chat, as the kinds of its nodes say. Read once a revision: runs of flows
 * without state then ask the database for none.
 */
export function keepsOf(definition: FlowDefinition, kinds: NodeKinds): Keeps {
  let keeps = known.get(definition);
  if (!keeps) known.set(definition, (keeps = read(definition, kinds)));
  return keeps;
}

function read({ nodes }: FlowDefinition, kinds: NodeKinds): Keeps {
  const said = nodes.map(({ kind, config = {} }) => kinds.get(kind)?.keeps?.(config) ?? {});
  return {
    state:
      said.some(({ state = true }) => state) ||
      nodes.some(({ config = {} }) => Object.hasOwn(config, 'updateState')) ||
      readsState(nodes),
    memory: said.every(({ memory = true }) => memory),
  };
}

/** A caller may set state (`startState`) that the flow itself only reads. */
function readsState(nodes: FlowDefinition['nodes']): boolean {
  const text = JSON.stringify(nodes);
  return text.includes('$flow.state') || text.includes('$flow[');
}
