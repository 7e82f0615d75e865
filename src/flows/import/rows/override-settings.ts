import type { FlowDefinition } from '../../definition/flow-definition.js';
import { placeOfInput } from '../../definition/node-overrides.js';
import type { Json } from '../../engine/json.js';
import { enabledIn, type LeftOf, overridesOf } from './access-settings.js';
import type { ForeignFlow } from './foreign-flow.js';
import { isMembers, membersIn } from './members.js';

type Nodes = FlowDefinition['nodes'];

/**
 * The node inputs that callers may set (contract section 3), as `nodeId.path`. The other side lists them by the label of
 * the node, which several nodes may have.
 */
export function movedOverrides(flow: ForeignFlow, nodes: Nodes, left: LeftOf): string[] {
  const overrides = new Set<string>();
  for (const [label, list] of Object.entries(membersIn(overridesOf(flow), 'nodes'))) {
    const named = nodes.filter((node) => node.label === label.slice(0, 200));
    for (const input of enabledIn(list)) {
      const path = placeOfInput(input);
      const holders = path === undefined ? [] : named.filter(({ config }) => holds(config, path));
      if (holders.length === 0)
        left(`callers may not set "${input.slice(0, 60)}" of its node "${label.slice(0, 60)}" here`);
      for (const { id } of holders) overrides.add(`${id}.${path}`);
    }
  }
  return [...overrides].slice(0, 1_000);
}

/** Whether the part of the config that holds the last member of a path is there. */
function holds(config: Json | undefined, path: string): boolean {
  const parents = path.split('.').slice(0, -1);
  let at = config;
  for (const name of parents) at = isMembers(at) ? at[name] : undefined;
  return isMembers(at);
}
