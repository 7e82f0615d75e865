import type { FlowDefinition } from '../flows/definition/flow-definition.js';

/** What a flow keeps between the runs of a chat. */
export interface Keeps {
  /** It has flow state, so a run must begin with the chat's. */
  state: boolean;
  /** Its runs may remember earlier messages (`ephemeralMemory` forgets them). */
  memory: boolean;
}

/** Kinds that write no flow state unless their config says so. Of any other kind it is not known: its state is kept. */
const WITHOUT_STATE: ReadonlySet<string> = new Set([
  ...['start', 'reply', 'llm', 'condition', 'http', 'capture', 'render'],
]);

const known = new WeakMap<FlowDefinition, Keeps>();

/** Read once a revision: runs of flows without state then ask the database for none. */
export function keepsOf(definition: FlowDefinition): Keeps {
  let keeps = known.get(definition);
  if (!keeps) known.set(definition, (keeps = read(definition)));
  return keeps;
}

function read({ nodes }: FlowDefinition): Keeps {
  const configs = nodes.map(({ config }) => config ?? {});
  const writes = (name: string) => configs.some((config) => Object.hasOwn(config, name));
  const start = nodes.find(({ kind }) => kind === 'start')?.config;
  return {
    state:
      nodes.some(({ kind }) => !WITHOUT_STATE.has(kind)) ||
      writes('state') ||
      writes('updateState') ||
      reads(nodes),
    memory: start?.['ephemeralMemory'] !== true,
  };
}

/** A caller may set state (`startState`) that the flow itself only reads. */
function reads(nodes: FlowDefinition['nodes']): boolean {
  const text = JSON.stringify(nodes);
  return text.includes('$flow.state') || text.includes('$flow[');
}
