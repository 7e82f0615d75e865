import { branchesOf } from './branches.js';
import {
  edgesIn,
  isMembers,
  type Members,
  nodeOf,
  textOf,
  withItems,
  withMember,
  withMore,
  withoutItems,
} from './definition.js';

export interface Connection {
  from: string;
  to: string;
  on?: string | undefined;
}

/** Adds an edge; nothing changes if it cannot be. Out of a branching node it needs a branch. */
export function connect(definition: Members, connection: Connection): Members {
  if (connectionFault(definition, connection) !== undefined) return definition;
  const { from, to, on } = connection;
  return withMore(definition, 'edges', [{ from, to, ...(on === undefined ? {} : { on }) }]);
}

/** Says why two nodes cannot be connected; undefined when they can. */
export function connectionFault(definition: Members, { from, to, on }: Connection): string | undefined {
  const [source, target] = [nodeOf(definition, from), nodeOf(definition, to)];
  if (!source || !target) return 'There is no such node.';
  if (from === to) return 'A node cannot lead to itself. A loop node goes back.';
  if (textOf(target, 'kind') === 'start') return 'Nothing leads to the start.';
  if (source['parentNode'] !== target['parentNode'])
    return 'An edge cannot lead into an iteration or out of it. Connect the iteration itself.';
  const branches = branchesOf(source);
  if (branches.length > 0 && (on === undefined || !branches.includes(on)))
    return `Choose a branch: ${branches.join(', ')}.`;
  if (branches.length === 0 && on !== undefined) return 'This node has no branches.';
  const isThere = edgesIn(definition).some(
    (edge) => isMembers(edge) && edge['from'] === from && edge['to'] === to && edge['on'] === on,
  );
  return isThere ? 'They are connected already.' : undefined;
}

/** Leads an edge elsewhere; its place in the list and its unknown members stay. Nothing changes if it cannot be. */
export function reconnect(definition: Members, index: number, to: Connection): Members {
  const others = disconnect(definition, new Set([index]));
  if (connectionFault(others, to) !== undefined) return definition;
  return withItems(definition, 'edges', (edge, at) =>
    at === index && isMembers(edge) ? withMember({ ...edge, from: to.from, to: to.to }, 'on', to.on) : edge,
  );
}

/** Removes edges by their position in the list. */
export const disconnect = (definition: Members, indexes: ReadonlySet<number>): Members =>
  withoutItems(definition, 'edges', (_, index) => indexes.has(index));
