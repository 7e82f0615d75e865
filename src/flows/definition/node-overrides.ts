import type { Json } from '../engine/json.js';
import type { FlowDefinition } from './flow-definition.js';

/** What of `overrideConfig` gets in, and which of its names do not. */
export interface PickedOverrides {
  /** nodeId → config path → value, as `RunInput.nodeOverrides` takes it. */
  nodeOverrides: Map<string, Map<string, Json>>;
  refused: string[];
}

/**
 * Picks from `overrideConfig` the node inputs that the flow's `overrides` list allows (contract section 3). A value may
 * be given by config name (for every node that allows it), as `{ nodeId: { name: value } }`, or as
 * `{ name: { nodeId: value } }`; whichever way, nothing outside of the list gets in.
 */
export function pickOverrides(
  { nodes, overrides = [] }: FlowDefinition,
  given: ReadonlyMap<string, Json>,
): PickedOverrides {
  const allowed = new Set(overrides);
  const nodesOf = nodesByPath(overrides);
  const ids = new Set(nodes.map(({ id }) => id));
  const picked: PickedOverrides = { nodeOverrides: new Map(), refused: [] };
  const set = (nodeId: string, path: string, value: Json): boolean => {
    if (!allowed.has(`${nodeId}.${path}`)) return false;
    const values = picked.nodeOverrides.get(nodeId) ?? new Map<string, Json>();
    picked.nodeOverrides.set(nodeId, values.set(path, value));
    return true;
  };
  for (const [name, value] of given) {
    const members = isObject(value) ? Object.entries(value) : [];
    const byNode = members.length > 0 && members.every(([id]) => ids.has(id));
    const taken = ids.has(name)
      ? members.map(([path, inner]) => set(name, path, inner))
      : byNode
        ? members.map(([nodeId, inner]) => set(nodeId, name, inner))
        : (nodesOf.get(name) ?? []).map((nodeId) => set(nodeId, name, value));
    if (!taken.includes(true) || taken.includes(false)) picked.refused.push(name);
  }
  return picked;
}

/** Looked up for each name that was sent: there may be as many as a body may have. */
function nodesByPath(overrides: readonly string[]): Map<string, string[]> {
  const nodes = new Map<string, string[]>();
  for (const entry of overrides) {
    const dot = entry.indexOf('.');
    const path = entry.slice(dot + 1);
    nodes.set(path, [...(nodes.get(path) ?? []), entry.slice(0, dot)]);
  }
  return nodes;
}

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
