import type { Pausing } from '../../../common/pausing.js';
import { faultsOf } from '../../../common/plain-faults.js';
import type { Fault } from '../../../common/service-error.js';
import type { NodeKind, NodeKinds } from '../../engine/node-kind.js';
import type { FlowDefinition } from '../flow-definition.js';

type DefinedNode = FlowDefinition['nodes'][number];

/** The branches by node, for nodes with a valid config; empty for a node that does not branch. */
export type Branches = ReadonlyMap<DefinedNode, readonly string[]>;

/**
 * Returns the faults of each node by itself, and the branches of nodes with a valid config. Parses each config once,
 * because that costs far more than checking an edge.
 */
export function* checkNodes(
  { nodes }: FlowDefinition,
  kinds: NodeKinds,
): Pausing<{ faults: Fault[]; branches: Branches }> {
  const seen = new Set<string>();
  const branches = new Map<DefinedNode, readonly string[]>();
  const faults: Fault[] = [];
  for (const [index, node] of nodes.entries()) {
    yield;
    const path = `nodes.${index}`;
    if (seen.has(node.id))
      faults.push({ path: `${path}.id`, message: `"${node.id}" is used by another node` });
    seen.add(node.id);
    const kind = kinds.get(node.kind);
    if (!kind) {
      const known = [...kinds.keys()].map((name) => `"${name}"`).join(', ');
      const message = `"${node.kind.slice(0, 64)}" is not a kind of node: there are ${known}`;
      faults.push({ path: `${path}.kind`, message });
      continue;
    }
    const { faults: own, branches: names } = readConfig(node, kind, `${path}.config`);
    for (const fault of own) faults.push(fault);
    if (names) branches.set(node, names);
  }
  return { faults, branches };
}

function readConfig(
  { config = {} }: DefinedNode,
  kind: NodeKind,
  path: string,
): { faults: Fault[]; branches?: readonly string[] } {
  const { updateState, ...own } = config;
  const faults: Fault[] = [];
  if (
    updateState !== undefined &&
    (typeof updateState !== 'object' || !updateState || Array.isArray(updateState))
  )
    faults.push({ path: `${path}.updateState`, message: 'must be an object: name → template' });
  const parsed = kind.config.safeParse(own);
  if (!parsed.success) return { faults: [...faults, ...faultsOf(parsed.error, path)] };
  return { faults, branches: kind.branches?.(parsed.data) ?? [] };
}
